import { NewPasswordFields, resetForm } from '#client/features/accounts/new-password.tsx';
import { api } from '#client/lib/api.ts';
import { useApiForm } from '#client/lib/form.ts';
import { toast } from '#client/lib/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Card } from '#client/ui/card.tsx';
import { Form } from '#client/ui/form.tsx';

type Props = { token: string; onDone: () => void; onExpired: () => void };

export const ResetPasswordForm = ({ token, onDone, onExpired }: Props) => {
  const form = useApiForm({
    schema: resetForm,
    defaultValues: { password: '', confirmPassword: '' },
    send: ({ password }) => api.security.resetPassword({ body: { token, password } }),
    onDone: () => {
      toast({ title: 'Password Reset Successful', description: 'You can sign in with your new password now.' });
      onDone();
    },
    failure: 'Failed to reset password',
    failureTitle: 'Reset Failed',
    onFailure: ({ code }) => code === 'reset_token_invalid' && onExpired(),
  });
  return (
    <Card className="mx-auto w-full max-w-[27rem] p-5 text-sm sm:p-8">
      <h1 className="text-xl">Choose a new password</h1>
      <p className="mt-1 text-muted">You&apos;ll need to sign in again on every device.</p>
      <Form form={form} label="Choose a new password" className="mt-6 space-y-2">
        {/* For password managers, which ask for it; only the mail's owner knows the address. */}
        <input type="text" autoComplete="username" hidden readOnly />
        <NewPasswordFields form={form} name="password" />
        <Button type="submit" size="lg" className="w-full" pending={form.pending} pendingLabel="Saving…">
          Reset password
        </Button>
      </Form>
    </Card>
  );
};
