import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { sentenceOf } from '#client/lib/calls/api-error.ts';
import { FormError } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';

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
      <FormError>{fault}</FormError>
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
