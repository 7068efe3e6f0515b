import { type ComponentProps, useState } from 'react';
import { Fingerprint } from 'lucide-react';
import { sentenceOf } from '#client/lib/calls/api-error.ts';
import { Button, FormError } from '#client/ui/elements.tsx';
import { Field, Input } from '#client/ui/field.tsx';

const load = () => import('#client/features/accounts/passkeys.ts');
type Props = {
  run: (passkeys: Awaited<ReturnType<typeof load>>) => Promise<unknown>;
  variant?: 'primary' | 'secondary';
};

/** A button that asks the browser for a passkey. Its code loads on the first press; a failure shows above it. */
export const UsePasskey = ({ run, variant = 'secondary' }: Props) => {
  const [pending, setPending] = useState(false);
  const [fault, setFault] = useState<string>();
  const press = async () => {
    setPending(true);
    setFault(undefined);
    try {
      await run(await load());
    } catch (error) {
      setFault(sentenceOf(error));
    } finally {
      setPending(false);
    }
  };
  return (
    <div>
      <FormError className="mb-4">{fault}</FormError>
      <Button
        variant={variant}
        size="lg"
        className="w-full"
        pending={pending}
        pendingLabel="Waiting for your passkey…"
        onClick={() => void press()}
      >
        <Fingerprint aria-hidden />
        Use a passkey
      </Button>
    </div>
  );
};

type CodeProps = ComponentProps<'input'> & { app: boolean; error: string | undefined; help?: string };

/** A code from an authenticator app, or a recovery code in its place. */
export const CodeField = ({
  app,
  error,
  help = 'Six digits from your app, or a recovery code',
  ...rest
}: CodeProps) => (
  <Field label={app ? 'Code' : 'Recovery code'} error={error} help={app ? help : undefined}>
    <Input autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} {...rest} />
  </Field>
);
