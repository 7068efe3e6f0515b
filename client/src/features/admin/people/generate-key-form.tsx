import { useState } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { apiKeyDays, daysOf, sentences } from '#shared/rules/operators/admin.ts';
import { type Person, PersonPicker } from '#client/features/admin/people/person-picker.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { Input } from '#client/ui/input.tsx';
import { Select } from '#client/ui/select.tsx';

export type GeneratedKey = Reply<typeof contract.admin.generateApiKey>;

const toastMs = 10_000;

export const GenerateKeyForm = ({ onMade }: { onMade: (made: GeneratedKey) => void }) => {
  const [person, setPerson] = useState<Person | null>(null);
  const tools = useApiQuery(contract.tools.list);
  const form = useApiForm({
    schema: contract.admin.generateApiKey.body,
    defaultValues: { userId: '', toolId: '', expirationDays: apiKeyDays.usual },
    send: (body) => api.admin.generateApiKey({ body }),
    onDone: (made) => {
      onMade(made);
      setPerson(null);
      form.reset();
      toast({ title: 'API Key Generated', description: `${made.apiKey}\n${made.warning}`, duration: toastMs });
    },
    failure: somethingWentWrong,
  });
  const { register, errorOf, pending, setValue, trigger, getValues } = form;
  const choose = (next: Person | null) => {
    setPerson(next);
    setValue('userId', next?.id ?? '', { shouldDirty: true });
    if (next) void trigger('userId');
  };
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
          <Field label="User" error={errorOf('userId')} help="The user must have an active subscription to the tool.">
            <PersonPicker value={person} onChange={choose} />
          </Field>
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
