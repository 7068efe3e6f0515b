import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { loadAuthCalls, prepareAuthCalls } from '#client/features/accounts/load-auth-calls.ts';
import { NameFields } from '#client/features/accounts/name-fields.tsx';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { paths, withReturnTo } from '#client/lib/paths.ts';
import { setUser } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';
import { TextLink } from '#client/ui/text-link.tsx';

/** A §9: the toast is seen before the page changes. */
const redirectDelayMs = 500;

type Props = {
  /** What was typed on the other tab. */
  email: string;
  onEmail: (email: string) => void;
  onSignIn: () => void;
  onRegistered: () => void;
  returnTo: string | null;
};

export const SignUpForm = ({ email, onEmail, onSignIn, onRegistered, returnTo }: Props) => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const [emailTaken, setEmailTaken] = useState(false);
  const form = useApiForm({
    schema: async () => (await loadAuthCalls()).schemas.register,
    defaultValues: { firstName: '', lastName: '', email, password: '', confirmPassword: '' },
    send: async ({ confirmPassword: _confirmed, ...body }) => (await loadAuthCalls()).register({ body }),
    onDone: async (user) => {
      onRegistered();
      setUser(queryClient, user);
      toast({
        title: 'Registration Successful',
        description: `Welcome, ${user.firstName}. Next, complete your profile.`,
      });
      await new Promise((done) => setTimeout(done, redirectDelayMs));
      navigate(withReturnTo(paths.completeProfile, returnTo), { replace: true });
    },
    onFailure: (error) => {
      setEmailTaken(error.code === 'email_taken');
      toast({
        title: 'Registration Failed',
        description: sentenceOf(error, 'Failed to create account. Please try again.'),
        variant: 'destructive',
      });
      if (error.code === 'email_taken') setFocus('email', { shouldSelect: true });
    },
  });
  const { register, errorOf, formError, pending, onSubmit, setFocus, trigger, getFieldState } = form;
  const recheckConfirmation = () => getFieldState('confirmPassword').isTouched && void trigger('confirmPassword');
  return (
    <form noValidate onSubmit={onSubmit} aria-label="Sign up" className="mt-6 space-y-2">
      {formError && (
        <Alert
          tone="danger"
          className="mb-4"
          action={
            emailTaken && (
              <Button variant="link" onClick={onSignIn}>
                Sign in instead
              </Button>
            )
          }
        >
          {formError}
        </Alert>
      )}
      <div className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-2">
        <NameFields firstName={register('firstName')} lastName={register('lastName')} errorOf={errorOf} />
      </div>
      <Field label="Email" error={errorOf('email')}>
        <Input
          type="email"
          onFocus={prepareAuthCalls}
          autoComplete="email"
          placeholder="you@practice.com.au"
          {...register('email', { onChange: (event: { target: { value: string } }) => onEmail(event.target.value) })}
        />
      </Field>
      <Field label="Password" help="8+ characters with uppercase, lowercase and a number" error={errorOf('password')}>
        <PasswordInput
          onFocus={prepareAuthCalls}
          autoComplete="new-password"
          {...register('password', { onChange: recheckConfirmation })}
        />
      </Field>
      <Field label="Confirm password" error={errorOf('confirmPassword')}>
        <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
      </Field>
      <Button type="submit" size="lg" className="w-full" pending={pending} pendingLabel="Creating your account…">
        Create account
      </Button>
      <p className="pt-3 text-center text-xs text-muted">
        What we do with your details is in our <TextLink href={paths.privacy}>privacy policy</TextLink>.
      </p>
    </form>
  );
};
