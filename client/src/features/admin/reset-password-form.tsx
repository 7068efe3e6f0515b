import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { passwordRules } from '#shared/rules/accounts.ts';
import { sentences } from '#shared/rules/admin.ts';
import { type Person, PersonPicker } from '#client/features/admin/person-picker.tsx';
import { sendAsAdmin, tellError } from '#client/features/admin/write.ts';
import { useApiForm } from '#client/lib/form.ts';
import { invalidate } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';
import { Field } from '#client/ui/field.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

const [length] = passwordRules;
const refuse = (description: string) => toast({ title: 'Error', description, variant: 'destructive' });

/** Sets a user's password (B §2, §5); what it does and that it is recorded stands beside the button. */
export const ResetPasswordForm = () => {
  const queryClient = useQueryClient();
  const [person, setPerson] = useState<Person | null>(null);
  const form = useApiForm({
    schema: contract.admin.resetPassword.body,
    defaultValues: { userId: '', newPassword: '' },
    send: (body) => sendAsAdmin(queryClient, contract.admin.resetPassword, { body }),
    onDone: ({ message }) => {
      toast({ title: message, ...(person && { description: person.email }) });
      setPerson(null);
      form.reset();
      void invalidate(queryClient, contract.oversight.audit);
    },
    onFailure: tellError,
  });
  const { register, errorOf, formError, pending, setValue, trigger, getValues } = form;
  const choose = (next: Person | null) => {
    setPerson(next);
    setValue('userId', next?.id ?? '', { shouldDirty: true });
    if (next) void trigger('userId');
  };
  const submit = (event: React.SyntheticEvent) => {
    const { userId, newPassword } = getValues();
    if (userId === '' || newPassword === '') refuse(sentences.resetIncomplete);
    else if (!length.test(newPassword)) refuse(length.message);
    form.onSubmit(event);
  };
  return (
    <Card>
      <CardHeader title="Reset password" description="For a user who cannot get in with a link by email." />
      <CardBody>
        <form noValidate onSubmit={submit} aria-label="Reset password" autoComplete="off">
          {formError && (
            <Alert tone="danger" announce className="mb-4">
              {formError}
            </Alert>
          )}
          <div className="grid items-start gap-x-4 gap-y-2 md:grid-cols-2">
            <Field label="User" error={errorOf('userId')}>
              <PersonPicker value={person} onChange={choose} />
            </Field>
            <Field
              label="New password"
              error={errorOf('newPassword')}
              help="8+ characters with uppercase, lowercase and a number"
            >
              <PasswordInput autoComplete="new-password" {...register('newPassword')} />
            </Field>
          </div>
          <Alert className="mt-3">
            Every session of the user ends at once and the user is told by email; the password itself is never sent. All
            password resets are recorded in the audit log below, with your name, the user and the time.
          </Alert>
          <Button type="submit" className="mt-4" pending={pending} pendingLabel="Resetting…">
            Reset Password
          </Button>
        </form>
      </CardBody>
    </Card>
  );
};
