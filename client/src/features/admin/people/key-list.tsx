import { KeyRound } from 'lucide-react';
import type { ApiKey } from '#shared/api/admin.ts';
import { contract } from '#shared/api/index.ts';
import { adminRefreshMs, apiKeyLimit } from '#shared/rules/operators/admin.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { Cell, NothingFound, SearchBox, Table, TableSkeleton, useListAddress } from '#client/features/admin/lists.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState, QueryView } from '#client/ui/query-view.tsx';
import { ConfirmButton } from '#client/ui/confirm-dialog.tsx';

const lastUse = (key: ApiKey) => (key.lastUsedAt ? formatDay(key.lastUsedAt) : 'Never');

const Revoke = ({ apiKey }: { apiKey: ApiKey }) => {
  const about = `${apiKey.userName}, ${apiKey.toolName}`;
  const revoke = useApiMutation(contract.admin.revokeApiKey, {
    onSuccess: ({ message }) => toast({ title: message, description: about }),
  });
  return (
    <ConfirmButton
      mutation={revoke}
      onConfirm={(close) => revoke.mutate({ params: { id: apiKey.id }, body: {} }, { onSuccess: close })}
      title="Revoke this API key?"
      description={`${apiKey.userName} · ${apiKey.userEmail}`}
      keepLabel="Keep key"
      confirmLabel="Revoke key"
      pendingLabel="Revoking…"
      button="Revoke"
      look={{ 'aria-label': `Revoke the key of ${apiKey.userName} to ${apiKey.toolName}` }}
    >
      The key <span className="font-mono">{apiKey.token}</span> stops opening {apiKey.toolName} at once. This cannot be
      undone; you can generate a new key at any time.
    </ConfirmButton>
  );
};

const quiet = 'figures whitespace-nowrap text-muted max-lg:hidden';

const KeyRow = ({ apiKey }: { apiKey: ApiKey }) => (
  <tr>
    <Cell>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
        <span className="break-words">{apiKey.userName}</span>
        <Badge tone="outline">{apiKey.toolName}</Badge>
        {apiKey.expiresAt <= businessNow() && <Badge tone="warning">Expired</Badge>}
      </p>
      <p className="text-muted [overflow-wrap:anywhere]">{apiKey.userEmail}</p>
      <div className="mt-1 space-y-2 lg:hidden">
        <p className="figures text-xs text-muted">
          <span className="font-mono">{apiKey.token}</span> · created {formatDay(apiKey.createdAt)} · expires{' '}
          {formatDay(apiKey.expiresAt)} · last used {lastUse(apiKey)}
        </p>
        <Revoke apiKey={apiKey} />
      </div>
    </Cell>
    <Cell className="font-mono whitespace-nowrap text-muted max-lg:hidden">{apiKey.token}</Cell>
    <Cell className={quiet}>{formatDay(apiKey.createdAt)}</Cell>
    <Cell className={quiet}>{formatDay(apiKey.expiresAt)}</Cell>
    <Cell className={quiet}>{lastUse(apiKey)}</Cell>
    <Cell className="text-right max-lg:hidden">
      <Revoke apiKey={apiKey} />
    </Cell>
  </tr>
);

/** Keys that are not revoked, newest first, with a search by user. */
export const KeyList = () => {
  const search = useListAddress().get('search');
  const query = useApiQuery(
    contract.admin.apiKeys,
    { query: search === '' ? {} : { search } },
    { refetchInterval: adminRefreshMs, keepPrevious: true },
  );
  return (
    <Panel
      title="API keys"
      description={
        query.data && query.data.length >= apiKeyLimit
          ? `The newest ${apiKeyLimit} are shown. Search for a user to find others.`
          : 'Each works until it expires, is revoked, or its user loses access to the tool.'
      }
      action={<SearchBox />}
      bodyClassName="mt-4 p-0!"
    >
      <QueryView
        query={query}
        failedTitle="The API keys could not be loaded"
        loading={<TableSkeleton label="Loading API keys" rows={4} />}
        empty={
          search === '' ? (
            <EmptyState
              icon={<KeyRound />}
              title="No API keys found"
              description="Generate one above: choose a user and a tool."
            />
          ) : (
            <NothingFound title="No API keys found" description={`No user with a key was found for “${search}”.`} />
          )
        }
      >
        {(keys) => (
          <Table
            caption="API keys"
            stale={query.isPlaceholderData}
            columns={[
              ['User and tool'],
              ['Key', 'max-lg:hidden'],
              ['Created', 'max-lg:hidden'],
              ['Expires', 'max-lg:hidden'],
              ['Last used', 'max-lg:hidden'],
              ['Action', 'text-right max-lg:hidden'],
            ]}
          >
            {keys.map((key) => (
              <KeyRow key={key.id} apiKey={key} />
            ))}
          </Table>
        )}
      </QueryView>
    </Panel>
  );
};
