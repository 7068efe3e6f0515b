import type { User } from '#shared/api/accounts.ts';
import { useVerifiedElsewhere } from '#client/features/accounts/email-verified.ts';
import { ResendVerification } from '#client/features/accounts/resend-verification.tsx';
import { Alert } from '#client/ui/alert.tsx';

const Banner = ({ email }: { email: string }) => {
  useVerifiedElsewhere();
  return (
    <section aria-label="Email verification" className="screen-only mx-auto w-full max-w-content px-4 pt-4 sm:px-6">
      <Alert tone="warning" title="Please verify your email address" action={<ResendVerification size="sm" />}>
        <p className="break-words">
          Open the link we sent to {email}. Until then you can subscribe with a card, but not start a card-free trial.
        </p>
      </Alert>
    </section>
  );
};

/** For somebody whose address is not verified: what that keeps from them, and a new link (decisions §3). */
export const VerifyBanner = ({ user }: { user: User }) => (user.emailVerified ? null : <Banner email={user.email} />);
