import { useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import * as z from 'zod';
import { currentPassword, newPassword } from '#shared/api/fields.ts';
import { contract } from '#shared/api/index.ts';
import { PasswordChecklist } from '#client/features/accounts/password-checklist.tsx';
import { api } from '#client/lib/api.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { invalidate } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

/** The confirmation never leaves the browser. */
const schema = z
  .strictObject({ currentPassword, newPassword, confirmPassword: z.string({ error: "Passwords don't match" }) })
  .refine((form) => form.newPassword === form.confirmPassword, {
    error: "Passwords don't match",
    path: ['confirmPassword'],
  });
const empty = { currentPassword: '', newPassword: '', confirmPassword: '' };

/** Ends the other sessions (decisions §3). `email` tells password managers whose password this is. */
export const ChangePasswordForm = ({ email }: { email: string }) => {
  const queryClient = useQueryClient();
  const { register, errorOf, formError, pending, onSubmit, control, reset, trigger, getFieldState } = useApiForm({
    schema,
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
  const password = useWatch({ control, name: 'newPassword' });
  const recheckConfirmation = () => getFieldState('confirmPassword').isTouched && void trigger('confirmPassword');
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
      <Field label="New password" error={errorOf('newPassword')}>
        <PasswordInput autoComplete="new-password" {...register('newPassword', { onChange: recheckConfirmation })} />
      </Field>
      <div className="pb-3">
        <PasswordChecklist password={password} />
      </div>
      <Field label="Confirm new password" error={errorOf('confirmPassword')}>
        <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
      </Field>
      <Button type="submit" pending={pending} pendingLabel="Changing…">
        Change password
      </Button>
    </form>
  );
};
