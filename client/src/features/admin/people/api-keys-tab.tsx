import { Check, Copy, KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { adminRefreshMs, apiKeyDays, apiKeyLimit, daysOf, sentences } from '#shared/rules/operators/admin.ts';
import type { ApiKey } from '#shared/api/operators/admin.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { copyText } from '#client/lib/forms/copy.ts';
import { Badge, Button, Panel, Text } from '#client/ui/elements.tsx';
import { PersonField } from '#client/features/admin/people/person-picker.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { Field, Input, Select } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { formatDay } from '#client/lib/words/format.ts';
import { Cell, NothingFound, SearchBox, Table, TableSkeleton, useListAddress } from '#client/features/admin/lists.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';
import { EmptyState, QueryView } from '#client/ui/query-view.tsx';
import { ConfirmButton } from '#client/ui/dialog.tsx';

const NewKey = ({ made, onDone }: { made: GeneratedKey; onDone: () => void }) => {
  const [copied, setCopied] = useState<string>();
  const key = useRef<HTMLInputElement>(null);
  useEffect(() => key.current?.focus(), []);
  const copy = async () => {
    if (await copyText(made.apiKey, 'The key is selected: copy it yourself.')) setCopied(made.apiKey);
    else key.current?.select();
  };
  const done = copied === made.apiKey;
  return (
    <Panel
      title="API Key Generated"
      description={`For ${made.userEmail}`}
      icon={<KeyRound aria-hidden className="mt-1 size-4 text-success" />}
      action={
        <Button variant="secondary" size="sm" onClick={onDone}>
          Done
        </Button>
      }
      className="border-success"
      bodyClassName="pt-4"
    >
      <div className="flex flex-wrap gap-2">
        <input
          ref={key}
          readOnly
          aria-label="New API key"
          aria-describedby="new-key-warning"
          value={made.apiKey}
          onFocus={(event) => event.target.select()}
          className="h-9 min-w-0 flex-1 basis-64 rounded border border-control bg-surface-subtle px-3 font-mono text-sm"
        />
        <Button onClick={() => void copy()}>
          {done ? <Check aria-hidden /> : <Copy aria-hidden />}
          <Text>{done ? 'Copied' : 'Copy key'}</Text>
        </Button>
      </div>
      <p id="new-key-warning" className="mt-2 text-sm text-warning">
        {made.warning}
      </p>
      <output className="sr-only">{done ? 'The key was copied.' : ''}</output>
    </Panel>
  );
};

/** A new key stays on the screen until it is dismissed. */
export const ApiKeysTab = () => {
  const [made, setMade] = useState<GeneratedKey>();
  return (
    <div className="space-y-6">
      {made && <NewKey key={made.apiKey} made={made} onDone={() => setMade(undefined)} />}
      <GenerateKeyForm onMade={setMade} />
      <KeyList />
    </div>
  );
};

type GeneratedKey = Reply<typeof contract.admin.generateApiKey>;

const toastMs = 10_000;

const GenerateKeyForm = ({ onMade }: { onMade: (made: GeneratedKey) => void }) => {
  const tools = useApiQuery(contract.tools.list);
  const form = useApiForm({
    schema: contract.admin.generateApiKey.body,
    defaultValues: { userId: '', toolId: '', expirationDays: apiKeyDays.usual },
    send: (body) => api.admin.generateApiKey({ body }),
    onDone: (made) => {
      onMade(made);
      form.reset();
      toast({ title: 'API Key Generated', description: `${made.apiKey}\n${made.warning}`, duration: toastMs });
    },
  });
  const { register, errorOf, pending, setValue, getValues } = form;
  const submit = (event: React.SyntheticEvent) => {
    const { userId, toolId } = getValues();
    if (userId === '' || toolId === '') toastError(sentences.keyIncomplete);
    form.onSubmit(event);
  };
  const days = register('expirationDays', { setValueAs: (typed: unknown) => daysOf(String(typed)) });
  return (
    <Panel title="Generate API key" description="A key opens one tool for one user, without a browser.">
      <Form form={form} label="Generate API key" onSubmit={submit}>
        <div className="grid items-start gap-x-4 gap-y-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1.5fr)_9rem]">
          <PersonField form={form} label="User" help="The user must have an active subscription to the tool." />
          <Field
            label="Tool"
            aside={
              tools.error &&
              !tools.data && (
                <Button variant="link" pending={tools.isFetching} onClick={() => void tools.refetch()}>
                  Try again
                </Button>
              )
            }
            error={errorOf('toolId') ?? (tools.error && !tools.data ? tools.error.sentence : undefined)}
          >
            <Select
              placeholder={tools.isPending ? 'Loading…' : 'Select a tool'}
              options={(tools.data ?? [])
                .filter((tool) => !tool.comingSoon)
                .map((tool) => ({ value: tool.id, label: tool.name }))}
              {...register('toolId')}
            />
          </Field>
          <Field
            label="Expires after (days)"
            error={errorOf('expirationDays')}
            help={`${apiKeyDays.min} to ${apiKeyDays.max}`}
          >
            <Input
              inputMode="numeric"
              {...days}
              onBlur={(event) => {
                if (event.target.value.trim() === '') setValue('expirationDays', apiKeyDays.usual);
                void days.onBlur(event);
              }}
            />
          </Field>
        </div>
        <Button type="submit" className="mt-3" pending={pending} pendingLabel="Generating…">
          Generate API key
        </Button>
      </Form>
    </Panel>
  );
};

const lastUse = (key: ApiKey) => (key.lastUsedAt ? formatDay(key.lastUsedAt) : 'Never');

const Revoke = ({ apiKey }: { apiKey: ApiKey }) => {
  const about = `${apiKey.userName}, ${apiKey.toolName}`;
  const revoke = useApiMutation(contract.admin.revokeApiKey, {
    onSuccess: ({ message }) => toast({ title: message, description: about }),
  });
  return (
    <ConfirmButton
      mutation={revoke}
      onConfirm={(close) => revoke.mutate({ params: { id: apiKey.id } }, { onSuccess: close })}
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
        <span className="[overflow-wrap:anywhere]">{apiKey.userName}</span>
        <Badge tone="outline">{apiKey.toolName}</Badge>
        {apiKey.expiresAt <= businessNow() && <Badge tone="warning">Expired</Badge>}
      </p>
      <p className="text-muted [overflow-wrap:anywhere]">{apiKey.userEmail}</p>
      <div className="mt-1 space-y-2 lg:hidden">
        <p className="figures text-xs text-muted">
          <span className="font-mono">{apiKey.token}</span> · created {formatDay(apiKey.createdAt)} · expires{' '}
          {formatSydneyDate(apiKey.expiresAt)} · last used {lastUse(apiKey)}
        </p>
        <Revoke apiKey={apiKey} />
      </div>
    </Cell>
    <Cell className="font-mono whitespace-nowrap text-muted max-lg:hidden">{apiKey.token}</Cell>
    <Cell className={quiet}>{formatDay(apiKey.createdAt)}</Cell>
    <Cell className={quiet}>{formatSydneyDate(apiKey.expiresAt)}</Cell>
    <Cell className={quiet}>{lastUse(apiKey)}</Cell>
    <Cell className="text-right max-lg:hidden">
      <Revoke apiKey={apiKey} />
    </Cell>
  </tr>
);

/** Keys that are not revoked, newest first, with a search by user. */
const KeyList = () => {
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
          : 'A key works until it expires, you revoke it, or its user loses the tool.'
      }
      action={(search !== '' || query.data?.length !== 0) && <SearchBox />}
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
              description="Choose a user and a tool above to generate the first."
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
