import { MailOpen } from 'lucide-react';
import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/members.ts';
import { verificationTokenHours } from '#shared/rules/people/accounts.ts';
import { ResendVerification } from '#client/features/accounts/resend-verification.tsx';
import { tellVerified } from '#client/features/accounts/verify-banner.tsx';
import { useMailedToken } from '#client/lib/session/mailed-token.ts';
import { OutcomePanel, PressPanel } from '#client/ui/outcome-panel.tsx';
import { paths, withReturnTo } from '#client/lib/pages/paths.ts';
import { useUser } from '#client/lib/session/session.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { ButtonLink, TextLink } from '#client/ui/elements.tsx';

const Onward = ({ user }: { user: User | null | undefined }) => {
  if (!user) return <ButtonLink href={paths.auth}>Sign in</ButtonLink>;
  if (!user.profileCompleted)
    return (
      <span className="flex flex-wrap items-center gap-3">
        <ButtonLink href={paths.completeProfile}>Complete your profile</ButtonLink>
        <TextLink href={paths.developers()}>I make tools</TextLink>
      </span>
    );
  return <ButtonLink href={paths.dashboard}>Go to dashboard</ButtonLink>;
};

/** No usable link: what to do about it depends on who is asking. */
const NoLink = ({ user, title, text }: { user: User | null | undefined; title: string; text: string }) => {
  if (user?.emailVerified) {
    return (
      <OutcomePanel tone="success" title="Your email is verified" action={<Onward user={user} />}>
        {user.email} is verified already.
      </OutcomePanel>
    );
  }
  return (
    <OutcomePanel
      tone="danger"
      title={title}
      action={user ? <ResendVerification variant="primary" /> : <Onward user={user} />}
    >
      {text} {user ? `We can send a new link to ${user.email}.` : 'Sign in, and we will send you a new link.'}
    </OutcomePanel>
  );
};

/** /verify-email: only the button uses the link, so that a mail scanner's visit changes nothing. */
export default function VerifyEmailPage() {
  const { user } = useUser();
  const { token, forget } = useMailedToken(paths.verifyEmail);
  const { mutate, data, error, isPending } = useApiMutation(contract.accounts.verifyEmail, {
    onSuccess: () => {
      forget();
      tellVerified();
    },
    failure: null,
  });
  useTitle('Verify your email');

  if (data) {
    return (
      <OutcomePanel tone="success" title="Email verified" action={<Onward user={user} />}>
        {data.email} is verified. You can now start free trials without a card, and register tools.
      </OutcomePanel>
    );
  }
  if (!token) {
    return (
      <NoLink
        user={user}
        title="This page needs a link from your email"
        text="Open the link in the email we sent when you signed up."
      />
    );
  }
  if (error?.code === 'token_invalid') {
    return (
      <NoLink
        user={user}
        title="This link no longer works"
        text={`Links work once, within ${verificationTokenHours} hours. This one has expired or was already used.`}
      />
    );
  }
  if (!user) {
    return (
      <OutcomePanel
        tone="primary"
        icon={<MailOpen />}
        title="Verify your email"
        action={
          <ButtonLink href={withReturnTo(paths.auth, paths.verifyEmail)} size="lg">
            Sign in
          </ButtonLink>
        }
      >
        Sign in to the account that this link was sent to, and we&apos;ll bring you back here. If you haven&apos;t
        signed up with us, ignore the email.
      </OutcomePanel>
    );
  }
  return (
    <PressPanel
      icon={<MailOpen />}
      title="Verify your email"
      button="Verify email"
      pendingLabel="Verifying…"
      pending={isPending}
      fault={
        error && `${error.sentence}${error.code === 'verify_signed_in' ? ` You are signed in as ${user.email}.` : ''}`
      }
      onPress={() => mutate({ body: { token } })}
    >
      Confirm your email to start free trials.
    </PressPanel>
  );
}
