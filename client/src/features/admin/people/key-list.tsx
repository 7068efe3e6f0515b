import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { ApiKey } from '#shared/api/admin.ts';
import { contract } from '#shared/api/index.ts';
import { adminRefreshMs, apiKeyLimit } from '#shared/rules/operators/admin.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { NothingFound, SearchBox } from '#client/features/admin/search-box.tsx';
import { Cell, Head, Table, TableSkeleton } from '#client/features/admin/table.tsx';
import { useListAddress } from '#client/features/admin/list-address.ts';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { QueryView } from '#client/ui/query-view.tsx';

const lastUse = (key: ApiKey) => (key.lastUsedAt ? formatDay(key.lastUsedAt) : 'Never');

const KeyRow = ({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: (key: ApiKey) => void }) => {
  const expired = apiKey.expiresAt <= businessNow();
  const revoke = (
    <Button
      variant="secondary"
      size="sm"
      aria-label={`Revoke the key of ${apiKey.userName} to ${apiKey.toolName}`}
      onClick={() => onRevoke(apiKey)}
    >
      Revoke
    </Button>
  );
  return (
    <tr>
      <Cell>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="break-words">{apiKey.userName}</span>
          <Badge tone="outline">{apiKey.toolName}</Badge>
          {expired && <Badge tone="warning">Expired</Badge>}
        </p>
        <p className="text-muted [overflow-wrap:anywhere]">{apiKey.userEmail}</p>
        <div className="mt-1 space-y-2 lg:hidden">
          <p className="figures text-xs text-muted">
            <span className="font-mono">{apiKey.token}</span> · created {formatDay(apiKey.createdAt)} · expires{' '}
            {formatDay(apiKey.expiresAt)} · last used {lastUse(apiKey)}
          </p>
          {revoke}
        </div>
      </Cell>
      <Cell className="font-mono whitespace-nowrap text-muted max-lg:hidden">{apiKey.token}</Cell>
      <Cell className="figures whitespace-nowrap text-muted max-lg:hidden">{formatDay(apiKey.createdAt)}</Cell>
      <Cell className="figures whitespace-nowrap text-muted max-lg:hidden">{formatDay(apiKey.expiresAt)}</Cell>
      <Cell className="figures whitespace-nowrap text-muted max-lg:hidden">{lastUse(apiKey)}</Cell>
      <Cell className="text-right max-lg:hidden">{revoke}</Cell>
    </tr>
  );
};

const RevokeKeyDialog = ({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) => {
  const { mutate, isPending } = useApiMutation(contract.admin.revokeApiKey, {
    failure: somethingWentWrong,
    onSuccess: ({ message }) => {
      onClose();
      toast({ title: message, description: `${apiKey.userName}, ${apiKey.toolName}` });
    },
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Revoke this API key?"
      description={`${apiKey.userName} · ${apiKey.userEmail}`}
      keepLabel="Keep key"
      confirmLabel="Revoke key"
      pendingLabel="Revoking…"
      pending={isPending}
      onConfirm={() => mutate({ params: { id: apiKey.id }, body: {} })}
    >
      The key <span className="font-mono">{apiKey.token}</span> stops opening {apiKey.toolName} at once. This cannot be
      undone; you can generate a new key at any time.
    </ConfirmDialog>
  );
};

/** Keys that are not revoked, newest first, with a search by user. */
export const KeyList = () => {
  const search = useListAddress().get('search');
  const [chosen, setChosen] = useState<ApiKey>();
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
            head={
              <>
                <Head>User and tool</Head>
                <Head className="max-lg:hidden">Key</Head>
                <Head className="max-lg:hidden">Created</Head>
                <Head className="max-lg:hidden">Expires</Head>
                <Head className="max-lg:hidden">Last used</Head>
                <Head className="text-right max-lg:hidden">Action</Head>
              </>
            }
          >
            {keys.map((key) => (
              <KeyRow key={key.id} apiKey={key} onRevoke={setChosen} />
            ))}
          </Table>
        )}
      </QueryView>
      {chosen && <RevokeKeyDialog apiKey={chosen} onClose={() => setChosen(undefined)} />}
    </Panel>
  );
};
