import { contract } from '#shared/api/members.ts';
import { sentenceOf } from '#client/lib/calls/api-error.ts';
import { refetchChangedBy, useApiMutation } from '#client/lib/calls/use-api.ts';
import { toastError } from '#client/lib/words/toast.ts';

/** Mails a new link that verifies the address. */
export const useResendVerification = () => {
  const { mutate, isPending, isSuccess } = useApiMutation(contract.accounts.resendVerification, {
    onError: (error) => {
      // The address is verified meanwhile, perhaps on another device: the refetched user removes this button.
      if (error.code === 'already_verified') void refetchChangedBy(contract.accounts.verifyEmail);
      toastError(sentenceOf(error), 'Email Not Sent');
    },
  });
  return { send: () => mutate(), pending: isPending, sent: isSuccess };
};
