import { Fingerprint } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { SecondStep as SecondStepOf, SignedIn } from '#shared/api/accounts.ts';
import { loadAccounts, prepareAccounts } from '#client/features/accounts/load-accounts.ts';
import { EmailField } from '#client/features/accounts/person-fields.tsx';
import { Or } from '#client/features/accounts/provider-buttons.tsx';
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
      <Fingerprint aria-hidden />
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
  /** Other ways in. */
  children?: ReactNode;
};

/** The page leads on by itself once there is a user. */
export const SignInForm = ({ email, invitedEmail = '', onEmail, children }: Props) => {
  const [step, setStep] = useState<SecondStepOf | null>(null);
  const [forgot, setForgot] = useState({ open: false, times: 0 });
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
        <div className="relative">
          <Field label="Password" error={errorOf('password')}>
            <PasswordInput onFocus={prepareAccounts} autoComplete="current-password" {...register('password')} />
          </Field>
          {/* Beside the label, but after the field for the keyboard. */}
          <Button
            variant="link"
            className="absolute! top-0 right-0 max-sm:-top-5 max-sm:items-end! max-sm:pb-1"
            onPointerEnter={prepareDialog}
            onClick={() => setForgot({ open: true, times: forgot.times + 1 })}
          >
            Forgot Password?
          </Button>
        </div>
        <Button type="submit" size="lg" className="w-full" pending={form.pending} pendingLabel="Signing in…">
          Sign In
        </Button>
      </Form>
      <Or />
      <PasskeyButton onDone={goOn} />
      {children}
      {/* Outside the form, which its submit would otherwise reach. It starts afresh each time. */}
      <ForgotPasswordDialog
        key={forgot.times}
        email={email}
        open={forgot.open}
        onClose={() => setForgot({ ...forgot, open: false })}
      />
    </>
  );
};
