import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { SecondStep as SecondStepOf, SignedIn } from '#shared/api/accounts.ts';
import { loadAccounts, prepareAccounts } from '#client/features/accounts/load-accounts.ts';
import { EmailField } from '#client/features/accounts/person-fields.tsx';
import { sentenceOf } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { laterPart } from '#client/lib/pages/load-later.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { request } from '#client/lib/calls/request.ts';
import { demandCookies, setUser } from '#client/lib/session/session.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/elements.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';
import { Loading } from '#client/ui/query-view.tsx';

const [ForgotPasswordDialog, prepareDialog] = lazyDialog(
  () => import('#client/features/accounts/forgot-password-dialog.tsx'),
);

/** Its dialog starts afresh each time. */
const ForgotPassword = ({ email }: { email: string }) => {
  const [open, setOpen] = useState(false);
  const [opened, setOpened] = useState(0);
  const show = () => {
    setOpened(opened + 1);
    setOpen(true);
  };
  return (
    <>
      <p className="pt-4 text-center">
        <Button variant="link" onPointerEnter={prepareDialog} onClick={show}>
          Forgot Password?
        </Button>
      </p>
      <ForgotPasswordDialog key={opened} email={email} open={open} onClose={() => setOpen(false)} />
    </>
  );
};

const SecondStep = laterPart(
  () => import('#client/features/accounts/second-step.tsx'),
  <Loading label="Loading…" skeletons={['h-64']} />,
);
const loadPasskeys = () => import('#client/features/accounts/passkeys.ts');

const PasskeyButton = ({ onDone }: { onDone: (reply: SignedIn) => void }) => {
  const [pending, setPending] = useState(false);
  const signIn = async () => {
    setPending(true);
    try {
      demandCookies();
      onDone(await (await loadPasskeys()).signInWithPasskey());
    } catch (error) {
      toastError(sentenceOf(error), 'Login Failed');
    } finally {
      setPending(false);
    }
  };
  return (
    <Button
      variant="secondary"
      size="lg"
      className="mt-3 w-full"
      pending={pending}
      pendingLabel="Waiting for your passkey…"
      onClick={() => void signIn()}
    >
      Sign in with a passkey
    </Button>
  );
};

/** What follows once the last step of a sign-in is answered. */
export const useGoOn = () => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  return (reply: SignedIn) => {
    if ('newPassword' in reply) {
      toast({ title: 'Please choose a new password', description: 'An administrator asks for it before you sign in.' });
      return navigate(`${paths.resetPassword}?token=${reply.newPassword.token}`);
    }
    toast({ title: 'Login Successful', description: `Welcome back, ${reply.firstName}.` });
    setUser(queryClient, reply);
  };
};

type Props = {
  /** What was typed so far, on either tab. */
  email: string;
  /** Arrives late. */
  invitedEmail?: string;
  onEmail: (email: string) => void;
};

/** The page leads on by itself once there is a user. */
export const SignInForm = ({ email, invitedEmail = '', onEmail }: Props) => {
  const [step, setStep] = useState<SecondStepOf | null>(null);
  const goOn = useGoOn();
  const form = useApiForm({
    schema: async () => (await loadAccounts()).accountsApi.login.body,
    defaultValues: { email, password: '' },
    send: async (body) => {
      demandCookies();
      return request((await loadAccounts()).accountsApi.login, { body });
    },
    onDone: (reply) => ('secondFactor' in reply ? setStep(reply.secondFactor) : goOn(reply)),
    // Only a 401 calls the password wrong: otherwise nobody looked at it.
    failure: (error) => (error.status === 401 ? sentenceOf(error, 'Invalid email or password.') : error.sentence),
    failureTitle: 'Login Failed',
    onFailure: (error) => {
      if (error.code === 'invalid_credentials') form.setFocus('password', { shouldSelect: true });
    },
  });
  const { register, errorOf, getValues, setValue } = form;
  useEffect(() => {
    if (invitedEmail !== '' && getValues('email') === '') setValue('email', invitedEmail);
  }, [invitedEmail, getValues, setValue]);
  if (step) return <SecondStep step={step} onDone={goOn} onBack={() => setStep(null)} />;
  return (
    <>
      <Form form={form} label="Sign in" className="space-y-2">
        <EmailField
          autoComplete="username"
          onFocus={prepareAccounts}
          error={errorOf('email')}
          {...register('email', { onChange: (event: { target: { value: string } }) => onEmail(event.target.value) })}
        />
        <Field label="Password" error={errorOf('password')}>
          <PasswordInput onFocus={prepareAccounts} autoComplete="current-password" {...register('password')} />
        </Field>
        <Button type="submit" size="lg" className="w-full" pending={form.pending} pendingLabel="Signing in…">
          Sign In
        </Button>
      </Form>
      <PasskeyButton onDone={goOn} />
      {/* Outside the form, which its dialog's submit would otherwise reach. */}
      <ForgotPassword email={email} />
    </>
  );
};
