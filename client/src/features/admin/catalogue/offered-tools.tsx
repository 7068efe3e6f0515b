import { clsx } from 'clsx';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { OfferedTool } from '#shared/api/operators/publications.ts';
import { contract } from '#shared/api/index.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { RowActs } from '#client/features/admin/acts.tsx';
import { Cell, Table, TableSkeleton } from '#client/features/admin/lists.tsx';
import { dotted } from '#client/lib/words/format.ts';
import { ActForm, ReasonForm } from '#client/features/admin/act-form.tsx';
import { blankSettings, ToolFields, typedSettings } from '#client/features/admin/catalogue/tool-fields.tsx';
import { typedPrice } from '#client/lib/forms/typed-price.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Badge, Panel, TextLink, Text } from '#client/ui/elements.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { TextField } from '#client/ui/form.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';
import { Dialog, DialogButton } from '#client/ui/dialog.tsx';

const words = {
  close: {
    verb: 'Close',
    label: 'Close to new subscribers',
    pending: 'Closing…',
    description: 'Nobody new can subscribe to it or try it. Those who have it go on, and pay as before.',
  },
  reopen: {
    verb: 'Reopen',
    label: 'Open to new subscribers',
    pending: 'Reopening…',
    description: 'It is in the catalogue again, at once.',
  },
} as const;

const Status = ({ tool }: { tool: OfferedTool }) => (
  <div className="flex flex-wrap gap-1">
    {tool.comingSoon && <Badge tone="info">Coming soon</Badge>}
    {!tool.hasAddress && <Badge tone="warning">No address</Badge>}
    {tool.closedAt && (
      <>
        <Badge tone="warning">Closed to new subscribers</Badge>
        <span className="basis-full text-xs text-muted">
          <Text>{`since ${formatSydneyDate(tool.closedAt)} · ${tool.closedFor}`}</Text>
        </span>
      </>
    )}
    {!tool.comingSoon && tool.hasAddress && !tool.closedAt && <Badge tone="success">On sale</Badge>}
  </div>
);

const priceOf = ({ priceCents }: OfferedTool) =>
  priceCents > 0 ? `${formatCents(priceCents)} a month` : 'Free with any other';

const ToolRow = ({ tool, onAct }: { tool: OfferedTool; onAct: () => void }) => {
  const number = (count: number) => count.toLocaleString('en-AU');
  const price = priceOf(tool);
  return (
    <tr>
      <Cell className="[overflow-wrap:anywhere]">
        <div className="flex items-center gap-3">
          <ToolIcon icon={tool.icon} className="size-8!" />
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <TextLink href={paths.adminTool(tool.id)}>{tool.name}</TextLink>
              <div className="md:hidden">
                <Status tool={tool} />
              </div>
            </div>
            {tool.ownerName !== null && <p className="text-xs text-muted">Made by {tool.ownerName}</p>}
            <p className="figures text-xs text-muted md:hidden">
              {dotted([
                price,
                `${number(tool.subscribers)} subscribed`,
                tool.trials > 0 && `${number(tool.trials)} on trial`,
              ])}
            </p>
          </div>
        </div>
      </Cell>
      <Cell className="figures text-right max-md:hidden">{price}</Cell>
      {[tool.subscribers, tool.trials].map((count, index) => (
        <Cell key={index} className={clsx('figures text-right max-md:hidden', count === 0 && 'text-muted')}>
          {number(count)}
        </Cell>
      ))}
      <Cell className="pl-8 max-md:hidden">
        <Status tool={tool} />
      </Cell>
      <Cell className="text-right max-md:align-top">
        <RowActs of={tool.name} acts={[[words[tool.closedAt ? 'reopen' : 'close'].label, onAct]]} />
      </Cell>
    </tr>
  );
};

const CloseOrReopen = ({ tool, onClose }: { tool: OfferedTool; onClose: () => void }) => {
  const act = tool.closedAt ? 'reopen' : 'close';
  const { verb, label, pending, description } = words[act];
  return (
    <Dialog onClose={onClose} title={`${verb} ${tool.name} to new subscribers?`} description={description}>
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
        onClose={onClose}
      />
    </Dialog>
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
      toast({
        title: 'Tool added',
        description: `${name} is coming soon. Make its secret, then open it to subscribers.`,
      });
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
    description="It is listed as coming soon at once. Make its secret on its page, then open it to subscribers."
    button="Add a tool…"
  >
    {(close) => <NewTool onClose={close} />}
  </DialogButton>
);

const columns = [
  ['Tool'],
  ['Price', 'text-right max-md:hidden'],
  ['Subscriptions', 'text-right max-md:hidden'],
  ['On trial', 'text-right max-md:hidden'],
  ['Status', 'pl-8 max-md:hidden'],
  ['Actions', 'text-right'],
] as const;

/** The tools in the catalogue, and which of them are closed to new subscribers. */
export const OfferedTools = () => {
  const [chosen, setChosen] = useState<OfferedTool>();
  return (
    <Panel
      title="Tools"
      description="A practice’s subscription counts once. Those that will not renew are counted, too."
      action={<AddTool />}
      bodyClassName="mt-4 p-0!"
    >
      <QueryView
        query={useApiQuery(contract.publications.offered)}
        failedTitle="The catalogue could not be loaded"
        loading={<TableSkeleton label="Loading the tools" />}
      >
        {(tools) => (
          <Table caption="The tools, by name" stale={false} columns={columns}>
            {tools.map((tool) => (
              <ToolRow key={tool.id} tool={tool} onAct={() => setChosen(tool)} />
            ))}
          </Table>
        )}
      </QueryView>
      {chosen && <CloseOrReopen tool={chosen} onClose={() => setChosen(undefined)} />}
    </Panel>
  );
};

/** What the discounts come off. */
export const ListPrices = () => (
  <Panel title="List prices" description="Before discounts, GST included." bodyClassName="mt-4 p-0!">
    <QueryView
      query={useApiQuery(contract.publications.offered)}
      failedTitle="The prices could not be loaded"
      loading={<TableSkeleton label="Loading the prices" />}
    >
      {(tools) => (
        <Table caption="List prices" stale={false} columns={[['Tool'], ['Price', 'text-right']]}>
          {tools.map((tool) => (
            <tr key={tool.id}>
              <Cell>
                <TextLink href={paths.adminTool(tool.id)}>{tool.name}</TextLink>
              </Cell>
              <Cell className="figures text-right">{priceOf(tool)}</Cell>
            </tr>
          ))}
        </Table>
      )}
    </QueryView>
  </Panel>
);
