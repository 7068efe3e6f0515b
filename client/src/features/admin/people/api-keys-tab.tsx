import { Check, Copy, KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { apiKeyDays, daysOf, sentences } from '#shared/rules/operators/admin.ts';
import { KeyList } from '#client/features/admin/people/key-list.tsx';
import { copyText } from '#client/lib/forms/copy.ts';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { PersonField } from '#client/features/admin/people/person-picker.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { Field, Form, Input, Select } from '#client/ui/form.tsx';

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
          {done ? 'Copied' : 'Copy key'}
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

export type GeneratedKey = Reply<typeof contract.admin.generateApiKey>;

const toastMs = 10_000;

export const GenerateKeyForm = ({ onMade }: { onMade: (made: GeneratedKey) => void }) => {
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
            label="Expiration (days)"
            error={errorOf('expirationDays')}
            help={`${apiKeyDays.min} to ${apiKeyDays.max}`}
          >
            <Input
              type="number"
              inputMode="numeric"
              min={apiKeyDays.min}
              max={apiKeyDays.max}
              {...days}
              onBlur={(event) => {
                if (event.target.value.trim() === '') setValue('expirationDays', apiKeyDays.usual);
                void days.onBlur(event);
              }}
            />
          </Field>
        </div>
        <Button type="submit" className="mt-3" pending={pending} pendingLabel="Generating…">
          Generate API Key
        </Button>
      </Form>
    </Panel>
  );
};
