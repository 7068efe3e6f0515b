import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import { setupPasswordLength } from '#shared/rules/people/accounts.ts';
import { NameFields } from '#client/features/accounts/person-fields.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toastError } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { Input } from '#client/ui/input.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

type Props = { token: string | null; onCreated: (reply: Reply<typeof contract.security.setupAdmin>) => void };

/** What is missing is said in a toast too. */
export const SetupAdminForm = ({ token, onCreated }: Props) => {
  const form = useApiForm({
    schema: contract.security.setupAdmin.body,
    defaultValues: { firstName: '', lastName: '', email: '', password: '' },
    send: (body) => api.security.setupAdmin({ body: token ? { ...body, setupToken: token } : body }),
    onDone: onCreated,
    failure: 'Failed to setup admin account',
    failureTitle: 'Setup Failed',
  });
  const { register, errorOf, getValues } = form;
  const submit = (event: React.SyntheticEvent) => {
    const { firstName, lastName, email, password } = getValues();
    if ([firstName, lastName, email].some((text) => text.trim() === '') || password === '') {
      toastError('Please fill in all fields', 'All Fields Required');
    } else if (password.length < setupPasswordLength) {
      toastError(`Password must be at least ${setupPasswordLength} characters long`, 'Password Too Short');
    }
    form.onSubmit(event);
  };
  return (
    <Form form={form} label="Set up the administrator" onSubmit={submit} className="mt-6 space-y-2">
      <NameFields firstName={register('firstName')} lastName={register('lastName')} errorOf={errorOf} />
      <Field label="Email" error={errorOf('email')}>
        <Input type="email" autoComplete="username" {...register('email')} />
      </Field>
      <Field label="Password" help={`${setupPasswordLength}+ characters`} error={errorOf('password')}>
        <PasswordInput autoComplete="new-password" {...register('password')} />
      </Field>
      <Button
        type="submit"
        size="lg"
        className="w-full"
        pending={form.pending}
        pendingLabel="Creating the administrator…"
      >
        Create administrator
      </Button>
    </Form>
  );
};
