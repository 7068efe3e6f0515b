import { useEffect } from 'react';
import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/members.ts';
import { ResendVerification } from '#client/features/accounts/resend-verification.tsx';
import { refetchChangedBy } from '#client/lib/calls/use-api.ts';
import { Alert } from '#client/ui/elements.tsx';

const channelName = 'adviserly-email-verified';

/** Tells the other tabs, one of which usually still shows the sign-up. */
export const tellVerified = () => {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('verified');
  channel.close();
};

const Banner = ({ email, quiet }: { email: string; quiet: boolean }) => {
  useEffect(() => {
    const channel = new BroadcastChannel(channelName);
    const lookAgain = () => void refetchChangedBy(contract.accounts.verifyEmail);
    channel.onmessage = lookAgain;
    // It may be verified on another device.
    window.addEventListener('focus', lookAgain);
    return () => {
      channel.close();
      window.removeEventListener('focus', lookAgain);
    };
  }, []);
  if (quiet) return null;
  return (
    <section aria-label="Email verification" className="screen-only mx-auto w-full max-w-content px-4 pt-4 sm:px-6">
      <Alert
        tone="warning"
        title="Please verify your email address"
        action={<ResendVerification variant="primary" size="sm" />}
      >
        <p className="break-words">Open the link we sent to {email} to start a free trial.</p>
      </Alert>
    </section>
  );
};

type Props = {
  user: User;
  /** On a page that asks for it itself: the banner only notices a verification elsewhere. */
  quiet: boolean;
};

/** For somebody whose address is not verified: what they can't do yet, and a new link. */
export const VerifyBanner = ({ user, quiet }: Props) =>
  user.emailVerified ? null : <Banner email={user.email} quiet={quiet} />;
