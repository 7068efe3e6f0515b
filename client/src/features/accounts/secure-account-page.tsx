import { useState } from 'react';
import { ResetPasswordForm } from '#client/features/accounts/reset-password-form.tsx';
import { paths, withReturnTo } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { useMailedToken } from '#client/lib/session/mailed-token.ts';
import { ButtonLink } from '#client/ui/elements.tsx';
import { OutcomePanel } from '#client/ui/outcome-panel.tsx';

/** /secure-account: leads whoever has taken their account back to a new password, and to what else they should look at. */
export default function SecureAccountPage() {
  const { token, forget } = useMailedToken(paths.secureAccount);
  const [outcome, setOutcome] = useState<'done' | 'expired'>();
  useTitle('Secure your account');
  if (outcome === 'done')
    return (
      <OutcomePanel
        tone="success"
        title="Your password is set"
        action={<ButtonLink href={withReturnTo(paths.auth, paths.security)}>Sign in and check</ButtonLink>}
      >
        One step is left: sign in and look through your security settings. Add two-step verification, and remove what
        you don&apos;t know.
      </OutcomePanel>
    );
  if (!token || outcome === 'expired')
    return (
      <OutcomePanel
        tone="danger"
        title="This step is over"
        action={<ButtonLink href={paths.auth}>Go to sign in</ButtonLink>}
      >
        Please use the link to choose a new password that we emailed you, or choose “Forgot Password?” on the sign-in
        page.
      </OutcomePanel>
    );
  const end = (how: 'done' | 'expired') => {
    forget();
    setOutcome(how);
  };
  return (
    <ResetPasswordForm
      token={token}
      title="Secure your account"
      onDone={() => end('done')}
      onExpired={() => end('expired')}
    >
      <p>Your old address is restored, and every device was signed out. Two steps are left:</p>
      <ol className="mt-3 list-decimal space-y-1 pl-5">
        <li className="font-medium text-text">Choose a password that you use nowhere else.</li>
        <li>Sign in and look through your security settings.</li>
      </ol>
    </ResetPasswordForm>
  );
}
