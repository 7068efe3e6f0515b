import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { contract } from '#shared/api/index.ts';
import { errors } from '#shared/api/errors.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { invalidate, useApiMutation } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';

/** In place of the trial's button while the address is not verified (decisions §3): why, and the way out. */
export const VerifyFirst = ({ email }: { email: string }) => {
  const queryClient = useQueryClient();
  const resend = useApiMutation(contract.accounts.resendVerification, {
    onSuccess: ({ message }) => toast({ title: 'Verification email sent', description: message }),
    onError: (error) => {
      // Verified meanwhile, in another window: the trial's button is due.
      if (error.code === 'already_verified') return void invalidate(queryClient, contract.accounts.user);
      if (error.code !== 'unauthorized')
        toast({
          title: 'Error',
          description: sentenceOf(error, 'The verification email could not be sent. Please try again.'),
          variant: 'destructive',
        });
    },
  });

  useEffect(() => {
    const lookAgain = () => void invalidate(queryClient, contract.accounts.user);
    window.addEventListener('focus', lookAgain);
    return () => window.removeEventListener('focus', lookAgain);
  }, [queryClient]);

  return (
    <Alert tone="warning" title={errors.email_unverified[1]}>
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
