import { useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { passwordRules } from '#shared/rules/people/accounts.ts';
import { sentences } from '#shared/rules/operators/admin.ts';
import { type Person, PersonPicker } from '#client/features/admin/people/person-picker.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { Input } from '#client/ui/input.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

const [length] = passwordRules;

export const ResetPasswordForm = () => {
  const [person, setPerson] = useState<Person | null>(null);
  const fourEyes = useApiQuery(contract.approvals.list).data?.fourEyes === true;
  const form = useApiForm({
    schema: contract.admin.resetPassword.body,
    defaultValues: { userId: '', newPassword: '', reason: '' },
    send: (body) => api.admin.resetPassword({ body }),
    onDone: ({ message }) => {
      toast({ title: message, ...(person && { description: person.email }) });
      setPerson(null);
      form.reset();
    },
    failure: somethingWentWrong,
  });
  const { register, errorOf, pending, setValue, trigger, getValues } = form;
  const choose = (next: Person | null) => {
    setPerson(next);
    setValue('userId', next?.id ?? '', { shouldDirty: true });
    if (next) void trigger('userId');
  };
  const submit = (event: React.SyntheticEvent) => {
    const { userId, newPassword } = getValues();
    if (userId === '' || newPassword === '') toastError(sentences.resetIncomplete);
    else if (!length.test(newPassword)) toastError(length.message);
    form.onSubmit(event);
  };
  return (
    <Panel title="Reset password" description="For a user who can't use the reset link we email.">
      <Form form={form} label="Reset password" onSubmit={submit} autoComplete="off">
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
          {fourEyes && (
            <Field
              label="Reason"
              error={errorOf('reason')}
              help="Needed for another administrator, whose password a second administrator approves"
            >
              <Input {...register('reason')} />
            </Field>
          )}
        </div>
        <Alert className="mt-3">
          Every session of the user ends at once and the user is told by email; the password itself is never sent. All
          password resets are recorded in the audit log below, with your name, the user and the time.
        </Alert>
        <Button type="submit" className="mt-4" pending={pending} pendingLabel="Resetting…">
          Reset Password
        </Button>
      </Form>
    </Panel>
  );
};
