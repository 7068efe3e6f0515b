import { useState } from 'react';
import * as z from 'zod';
import type { ManagedTool } from '#shared/api/catalogue.ts';
import { contract } from '#shared/api/index.ts';
import { toolSettingNames } from '#shared/rules/tools/tool-settings.ts';
import { asTyped, ToolFields, typedSettings } from '#client/features/admin/catalogue/tool-fields.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDateTime, sentenceCase } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { refetchChangedBy } from '#client/lib/calls/write.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { FormFooter } from '#client/ui/form-footer.tsx';
import { Textarea } from '#client/ui/input.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

const typed = typedSettings.extend({ comingSoon: z.boolean() });

const ChangeTool = ({ tool, onDone }: { tool: ManagedTool; onDone: () => void }) => {
  // As they were when the form opened: what somebody else changes meanwhile must not count as changed here.
  const [started] = useState(tool.settings);
  const form = useApiForm({
    schema: typed,
    defaultValues: { ...asTyped(tool.settings), comingSoon: tool.settings.comingSoon },
    send: ({ reason, ...settings }) => {
      const changed = Object.entries(settings).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(started[name as keyof typeof started]),
      );
      return api.catalogue.changeTool({
        params: { toolId: tool.id },
        body: { ...Object.fromEntries(changed), version: tool.version, reason },
      });
    },
    onDone: ({ message }) => {
      onDone();
      toast({ title: 'Tool changed', description: message });
    },
    onFailure: ({ code }) => {
      if (code === 'tool_changed') void refetchChangedBy(contract.catalogue.changeTool);
    },
    failure: somethingWentWrong,
  });
  const { register, errorOf } = form;
  return (
    <Form form={form} label={`Settings of ${started.name}`} className="space-y-2">
      <ToolFields form={form} look={{ icon: form.watch('icon'), name: form.watch('name') }} />
      <Checkbox label="Coming soon: listed, but nobody can subscribe yet" {...register('comingSoon')} />
      <Field
        label="Reason"
        help={tool.ownerName === null ? 'It stays in the history.' : 'It stays in the history, and its maker reads it.'}
        error={errorOf('reason')}
      >
        <Textarea rows={2} {...register('reason')} />
      </Field>
      <FormFooter form={form} onCancel={onDone} pendingLabel="Saving…">
        Save changes
      </FormFooter>
    </Form>
  );
};

const pointsOf = (items: readonly string[]) =>
  items.length > 0 && (
    <ul className="list-disc pl-5">
      {items.map((item, index) => (
        <li key={index}>{item}</li>
      ))}
    </ul>
  );

/** What we say about a tool. Everybody sees a change at once. */
export const ToolSettingsPanel = ({ tool }: { tool: ManagedTool }) => {
  const [changing, setChanging] = useState(false);
  const { settings, ownerName } = tool;
  const rows = [
    ['Short description', settings.description],
    ['Long description', settings.about],
    ['Whom it is for', settings.audience],
    ['Features', pointsOf(settings.features)],
    ['Benefits', pointsOf(settings.benefits)],
    ['Minutes saved by a session', settings.minutesSaved],
    ['Address', settings.domain],
    ['Events endpoint', settings.eventsUrl],
  ] as const;
  return (
    <Panel
      title="What it says"
      description="A change holds at once, for everybody"
      action={
        <Button variant="secondary" size="sm" onClick={() => setChanging(true)}>
          Change settings…
        </Button>
      }
    >
      <p className="mb-4 flex flex-wrap items-center gap-3">
        <ToolIcon icon={settings.icon} />
        <span className="font-medium [overflow-wrap:anywhere]">{settings.name}</span>
        {settings.comingSoon && <Badge tone="info">Coming soon</Badge>}
        {tool.closedAt && <Badge tone="warning">Closed to new subscribers</Badge>}
        <span className="text-sm text-muted">{ownerName === null ? 'Our own' : `Made by ${ownerName}`}</span>
      </p>
      <dl className="space-y-3 text-sm">
        {rows.map(([label, value]) => (
          <div key={label} className="grid gap-x-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere] whitespace-pre-line">{value || '–'}</dd>
          </div>
        ))}
      </dl>
      <Dialog
        size="lg"
        open={changing}
        onOpenChange={setChanging}
        title={`Change ${settings.name}`}
        description="What you leave as it is stays as it is, whoever else changes it meanwhile."
      >
        {changing && <ChangeTool tool={tool} onDone={() => setChanging(false)} />}
      </Dialog>
    </Panel>
  );
};

export const ToolHistory = ({ history }: Pick<ManagedTool, 'history'>) => (
  <Panel title="What was changed" description="Its settings, the newest change first; prices are listed with the price">
    {history.length > 0 ? (
      <ul aria-label="Changes of its settings" className="divide-y text-sm">
        {history.map(({ id, by, reason, createdAt, changes }) => (
          <li key={id} className="py-3 [overflow-wrap:anywhere]">
            <p className="figures text-xs text-muted">
              {by} · {formatDateTime(createdAt)} · {reason}
            </p>
            <dl className="mt-1 space-y-1">
              {changes.map(({ setting, before, after }) => (
                <div key={setting}>
                  <dt className="inline font-medium">{sentenceCase(toolSettingNames[setting])}: </dt>
                  <dd className="inline">
                    {before} → {after}
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    ) : (
      <EmptyState title="Nothing was changed yet" description="It says what it said when it was first listed." />
    )}
  </Panel>
);
