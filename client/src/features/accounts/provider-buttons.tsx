import { useState } from 'react';
import { type IdentityProvider, identityProviderNames } from '#shared/rules/people/identities.ts';
import { sentenceOf } from '#client/lib/calls/api-error.ts';
import { signInWith } from '#client/lib/session/claims.ts';
import { demandCookies } from '#client/lib/session/session.ts';
import { toastError } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/elements.tsx';

/** Leaves the page for Microsoft or Google, and comes back to `/auth/PROVIDER`. */
export const ProviderButton = ({ provider, returnTo }: { provider: IdentityProvider; returnTo: string | null }) => {
  const [pending, setPending] = useState(false);
  const leave = async () => {
    setPending(true);
    try {
      demandCookies();
      await (await import('#client/features/accounts/at-provider.ts')).signInAt(provider, returnTo);
    } catch (error) {
      toastError(sentenceOf(error), 'Login Failed');
    } finally {
      setPending(false);
    }
  };
  const name = identityProviderNames[provider];
  return (
    <Button
      variant="secondary"
      size="lg"
      className="mt-3 w-full"
      pending={pending}
      pendingLabel={`Opening ${name}…`}
      onClick={() => void leave()}
    >
      <img src={`/${provider}.svg`} alt="" className="size-5" />
      Sign in with {name}
    </Button>
  );
};

/** Below the forms of both tabs; nothing where nobody else signs people in. */
export const ProviderButtons = ({ returnTo }: { returnTo: string | null }) =>
  signInWith().length > 0 && (
    <>
      <p className="mt-5 text-center text-sm text-muted">or</p>
      {signInWith().map((provider) => (
        <ProviderButton key={provider} provider={provider} returnTo={returnTo} />
      ))}
    </>
  );
