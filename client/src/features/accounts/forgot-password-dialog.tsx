import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { EmailField } from '#client/features/accounts/person-fields.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter } from '#client/ui/in-dialog.tsx';
import { Form, FormFooter } from '#client/ui/form.tsx';

const RequestForm = ({ email, onSent, onCancel }: { email: string; onSent: () => void; onCancel: () => void }) => {
  const form = useApiForm({
    schema: contract.security.forgotPassword.body,
    defaultValues: { email },
    send: (body) => api.security.forgotPassword({ body }),
    onDone: onSent,
    failure: 'Failed to send password reset email. Please try again.',
    failureTitle: 'Request Failed',
  });
  return (
    <Form form={form} label="Reset your password">
      <EmailField autoComplete="username" error={form.errorOf('email')} {...form.register('email')} />
      <FormFooter form={form} onCancel={onCancel} pendingLabel="Sending…">
        Send reset link
      </FormFooter>
    </Form>
  );
};

/** The form that held the focus is gone. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus();

const Confirmation = ({ onClose }: { onClose: () => void }) => (
  <>
    <div role="status" className="flex gap-3">
      <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-success" />
      <div>
        <p>If an account exists with this email, you will receive password reset instructions.</p>
        <p className="mt-2 text-muted">
          Nothing there after a few minutes? Please also check your spam folder. The link works once, for an hour.
        </p>
      </div>
    </div>
    <DialogFooter>
      <Button ref={takeFocus} onClick={onClose}>
        Back to sign in
      </Button>
    </DialogFooter>
  </>
);

type Props = { email: string; open: boolean; onClose: () => void };

/** A form, then a confirmation, which is the same whether or not there is an account. */
export default function ForgotPasswordDialog({ email, open, onClose }: Props) {
  const [sent, setSent] = useState(false);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={sent ? 'Check your email' : 'Reset your password'}
      description={sent ? undefined : 'Enter the email of your account, and we will send you a link.'}
    >
      {sent ? (
        <Confirmation onClose={onClose} />
      ) : (
        <RequestForm email={email} onSent={() => setSent(true)} onCancel={onClose} />
      )}
    </Dialog>
  );
}
