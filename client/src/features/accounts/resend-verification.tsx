import { MailCheck } from 'lucide-react';
import { useResendVerification } from '#client/lib/session/use-resend-verification.ts';
import { Button } from '#client/ui/elements.tsx';

type Props = { variant?: 'primary' | 'secondary'; size?: 'sm' | 'md' };

/** Mails a new link, then says so in place of the button. */
export const ResendVerification = ({ variant = 'secondary', size = 'md' }: Props) => {
  const { send, pending, sent } = useResendVerification();
  return (
    <div role="status">
      {sent ? (
        <p className="flex items-center gap-2 font-medium">
          <MailCheck aria-hidden className="size-4 shrink-0 text-success" />
          Sent. Please also check your spam folder.
        </p>
      ) : (
        <Button variant={variant} size={size} pending={pending} pendingLabel="Sending…" onClick={send}>
          Resend email
        </Button>
      )}
    </div>
  );
};
