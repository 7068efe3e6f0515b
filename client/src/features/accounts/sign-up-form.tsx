import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { loadAccounts, prepareAccounts } from '#client/features/accounts/load-accounts.ts';
import { EmailField, NameFields } from '#client/features/accounts/person-fields.tsx';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { paths, withReturnTo } from '#client/lib/paths.ts';
import { request } from '#client/lib/request.ts';
import { setUser } from '#client/lib/session.ts';
import { toast, toastError } from '#client/lib/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';
import { TextLink } from '#client/ui/text-link.tsx';

/** The toast is seen before the page changes. */
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
    schema: async () => (await loadAccounts()).registerForm,
    defaultValues: { firstName: '', lastName: '', email, password: '', confirmPassword: '' },
    send: async ({ confirmPassword: _confirmed, ...body }) =>
      request((await loadAccounts()).accountsApi.register, { body }),
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
      toastError(sentenceOf(error, 'Failed to create account. Please try again.'), 'Registration Failed');
      if (error.code === 'email_taken') form.setFocus('email', { shouldSelect: true });
    },
  });
  const { register, errorOf, trigger, getFieldState } = form;
  const recheckConfirmation = () => getFieldState('confirmPassword').isTouched && void trigger('confirmPassword');
  return (
    <Form
      form={form}
      label="Sign up"
      className="mt-6 space-y-2"
      errorAction={
        emailTaken && (
          <Button variant="link" onClick={onSignIn}>
            Sign in instead
          </Button>
        )
      }
    >
      <NameFields firstName={register('firstName')} lastName={register('lastName')} errorOf={errorOf} />
      <EmailField
        autoComplete="email"
        onFocus={prepareAccounts}
        error={errorOf('email')}
        {...register('email', { onChange: (event: { target: { value: string } }) => onEmail(event.target.value) })}
      />
      <Field label="Password" help="8+ characters with uppercase, lowercase and a number" error={errorOf('password')}>
        <PasswordInput
          onFocus={prepareAccounts}
          autoComplete="new-password"
          {...register('password', { onChange: recheckConfirmation })}
        />
      </Field>
      <Field label="Confirm password" error={errorOf('confirmPassword')}>
        <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
      </Field>
      <Button type="submit" size="lg" className="w-full" pending={form.pending} pendingLabel="Creating your account…">
        Create account
      </Button>
      <p className="pt-3 text-center text-xs text-muted">
        What we do with your details is in our <TextLink href={paths.privacy}>privacy policy</TextLink>.
      </p>
    </Form>
  );
};
