import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { api } from '#client/lib/api.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

type FormProps = { email: string; onSent: () => void; onCancel: () => void; onPending: (pending: boolean) => void };

const RequestForm = ({ email, onSent, onCancel, onPending }: FormProps) => {
  const { register, errorOf, formError, pending, onSubmit } = useApiForm({
    schema: contract.security.forgotPassword.body,
    defaultValues: { email },
    send: async (body) => {
      onPending(true);
      try {
        return await api.security.forgotPassword({ body });
      } finally {
        onPending(false);
      }
    },
    onDone: onSent,
    onFailure: (error) =>
      toast({
        title: 'Request Failed',
        description: sentenceOf(error, 'Failed to send password reset email. Please try again.'),
        variant: 'destructive',
      }),
  });
  return (
    <form noValidate onSubmit={onSubmit} aria-label="Reset your password">
      {formError && (
        <Alert tone="danger" announce className="mb-4">
          {formError}
        </Alert>
      )}
      <Field label="Email" error={errorOf('email')}>
        <Input type="email" autoComplete="username" placeholder="you@practice.com.au" {...register('email')} />
      </Field>
      <DialogFooter className="mt-3!">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" pending={pending} pendingLabel="Sending…">
          Send reset link
        </Button>
      </DialogFooter>
    </form>
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

type DialogProps = { email: string; open: boolean; onOpenChange: (open: boolean) => void };

/** Form, then confirmation, which says the same to everybody (A §2). */
export const ForgotPasswordDialog = ({ email, open, onOpenChange }: DialogProps) => {
  const [sent, setSent] = useState(false);
  const [pending, setPending] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      locked={pending}
      title={sent ? 'Check your email' : 'Reset your password'}
      description={sent ? undefined : 'Enter the email of your account, and we will send you a link.'}
    >
      {sent ? (
        <Confirmation onClose={() => onOpenChange(false)} />
      ) : (
        <RequestForm
          email={email}
          onSent={() => setSent(true)}
          onCancel={() => !pending && onOpenChange(false)}
          onPending={setPending}
        />
      )}
    </Dialog>
  );
};
