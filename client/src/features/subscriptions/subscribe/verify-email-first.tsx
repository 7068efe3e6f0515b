import { useEffect } from 'react';
import { contract } from '#shared/api/members.ts';
import { purchaseRefusals } from '#shared/api/purchase-refusals.ts';
import { sentenceOf } from '#client/lib/calls/api-error.ts';
import { useUser } from '#client/lib/session/session.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';

/** Replaces the trial's button until the email address is verified. */
export const VerifyEmailFirst = ({ email }: { email: string }) => {
  const { refetch } = useUser();
  const resend = useApiMutation(contract.accounts.resendVerification, {
    onSuccess: ({ message }) => toast({ title: 'Verification email sent', description: message }),
    onError: (error) => {
      // The address was verified in another window.
      if (error.code === 'already_verified') return void refetch();
      if (error.code !== 'unauthorized')
        toastError(sentenceOf(error, 'The verification email could not be sent. Please try again.'));
    },
  });

  useEffect(() => {
    const lookAgain = () => void refetch();
    window.addEventListener('focus', lookAgain);
    return () => window.removeEventListener('focus', lookAgain);
  }, [refetch]);

  return (
    <Alert tone="warning" title={purchaseRefusals.email_unverified[1]}>
      <p className="mt-1">
        Open the link we sent to <span className="break-all">{email}</span>, then come back here.
      </p>
      <Button
        variant="secondary"
        size="sm"
        className="mt-3"
        pending={resend.isPending}
        pendingLabel="Sending…"
        onClick={() => resend.mutate()}
      >
        Resend
      </Button>
    </Alert>
  );
};
