import { useEffect, useState } from 'react';
import type { SecondStep as Step, SignedIn } from '#shared/api/accounts.ts';
import { seller } from '#shared/brand.ts';
import { factorsApi } from '#shared/api/factors.ts';
import { rememberDays } from '#shared/rules/people/factors.ts';
import { CodeField, UsePasskey } from '#client/features/accounts/use-passkey.tsx';
import { useApiForm } from '#client/lib/forms/form.ts';
import { request } from '#client/lib/calls/request.ts';
import { Button, TextLink } from '#client/ui/elements.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Form } from '#client/ui/form.tsx';

type Props = { step: Step; onDone: (reply: SignedIn) => void; onBack: () => void };

/** After a correct password: a code, or a passkey. */
export default function SecondStep({ step, onDone, onBack }: Props) {
  const [over, setOver] = useState(false);
  const form = useApiForm({
    schema: factorsApi.signInWithCode.body,
    defaultValues: { code: '', remember: false },
    send: (body) => request(factorsApi.signInWithCode, { body }),
    onDone,
    onFailure: ({ code }) => setOver(code === 'sign_in_again'),
    failure: null,
  });
  const { setFocus } = form;
  useEffect(() => setFocus('code'), [setFocus]);
  return (
    <div className="space-y-4">
      <h2 className="text-base">One more step</h2>
      {step.passkey && (
        <UsePasskey run={async (passkeys) => onDone(await passkeys.signInWithPasskey())} variant="primary" />
      )}
      <Form form={form} label="Second step" className="space-y-2">
        <CodeField app={step.app} error={form.errorOf('code')} {...form.register('code')} />
        <Checkbox label={`Don't ask on this device for ${rememberDays} days`} {...form.register('remember')} />
        <Button type="submit" size="lg" className="w-full" pending={form.pending} pendingLabel="Checking…">
          Continue
        </Button>
      </Form>
      <p className="text-muted">
        No authenticator app or passkey at hand? A recovery code works, too. If you have lost both, write to{' '}
        <TextLink href={`mailto:${seller().supportEmail}`}>{seller().supportEmail}</TextLink>. We can remove them a day
        after we have emailed you.
      </p>
      <p className="text-center">
        <Button variant="link" onClick={onBack}>
          {over ? 'Sign in again' : 'Back to sign in'}
        </Button>
      </p>
    </div>
  );
}
