import type { Identity } from '#shared/api/identities.ts';
import { contract } from '#shared/api/members.ts';
import { type IdentityProvider, identityProviderNames, identityProviders } from '#shared/rules/people/identities.ts';
import { leaveFor } from '#client/features/accounts/at-provider.ts';
import { ProviderButton } from '#client/features/accounts/provider-buttons.tsx';
import { Setting } from '#client/features/accounts/security-parts.tsx';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { signInWith } from '#client/lib/session/claims.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { ConfirmButton } from '#client/ui/dialog.tsx';
import { Alert, Button } from '#client/ui/elements.tsx';
import { Row } from '#client/ui/list.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const Connect = ({ provider }: { provider: IdentityProvider }) => {
  const { mutate, isPending } = useApiMutation(contract.identities.connect, {
    onSuccess: ({ url }) => leaveFor(url, paths.security),
    failure: 'Failed to connect. Please try again.',
  });
  const name = identityProviderNames[provider];
  return (
    <Button
      variant="secondary"
      size="sm"
      aria-label={`Connect ${name}`}
      pending={isPending}
      pendingLabel="Connecting…"
      onClick={() => mutate({ body: { provider } })}
    >
      Connect
    </Button>
  );
};

const Disconnect = ({ identity: { id, provider } }: { identity: Identity }) => {
  const name = identityProviderNames[provider];
  const remove = useApiMutation(contract.identities.remove, {
    onSuccess: ({ message }) => toast({ title: `${name} Disconnected`, description: message }),
    failure: 'Failed to disconnect. Please try again.',
  });
  return (
    <ConfirmButton
      button="Disconnect"
      look={{ 'aria-label': `Disconnect ${name}` }}
      title={`Disconnect ${name}?`}
      keepLabel="Keep it"
      confirmLabel="Disconnect"
      pendingLabel="Disconnecting…"
      mutation={remove}
      onConfirm={() => remove.mutate({ params: { id } })}
    >
      {name} will no longer sign you in. Your password will.
    </ConfirmButton>
  );
};

/** Microsoft and Google accounts that sign the person in, where we offer them. */
export const Identities = () => (
  <Setting
    title="Microsoft and Google"
    description="Sign in with an account there that has the same email address, instead of your password."
  >
    <QueryView
      query={useApiQuery(contract.identities.list)}
      failedTitle="Your connected accounts could not be loaded"
      loading={<Loading label="Loading your connected accounts" className="space-y-3" skeletons={['h-10', 'h-10']} />}
    >
      {({ identities, demandedBy }) => {
        const connected = (provider: IdentityProvider) => identities.find((one) => one.provider === provider);
        const shown = identityProviders.filter((one) => signInWith().includes(one) || connected(one));
        return (
          <>
            {demandedBy.map((team) => (
              <Alert key={team} tone="warning" className="mb-3">
                {team} asks you to sign in with its Microsoft account. Its tools open once you have.
                {connected('microsoft') && <ProviderButton provider="microsoft" returnTo={paths.security} />}
              </Alert>
            ))}
            <ul aria-label="Microsoft and Google" className="divide-y">
              {shown.map((provider) => {
                const identity = connected(provider);
                return (
                  <Row
                    key={provider}
                    basis="basis-40"
                    icon={<img src={`/${provider}.svg`} alt="" className="size-5 shrink-0" />}
                    title={identityProviderNames[provider]}
                    action={identity ? <Disconnect identity={identity} /> : <Connect provider={provider} />}
                  >
                    <p className="figures text-xs text-muted">
                      {identity ? `Connected ${formatDateTime(identity.createdAt)}` : 'Not connected'}
                    </p>
                  </Row>
                );
              })}
            </ul>
          </>
        );
      }}
    </QueryView>
  </Setting>
);
