import { MailOpen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { ResetPasswordForm } from '#client/features/accounts/reset-password-form.tsx';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { useMailedToken } from '#client/lib/session/mailed-token.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { toastError } from '#client/lib/words/toast.ts';
import { Button, TextLink } from '#client/ui/elements.tsx';
import { OutcomePanel } from '#client/ui/outcome-panel.tsx';

const countdownSeconds = 5;
const redirectDelayMs = 3000;

/** What the toast says, and above and below it on the page what that means. */
const failures = {
  missing: {
    title: 'Invalid Link',
    text: 'No reset token found. Please use the link from your email.',
    heading: 'Open the link in your email',
    advice: 'This page works only from that link. If you have no such email, ask for one.',
  },
  expired: {
    title: 'Link Expired',
    text: 'This password reset link has expired or already been used. Please request a new one.',
    heading: 'This link has expired',
    advice: 'Or it has already been used. A new one takes a minute.',
  },
} as const;

const [ForgotPasswordDialog, prepareDialog] = lazyDialog(
  () => import('#client/features/accounts/forgot-password-dialog.tsx'),
);

/** Asks for another link here, without a detour through the sign-in. */
const NewLink = () => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="lg" onPointerEnter={prepareDialog} onClick={() => setOpen(true)}>
        Send me a new link
      </Button>
      <ForgotPasswordDialog email="" open={open} onClose={() => setOpen(false)} />
    </>
  );
};

const Failure = ({ kind }: { kind: keyof typeof failures }) => {
  const [, navigate] = useLocation();
  const [stays, setStays] = useState(false);
  const { title, text, heading, advice } = failures[kind];
  useEffect(() => {
    toastError(text, title);
  }, [title, text]);
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => navigate(paths.auth, { replace: true }), redirectDelayMs);
    return () => clearTimeout(timer);
  }, [navigate, stays]);
  return (
    // On a phone the toast is above it.
    <div className="max-sm:pt-20">
      <OutcomePanel
        {...(kind === 'missing' ? { tone: 'primary', icon: <MailOpen /> } : { tone: 'danger' })}
        title={heading}
        action={
          // Whoever reaches for a button is not led away from it.
          <div
            className="flex flex-col items-center gap-3"
            onPointerEnter={() => setStays(true)}
            onFocus={() => setStays(true)}
          >
            <NewLink />
            <TextLink href={paths.auth} className="max-sm:py-3">
              Go to sign in
            </TextLink>
          </div>
        }
      >
        {advice}
      </OutcomePanel>
    </div>
  );
};

const Success = () => {
  const [, navigate] = useLocation();
  const [left, setLeft] = useState(countdownSeconds);
  const leave = () => navigate(paths.auth, { replace: true });
  useEffect(() => {
    const timer = setTimeout(() => (left > 1 ? setLeft(left - 1) : leave()), 1000);
    return () => clearTimeout(timer);
  });
  return (
    <OutcomePanel
      tone="success"
      title="Password reset"
      action={
        <>
          <Button size="lg" onClick={leave}>
            Go to Login Now
          </Button>
          <p className="figures mt-3 text-xs text-muted">
            Taking you to the sign-in page in {left} {left === 1 ? 'second' : 'seconds'}
          </p>
        </>
      }
    >
      Your password was changed, and you were signed out on every device.
    </OutcomePanel>
  );
};

/** /reset-password: the form that the mailed link leads to, and its outcome. */
export default function ResetPasswordPage() {
  const { token, forget } = useMailedToken(paths.resetPassword);
  const [outcome, setOutcome] = useState<'done' | 'expired'>();
  useTitle('Reset your password');
  const end = (how: 'done' | 'expired') => {
    forget();
    setOutcome(how);
  };
  if (outcome === 'done') return <Success />;
  if (outcome === 'expired') return <Failure kind="expired" />;
  if (!token) return <Failure kind="missing" />;
  return (
    <ResetPasswordForm
      token={token}
      title="Choose a new password"
      onDone={() => end('done')}
      onExpired={() => end('expired')}
    >
      You&apos;ll need to sign in again on every device.
    </ResetPasswordForm>
  );
}
