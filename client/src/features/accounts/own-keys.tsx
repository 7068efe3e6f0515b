import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import type { OwnApiKey } from '#shared/api/security.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

const KeyRow = ({ apiKey }: { apiKey: OwnApiKey }) => {
  const [asking, setAsking] = useState(false);
  const { mutate, isPending, fault } = useApiMutation(contract.security.revokeApiKey, {
    onSuccess: () => toast({ title: 'API Key Revoked', description: `${apiKey.toolName} can no longer act for you.` }),
    failure: 'Failed to revoke the key. Please try again.',
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <KeyRound aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-medium">
          {apiKey.toolName} <span className="figures text-muted">{apiKey.token}</span>
        </p>
        <p className="figures text-xs text-muted">
          {apiKey.lastUsedAt ? `Last used ${formatDateTime(apiKey.lastUsedAt)}` : 'Never used'} · works until{' '}
          {formatSydneyDate(apiKey.expiresAt)}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Revoke the key to ${apiKey.toolName}`}
        onClick={() => setAsking(true)}
      >
        Revoke
      </Button>
      {asking && (
        <ConfirmDialog
          title="Revoke this API key?"
          keepLabel="Keep it"
          confirmLabel="Revoke key"
          pendingLabel="Revoking…"
          pending={isPending}
          error={fault}
          onClose={() => setAsking(false)}
          onConfirm={() => mutate({ params: { id: apiKey.id } })}
        >
          Whatever uses it stops reaching {apiKey.toolName} at once. Only an administrator can create another.
        </ConfirmDialog>
      )}
    </li>
  );
};

/** Keys that an administrator made, with which a tool acts for this person. */
export const OwnKeys = () => (
  <QueryView
    query={useApiQuery(contract.security.apiKeys)}
    failedTitle="Your API keys could not be loaded"
    loading={<Loading label="Loading your API keys" className="space-y-3 py-3" skeletons={['h-10']} />}
  >
    {(keys) =>
      keys.length === 0 ? (
        <p className="py-2 text-sm text-muted">You have no API keys.</p>
      ) : (
        <ul aria-label="API keys" className="divide-y">
          {keys.map((apiKey) => (
            <KeyRow key={apiKey.id} apiKey={apiKey} />
          ))}
        </ul>
      )
    }
  </QueryView>
);
