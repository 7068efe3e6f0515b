import { useLocation } from 'wouter';
import type { OfferedTool } from '#shared/api/publications.ts';
import { contract } from '#shared/api/index.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { ActForm, ReasonForm } from '#client/features/admin/act-form.tsx';
import { blankSettings, ToolFields, typedSettings } from '#client/features/admin/catalogue/tool-fields.tsx';
import { typedPrice } from '#client/lib/forms/typed-price.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Badge, Panel, TextLink, Text } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { TextField } from '#client/ui/form.tsx';
import { DialogButton } from '#client/ui/dialog.tsx';
import { Row, ScrollList } from '#client/ui/list.tsx';

const words = {
  close: {
    verb: 'Close',
    label: 'Close to new subscribers',
    pending: 'Closing…',
    description:
      'Nobody new can begin to use it: it is not offered, bought or tried. Those who have it go on, and pay as before.',
  },
  reopen: {
    verb: 'Reopen',
    label: 'Open to new subscribers',
    pending: 'Reopening…',
    description: 'It is in the catalogue again, at once.',
  },
} as const;

const subscribersText = ({ subscribers, trials }: OfferedTool) => {
  const paying = subscribers === 1 ? '1 subscriber' : `${subscribers.toLocaleString('en-AU')} subscribers`;
  return trials === 0 ? paying : `${paying}, ${trials.toLocaleString('en-AU')} on trial`;
};

const ToolRow = ({ tool }: { tool: OfferedTool }) => {
  const act = tool.closedAt ? 'reopen' : 'close';
  const { verb, label, pending, description } = words[act];
  return (
    <Row
      basis="basis-60"
      title={
        <>
          <TextLink href={paths.adminTool(tool.id)}>{tool.name}</TextLink>
          {tool.priceCents > 0 && <span className="figures font-normal">{formatCents(tool.priceCents)} a month</span>}
          {tool.comingSoon && <Badge tone="info">Coming soon</Badge>}
          {!tool.hasAddress && <Badge tone="warning">No address</Badge>}
          {tool.closedAt && <Badge tone="warning">Closed to new subscribers</Badge>}
        </>
      }
      action={
        <DialogButton
          title={`${verb} ${tool.name} to new subscribers?`}
          description={description}
          button={`${verb}…`}
          look={{ 'aria-label': `${verb} ${tool.name}` }}
        >
          {(close) => (
            <ReasonForm
              schema={contract.publications[act].body}
              send={(body) => api.publications[act]({ params: { toolId: tool.id }, body })}
              done={tool.name}
              label={`${verb} ${tool.name}`}
              help={tool.ownerId ? 'Its maker reads it.' : 'It stays in the audit log.'}
              rows={3}
              variant={act === 'close' ? 'danger' : 'primary'}
              pendingLabel={pending}
              button={label}
              onClose={close}
            />
          )}
        </DialogButton>
      }
    >
      <p className="figures text-xs text-muted">
        <Text>
          {tool.ownerName === null ? 'Our own' : `Made by ${tool.ownerName}`}
          {` · ${subscribersText(tool)}`}
          {tool.closedAt && ` · since ${formatSydneyDate(tool.closedAt)} · ${tool.closedFor}`}
        </Text>
      </p>
    </Row>
  );
};

const typed = typedSettings.extend({ price: typedPrice });

const NewTool = ({ onClose }: { onClose: () => void }) => {
  const [, go] = useLocation();
  const form = useKeptForm({
    schema: typed,
    defaultValues: { ...blankSettings, price: '' },
    draft: 'add-tool',
    send: ({ price: priceCents, ...settings }) => api.catalogue.addTool({ body: { ...settings, priceCents } }),
    onDone: ({ id }, { name }) => {
      onClose();
      toast({ title: 'Tool added', description: `${name} is coming soon. Make its secret, then open it.` });
      go(paths.adminTool(id));
    },
  });
  return (
    <ActForm
      form={form}
      label="Add a tool"
      className="space-y-2"
      help="It stays in the history."
      rows={2}
      pendingLabel="Adding…"
      button="Add tool"
      onClose={onClose}
    >
      <ToolFields form={form} look={{ icon: form.watch('icon'), name: form.watch('name') }} />
      <TextField form={form} name="price" label="Price a month, in dollars with GST" inputMode="decimal" />
    </ActForm>
  );
};

/** Adds a tool of our own. */
const AddTool = () => (
  <DialogButton
    size="lg"
    title="Add a tool"
    description="It is listed as coming soon at once. Make its secret on its page, then open it."
    button="Add a tool…"
  >
    {(close) => <NewTool onClose={close} />}
  </DialogButton>
);

/** The tools in the catalogue, and which of them are closed to new subscribers. */
export const OfferedTools = () => (
  <Panel title="Tools" description="Open one to change it, its price, its address or its secret." action={<AddTool />}>
    <QueryView
      query={useApiQuery(contract.publications.offered)}
      failedTitle="The catalogue could not be loaded"
      loading={<Loading label="Loading the tools" skeletons={['h-6 w-72 max-w-full']} />}
    >
      {(tools) => (
        <ScrollList label="The tools, by name" className="">
          {tools.map((tool) => (
            <ToolRow key={tool.id} tool={tool} />
          ))}
        </ScrollList>
      )}
    </QueryView>
  </Panel>
);
