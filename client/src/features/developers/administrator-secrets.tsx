import type { ManagedTool } from '#shared/api/catalogue.ts';
import { contract } from '#shared/api/index.ts';
import { Secrets } from '#client/features/developers/secrets.tsx';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';

/** For an administrator, who makes the secrets of our own tools and can revoke any. */
export const AdministratorSecrets = ({ tool: { id: toolId, secrets, ownerName } }: { tool: ManagedTool }) => {
  const { mutate, ...revoking } = useApiMutation(contract.catalogue.revokeSecret, { failure: somethingWentWrong });
  const ours = ownerName === null;
  return (
    <Secrets
      secrets={secrets}
      description={
        ours
          ? 'Two of a kind may be live: make the second, move its server to it, then revoke the first.'
          : 'Its maker makes them; you can revoke one that got out.'
      }
      unnamed="Made by a command"
      server="its server"
      revoke={{ ...revoking, send: (id, onSuccess) => mutate({ params: { toolId, id }, body: {} }, { onSuccess }) }}
      make={ours ? (body) => api.catalogue.makeSecret({ params: { toolId }, body }) : null}
    />
  );
};
