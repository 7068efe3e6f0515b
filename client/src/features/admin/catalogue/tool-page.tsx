import { type ReactNode, useState } from 'react';
import * as z from 'zod';
import type { ManagedTool } from '#shared/api/operators/catalogue.ts';
import { contract } from '#shared/api/index.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { toolSettingNames } from '#shared/rules/tools/tool-settings.ts';
import { refetchChangedBy, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { Administrators } from '#client/features/admin/people/administrators.tsx';
import { ToolPricePanel } from '#client/features/admin/catalogue/tool-price.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { useTabInAddress } from '#client/lib/pages/tab-in-address.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Badge, BackLink, PageHeader, Panel } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { ActForm, closeAndTell } from '#client/features/admin/act-form.tsx';
import { asTyped, ToolFields, typedSettings } from '#client/features/admin/catalogue/tool-fields.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { dotted, formatDateTime, sentenceCase } from '#client/lib/words/format.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';
import { DialogButton } from '#client/ui/dialog.tsx';

type MakersParts = {
  /** The form in which a tool's maker answers for it; shown for our own tools, whose maker we are. */
  dueDiligence: (toolId: string) => ReactNode;
  announcements: (tool: ManagedTool) => ReactNode;
  recalls: (toolId: string) => ReactNode;
  secrets: (tool: ManagedTool) => ReactNode;
};

const tabs = [
  { value: 'overview', label: 'Overview' },
  { value: 'due-diligence', label: 'Due diligence' },
  { value: 'versions', label: 'Versions and recalls' },
  { value: 'secrets', label: 'Secrets' },
] as const;
/** Another's tool is answered for by its maker. */
const tabsOf = ({ ownerName }: ManagedTool) =>
  tabs.filter(({ value }) => ownerName === null || value !== 'due-diligence');

const State = ({ tool: { settings, closedAt } }: { tool: ManagedTool }) => {
  if (closedAt) return <Badge tone="warning">Closed to new subscribers</Badge>;
  return settings.comingSoon ? <Badge tone="info">Coming soon</Badge> : <Badge tone="success">On sale</Badge>;
};

const ToolView = ({ id, dueDiligence, announcements, recalls, secrets }: { id: string } & MakersParts) => {
  const tool = useFreshQuery(contract.catalogue.tool, { params: { toolId: id } });
  const [tab, openTab] = useTabInAddress(tabs);
  useTitle(tool.data?.settings.name ?? 'Tool');
  return (
    <>
      <BackLink href={paths.desk('catalogue')}>Catalogue</BackLink>
      <PageHeader
        title={tool.data?.settings.name ?? 'Tool'}
        description={dotted([`Tool ID ${id}`, tool.data?.ownerName != null && `made by ${tool.data.ownerName}`])}
        badges={tool.data && <State tool={tool.data} />}
      />
      <QueryView
        query={tool}
        failedTitle="This tool could not be loaded"
        framedFailure
        loading={<Loading label="Loading the tool" className="grid gap-6" skeletons={['h-96', 'h-40']} />}
      >
        {(loaded) => (
          <Tabs label="Sections" tabs={tabsOf(loaded)} value={tab} onValueChange={openTab}>
            <TabPanel
              value="overview"
              className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]"
            >
              <ToolSettingsPanel tool={loaded} />
              <div className="grid grid-cols-1 gap-6">
                {id !== lostMoneyTool && <ToolPricePanel toolId={id} />}
                <ToolHistory history={loaded.history} />
              </div>
            </TabPanel>
            <TabPanel value="due-diligence">{loaded.ownerName === null && dueDiligence(id)}</TabPanel>
            <TabPanel value="versions" className="grid grid-cols-1 gap-6">
              {announcements(loaded)}
              {recalls(id)}
            </TabPanel>
            <TabPanel value="secrets">{secrets(loaded)}</TabPanel>
          </Tabs>
        )}
      </QueryView>
    </>
  );
};

export const ToolPage = ({ params, ...parts }: { params: Record<string, string> } & MakersParts) => (
  <Administrators>
    <ToolView key={params['toolId']} id={params['toolId'] ?? ''} {...parts} />
  </Administrators>
);

const typed = typedSettings.extend({ comingSoon: z.boolean() });

const ChangeTool = ({ tool, onClose }: { tool: ManagedTool; onClose: () => void }) => {
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
    onDone: closeAndTell(onClose, { title: 'Tool changed' }),
    onFailure: ({ code }) => {
      if (code === 'tool_changed') void refetchChangedBy(contract.catalogue.changeTool);
    },
  });
  return (
    <ActForm
      form={form}
      label={`Settings of ${started.name}`}
      className="space-y-2"
      help={tool.ownerName === null ? 'It stays in the history.' : 'It stays in the history, and its maker reads it.'}
      rows={2}
      pendingLabel="Saving…"
      button="Save changes"
      onClose={onClose}
    >
      <ToolFields form={form} look={{ icon: form.watch('icon'), name: form.watch('name') }} />
      <Checkbox label="Coming soon: listed, but nobody can subscribe yet" {...form.register('comingSoon')} />
    </ActForm>
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

/** What we say about a tool. */
const ToolSettingsPanel = ({ tool }: { tool: ManagedTool }) => {
  const { settings } = tool;
  const rows = [
    ['Short description', settings.description],
    ['Long description', settings.about],
    ['Who it’s for', settings.audience],
    ['Features', pointsOf(settings.features)],
    ['Benefits', pointsOf(settings.benefits)],
    ['Minutes saved per session', settings.minutesSaved],
    ['Address', settings.domain],
    ['Events endpoint', settings.eventsUrl],
  ] as const;
  return (
    <Panel
      title="Details"
      description="Changes go live straight away."
      icon={<ToolIcon icon={settings.icon} />}
      action={
        <DialogButton
          size="lg"
          title={`Change ${settings.name}`}
          description="Only the fields you change are saved."
          button="Edit…"
        >
          {(close) => <ChangeTool tool={tool} onClose={close} />}
        </DialogButton>
      }
    >
      <dl className="space-y-3 text-sm">
        {rows.map(([label, value]) => (
          <div key={label} className="grid gap-x-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere] whitespace-pre-line">{value || '–'}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
};

const ToolHistory = ({ history }: Pick<ManagedTool, 'history'>) => (
  <Panel title="History" description={history.length > 0 && 'The newest first'}>
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
      <p className="text-sm text-muted">No changes to details yet.</p>
    )}
  </Panel>
);
