import { useQueryClient } from '@tanstack/react-query';
import { contract } from '#shared/api/index.ts';
import { changeForm } from '#client/features/accounts/new-password.ts';
import { NewPasswordFields } from '#client/features/accounts/new-password-fields.tsx';
import { api } from '#client/lib/api.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { invalidate } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' };

/** Ends the other sessions (decisions §3). `email` tells password managers whose password this is. */
export const ChangePasswordForm = ({ email }: { email: string }) => {
  const queryClient = useQueryClient();
  const form = useApiForm({
    schema: changeForm,
    defaultValues: empty,
    send: ({ confirmPassword: _confirmed, ...body }) => api.security.changePassword({ body }),
    onDone: async ({ message }) => {
      reset(empty);
      toast({ title: 'Password Changed', description: message });
      await invalidate(queryClient, contract.security.sessions);
    },
    onFailure: (error) =>
      toast({
        title: 'Error',
        description: sentenceOf(error, 'Failed to change password. Please try again.'),
        variant: 'destructive',
      }),
  });
  const { register, errorOf, formError, pending, onSubmit, reset } = form;
  return (
    <form noValidate onSubmit={onSubmit} aria-label="Change password" className="max-w-form space-y-2">
      {formError && (
        <Alert tone="danger" className="mb-4">
          {formError}
        </Alert>
      )}
      <input type="text" autoComplete="username" hidden readOnly value={email} />
      <Field label="Current password" error={errorOf('currentPassword')}>
        <PasswordInput autoComplete="current-password" {...register('currentPassword')} />
      </Field>
      <NewPasswordFields form={form} name="newPassword" />
      <Button type="submit" pending={pending} pendingLabel="Changing…">
        Change password
      </Button>
    </form>
  );
};
