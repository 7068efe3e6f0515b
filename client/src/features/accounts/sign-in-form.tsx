import { useQueryClient } from '@tanstack/react-query';
import { ForgotPassword } from '#client/features/accounts/forgot-password.tsx';
import { loadAuthCalls, prepareAuthCalls } from '#client/features/accounts/load-auth-calls.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { setUser } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

type Props = {
  /** What was typed on the other tab. */
  email: string;
  onEmail: (email: string) => void;
};

/** The page leads on by itself as soon as there is a user. */
export const SignInForm = ({ email, onEmail }: Props) => {
  const queryClient = useQueryClient();
  const { register, errorOf, formError, pending, onSubmit, setFocus } = useApiForm({
    schema: async () => (await loadAuthCalls()).schemas.login,
    defaultValues: { email, password: '' },
    send: async (body) => (await loadAuthCalls()).login({ body }),
    onDone: (user) => {
      toast({ title: 'Login Successful', description: `Welcome back, ${user.firstName}.` });
      setUser(queryClient, user);
    },
    onFailure: (error) => {
      // Where nobody could look at the password, it is not called wrong (A §8).
      const words = error.status === 401 ? sentenceOf(error, 'Invalid email or password.') : error.sentence;
      toast({ title: 'Login Failed', description: words, variant: 'destructive' });
      if (error.code === 'invalid_credentials') setFocus('password', { shouldSelect: true });
    },
  });
  return (
    <>
      <form noValidate onSubmit={onSubmit} aria-label="Sign in" className="space-y-2">
        {formError && (
          <Alert tone="danger" className="mb-4">
            {formError}
          </Alert>
        )}
        <Field label="Email" error={errorOf('email')}>
          <Input
            type="email"
            onFocus={prepareAuthCalls}
            autoComplete="username"
            placeholder="you@practice.com.au"
            {...register('email', { onChange: (event: { target: { value: string } }) => onEmail(event.target.value) })}
          />
        </Field>
        <Field label="Password" error={errorOf('password')}>
          <PasswordInput onFocus={prepareAuthCalls} autoComplete="current-password" {...register('password')} />
        </Field>
        <Button type="submit" size="lg" className="w-full" pending={pending} pendingLabel="Signing in…">
          Sign In
        </Button>
      </form>
      {/* Outside the form: a submit of its dialog would reach the form around it. */}
      <ForgotPassword email={email} />
    </>
  );
};
