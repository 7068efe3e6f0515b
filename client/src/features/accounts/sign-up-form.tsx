import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { loadAccounts, prepareAccounts } from '#client/features/accounts/load-accounts.ts';
import { NewPasswordFields } from '#client/features/accounts/new-password-fields.tsx';
import { EmailField, NameFields } from '#client/features/accounts/person-fields.tsx';
import { useApiForm } from '#client/lib/forms/form.ts';
import { onwardFrom, paths } from '#client/lib/pages/paths.ts';
import { request } from '#client/lib/calls/request.ts';
import { demandCookies, setUser } from '#client/lib/session/session.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button, TextLink } from '#client/ui/elements.tsx';
import { Form } from '#client/ui/form.tsx';

/** Lets the toast be seen before the page changes. */
const redirectDelayMs = 500;

export type Typed = { firstName: string; lastName: string; email: string };

type Props = {
  /** What was typed so far, on either tab. */
  typed: Typed;
  /** Arrives late. */
  invitedEmail?: string;
  onType: (typed: Typed) => void;
  onSignIn: () => void;
  onRegistered: () => void;
  returnTo: string | null;
};

export const SignUpForm = ({ typed, invitedEmail = '', onType, onSignIn, onRegistered, returnTo }: Props) => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const [emailTaken, setEmailTaken] = useState(false);
  const form = useApiForm({
    schema: async () => (await loadAccounts()).registerForm,
    defaultValues: { ...typed, password: '', confirmPassword: '' },
    send: async ({ confirmPassword: _confirmed, ...body }) => {
      demandCookies();
      return request((await loadAccounts()).accountsApi.register, { body });
    },
    onDone: async (user) => {
      onRegistered();
      setUser(queryClient, user);
      const onward = onwardFrom(returnTo, user);
      toast({
        title: 'Registration Successful',
        description: `Welcome, ${user.firstName}.${onward === returnTo ? '' : ' Next, complete your profile.'}`,
      });
      await new Promise((done) => setTimeout(done, redirectDelayMs));
      navigate(onward, { replace: true });
    },
    failure: 'Failed to create account. Please try again.',
    failureTitle: 'Registration Failed',
    onFailure: (error) => {
      setEmailTaken(error.code === 'email_taken');
      if (error.code === 'email_taken') form.setFocus('email', { shouldSelect: true });
    },
  });
  const { register, errorOf, getValues, setValue } = form;
  useEffect(() => {
    if (invitedEmail !== '' && getValues('email') === '') setValue('email', invitedEmail);
  }, [invitedEmail, getValues, setValue]);
  const type = (name: keyof Typed) =>
    register(name, {
      onChange: ({ target }: { target: { value: string } }) => onType({ ...typed, [name]: target.value }),
    });
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
      <NameFields firstName={type('firstName')} lastName={type('lastName')} errorOf={errorOf} />
      <EmailField autoComplete="username" onFocus={prepareAccounts} error={errorOf('email')} {...type('email')} />
      <NewPasswordFields form={form} name="password" label="Password" person={form.watch()} onFocus={prepareAccounts} />
      <Button type="submit" size="lg" className="w-full" pending={form.pending} pendingLabel="Creating your account…">
        Create account
      </Button>
      <p className="pt-3 text-center text-xs text-muted">
        By creating an account you accept our <TextLink href={paths.terms}>terms of service</TextLink>. Our{' '}
        <TextLink href={paths.privacy}>privacy policy</TextLink> says how we handle your details.
      </p>
    </Form>
  );
};
