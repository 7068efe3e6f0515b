import { useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { sentences } from '#shared/rules/operators/admin.ts';
import { passwordRules } from '#shared/rules/people/accounts.ts';
import { PersonField } from '#client/features/admin/people/person-picker.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { Alert, Button, Panel } from '#client/ui/elements.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form, TextField } from '#client/ui/form.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

const [length] = passwordRules;

export const ResetPasswordForm = () => {
  const [email, setEmail] = useState<string>();
  const fourEyes = useApiQuery(contract.approvals.list).data?.fourEyes === true;
  const form = useApiForm({
    schema: contract.admin.resetPassword.body,
    defaultValues: { userId: '', newPassword: '', reason: '' },
    send: (body) => api.admin.resetPassword({ body }),
    onDone: ({ message }) => {
      toast({ title: message, description: email });
      form.reset();
    },
  });
  const submit = (event: React.SyntheticEvent) => {
    const { userId, newPassword } = form.getValues();
    if (userId === '' || newPassword === '') toastError(sentences.resetIncomplete);
    else if (!length.test(newPassword)) toastError(length.message);
    form.onSubmit(event);
  };
  return (
    <Panel title="Reset password" description="For a user who can’t use the reset link we email.">
      <Form form={form} label="Reset password" onSubmit={submit} autoComplete="off">
        <div className="grid items-start gap-x-4 gap-y-2 md:grid-cols-2">
          <PersonField form={form} label="User" onChoose={(person) => setEmail(person?.email)} />
          <Field
            label="New password"
            error={form.errorOf('newPassword')}
            help="8+ characters with uppercase, lowercase and a number"
          >
            <PasswordInput autoComplete="new-password" {...form.register('newPassword')} />
          </Field>
          {fourEyes && (
            <TextField
              form={form}
              name="reason"
              label="Reason"
              help="Required if the user is an administrator. A second administrator then approves the reset."
            />
          )}
        </div>
        <Alert className="mt-3">
          The user is signed out everywhere and told by email. We never send the password, so give it to them yourself.
          All password resets are recorded in the audit log, with your name, the user and the time.
        </Alert>
        <Button type="submit" className="mt-4" pending={form.pending} pendingLabel="Resetting…">
          Reset password
        </Button>
      </Form>
    </Panel>
  );
};

/** For a person who has lost their second factor and their recovery codes. */
export const ResetFactorsForm = () => {
  const form = useApiForm({
    schema: contract.admin.resetFactors.body,
    defaultValues: { userId: '' },
    send: (body) => api.admin.resetFactors({ body }),
    onDone: ({ message }) => {
      toast({ title: 'Reset requested', description: message });
      form.reset();
    },
  });
  return (
    <Panel
      title="Reset two-step verification"
      description="For a user who lost their authenticator app or passkey and their recovery codes. It takes effect after 24 hours. The user is told, and can stop it."
    >
      <Form form={form} label="Reset two-step verification" autoComplete="off">
        <div className="grid gap-x-4 md:grid-cols-2">
          <PersonField form={form} label="User who lost two-step verification" />
        </div>
        <Button type="submit" variant="secondary" className="mt-2" pending={form.pending} pendingLabel="Requesting…">
          Reset two-step verification
        </Button>
      </Form>
    </Panel>
  );
};
