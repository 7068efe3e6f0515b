import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { setupPasswordLength } from '#shared/rules/accounts.ts';
import { NameFields } from '#client/features/accounts/name-fields.tsx';
import { api } from '#client/lib/api.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

const refuse = (title: string, description: string) => toast({ title, description, variant: 'destructive' });

type Props = { token: string | null; onCreated: (reply: Reply<typeof contract.security.setupAdmin>) => void };

/** What is missing is said in a toast too, as A §5 has it. */
export const SetupAdminForm = ({ token, onCreated }: Props) => {
  const form = useApiForm({
    schema: contract.security.setupAdmin.body,
    defaultValues: { firstName: '', lastName: '', email: '', password: '' },
    send: (body) => api.security.setupAdmin({ body: token ? { ...body, setupToken: token } : body }),
    onDone: onCreated,
    onFailure: (error) => refuse('Setup Failed', sentenceOf(error, 'Failed to setup admin account')),
  });
  const { register, errorOf, formError, pending, getValues } = form;
  const submit = (event: React.SyntheticEvent) => {
    const { firstName, lastName, email, password } = getValues();
    if ([firstName, lastName, email].some((text) => text.trim() === '') || password === '') {
      refuse('All Fields Required', 'Please fill in all fields');
    } else if (password.length < setupPasswordLength) {
      refuse('Password Too Short', `Password must be at least ${setupPasswordLength} characters long`);
    }
    form.onSubmit(event);
  };
  return (
    <form noValidate onSubmit={submit} aria-label="Set up the administrator" className="mt-6 space-y-2">
      {formError && (
        <Alert tone="danger" className="mb-4">
          {formError}
        </Alert>
      )}
      <div className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-2">
        <NameFields firstName={register('firstName')} lastName={register('lastName')} errorOf={errorOf} />
      </div>
      <Field label="Email" error={errorOf('email')}>
        <Input type="email" autoComplete="username" {...register('email')} />
      </Field>
      <Field label="Password" help={`${setupPasswordLength}+ characters`} error={errorOf('password')}>
        <PasswordInput autoComplete="new-password" {...register('password')} />
      </Field>
      <Button type="submit" size="lg" className="w-full" pending={pending} pendingLabel="Creating the administrator…">
        Create administrator
      </Button>
    </form>
  );
};
