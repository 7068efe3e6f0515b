import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { resetForm } from '#client/features/accounts/new-password.ts';
import { NewPasswordFields } from '#client/features/accounts/new-password-fields.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { clearSession } from '#client/lib/session/session.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button, Card } from '#client/ui/elements.tsx';
import { Form } from '#client/ui/form.tsx';

type Props = { token: string; title: string; onDone: () => void; onExpired: () => void; children: ReactNode };

/** Sets a new password with a token that was mailed; `children` say what comes before and after. */
export const ResetPasswordForm = ({ token, title, onDone, onExpired, children }: Props) => {
  const queryClient = useQueryClient();
  const form = useApiForm({
    schema: resetForm,
    defaultValues: { password: '', confirmPassword: '' },
    send: ({ password }) => api.security.resetPassword({ body: { token, password } }),
    onDone: () => {
      toast({ title: 'Password Reset Successful', description: 'You can sign in with your new password now.' });
      onDone();
      // The reset ended every session of the account, this browser's too: nothing is asked for it any more.
      clearSession(queryClient);
    },
    failure: 'Failed to reset password',
    failureTitle: 'Reset Failed',
    onFailure: ({ code }) => code === 'reset_token_invalid' && onExpired(),
  });
  return (
    <Card className="mx-auto w-full max-w-[27rem] p-5 text-sm sm:p-8">
      <h1 className="text-xl">{title}</h1>
      <div className="mt-1 text-muted">{children}</div>
      <Form form={form} label="Choose a new password" className="mt-6 space-y-2">
        {/* Password managers want a username. It is empty, because this page doesn't know the address. */}
        <input type="text" autoComplete="username" hidden readOnly />
        <NewPasswordFields form={form} name="password" />
        <Button type="submit" size="lg" className="w-full" pending={form.pending} pendingLabel="Saving…">
          Reset password
        </Button>
      </Form>
    </Card>
  );
};
