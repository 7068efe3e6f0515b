import { useState } from 'react';
import { type IdentityProvider, identityProviderNames } from '#shared/rules/people/identities.ts';
import { sentenceOf } from '#client/lib/calls/api-error.ts';
import { signInWith } from '#client/lib/session/claims.ts';
import { demandCookies } from '#client/lib/session/session.ts';
import { toastError } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/elements.tsx';

type Props = { returnTo: string | null; verb?: 'Sign in' | 'Continue' };
type ButtonProps = Props & { provider: IdentityProvider };

/** Leaves the page for Microsoft or Google, and comes back to `/auth/PROVIDER`. */
export const ProviderButton = ({ provider, returnTo, verb = 'Sign in' }: ButtonProps) => {
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
      {verb} with {name}
    </Button>
  );
};

/** Between a form and the other ways in. */
export const Or = () => (
  <p className="mt-5 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
    or
  </p>
);

/** Nothing where nobody else signs people in. */
export const ProviderButtons = (props: Props) =>
  signInWith().map((provider) => <ProviderButton key={provider} {...props} provider={provider} />);
