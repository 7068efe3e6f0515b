import { KeyRound, SearchX } from 'lucide-react';
import { useState } from 'react';
import type { ApiKey } from '#shared/api/admin.ts';
import { contract } from '#shared/api/index.ts';
import { adminRefreshMs, apiKeyLimit } from '#shared/rules/admin.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { RevokeKeyDialog } from '#client/features/admin/revoke-key-dialog.tsx';
import { SearchBox } from '#client/features/admin/search-box.tsx';
import { Cell, Head, Table, TableSkeleton } from '#client/features/admin/table.tsx';
import { useAddress } from '#client/features/admin/use-address.ts';
import { businessNow } from '#client/lib/business-time.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Card, CardHeader } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';

const lastUse = (key: ApiKey) => (key.lastUsedAt ? formatSydneyDate(key.lastUsedAt) : 'Never');

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
            <span className="font-mono">{apiKey.token}</span> · created {formatSydneyDate(apiKey.createdAt)} · expires{' '}
            {formatSydneyDate(apiKey.expiresAt)} · last used {lastUse(apiKey)}
          </p>
          {revoke}
        </div>
      </Cell>
      <Cell className="font-mono whitespace-nowrap text-muted max-lg:hidden">{apiKey.token}</Cell>
      <Cell className="figures whitespace-nowrap text-muted max-lg:hidden">{formatSydneyDate(apiKey.createdAt)}</Cell>
      <Cell className="figures whitespace-nowrap text-muted max-lg:hidden">{formatSydneyDate(apiKey.expiresAt)}</Cell>
      <Cell className="figures whitespace-nowrap text-muted max-lg:hidden">{lastUse(apiKey)}</Cell>
      <Cell className="text-right max-lg:hidden">{revoke}</Cell>
    </tr>
  );
};

/** All keys that are not revoked (B §2), newest first, with a search by their user. */
export const KeyList = () => {
  const { get, set } = useAddress();
  const search = get('search');
  const [chosen, setChosen] = useState<ApiKey>();
  const { data, error, refetch, isFetching, isPlaceholderData } = useApiQuery(
    contract.admin.apiKeys,
    { query: search === '' ? {} : { search } },
    { refetchInterval: adminRefreshMs, keepPrevious: true },
  );
  const content = () => {
    if (!data && error)
      return (
        <ErrorState message={error.sentence} requestId={error.requestId} onRetry={refetch} retrying={isFetching} />
      );
    if (!data) return <TableSkeleton label="Loading API keys" rows={4} />;
    if (data.length === 0)
      return search === '' ? (
        <EmptyState
          icon={<KeyRound />}
          title="No API keys found"
          description="Generate one above: choose a user and a tool."
        />
      ) : (
        <EmptyState
          icon={<SearchX />}
          title="No API keys found"
          description={`No user with a key was found for “${search}”.`}
          action={
            <Button variant="secondary" onClick={() => set({ search: '' })}>
              Clear Search
            </Button>
          }
        />
      );
    return (
      <Table
        caption="API keys"
        stale={isPlaceholderData}
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
        {data.map((key) => (
          <KeyRow key={key.id} apiKey={key} onRevoke={setChosen} />
        ))}
      </Table>
    );
  };
  return (
    <Card>
      <CardHeader
        title="API keys"
        description={
          data && data.length >= apiKeyLimit
            ? `The newest ${apiKeyLimit} are shown. Search for a user to find others.`
            : 'Each works until it expires, is revoked, or its user loses access to the tool.'
        }
        action={
          <SearchBox
            label="Search by name or email"
            value={search}
            onSearch={(text) => set({ search: text }, search !== '' && text !== '')}
          />
        }
      />
      <div className="mt-4">{content()}</div>
      {chosen && <RevokeKeyDialog apiKey={chosen} onClose={() => setChosen(undefined)} />}
    </Card>
  );
};
