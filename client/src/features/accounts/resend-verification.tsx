import { MailCheck } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import { sentenceOf } from '#client/lib/calls/api-error.ts';
import { toastError } from '#client/lib/words/toast.ts';
import { refetchChangedBy, useApiMutation } from '#client/lib/calls/use-api.ts';
import { Button } from '#client/ui/elements.tsx';

type Props = { variant?: 'primary' | 'secondary'; size?: 'sm' | 'md' };

/** Mails a new link, then says so in place of the button. */
export const ResendVerification = ({ variant = 'secondary', size = 'md' }: Props) => {
  const { mutate, isPending, isSuccess } = useApiMutation(contract.accounts.resendVerification, {
    onError: (error) => {
      // The address is verified meanwhile, perhaps on another device: the refetched user removes this button.
      if (error.code === 'already_verified') void refetchChangedBy(contract.accounts.verifyEmail);
      toastError(sentenceOf(error), 'Email Not Sent');
    },
  });
  return (
    <div role="status">
      {isSuccess ? (
        <p className="flex items-center gap-2 font-medium">
          <MailCheck aria-hidden className="size-4 shrink-0 text-success" />
          Sent. Please also check your spam folder.
        </p>
      ) : (
        <Button variant={variant} size={size} pending={isPending} pendingLabel="Sending…" onClick={() => mutate()}>
          Resend email
        </Button>
      )}
    </div>
  );
};
