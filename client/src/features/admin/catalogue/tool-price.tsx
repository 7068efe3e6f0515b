import { useState } from 'react';
import * as z from 'zod';
import type { ToolPrice } from '#shared/api/catalogue.ts';
import { contract } from '#shared/api/index.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { noticeDays } from '#shared/rules/billing/own-price.ts';
import { typedPrice } from '#client/features/admin/catalogue/typed-price.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { FormFooter } from '#client/ui/form-footer.tsx';
import { Input, Textarea } from '#client/ui/input.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { RadioGroup } from '#client/ui/radio-group.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

type Tool = { id: string; name: string; unitCents: number };

const typed = z.object({
  price: typedPrice,
  startsOn: z.string(),
  reason: contract.catalogue.setPrice.body.shape.reason,
});

const people = (number: number, more = false) =>
  `${more ? 'More than ' : ''}${number.toLocaleString('en-AU')} ${number === 1 ? 'subscription' : 'subscriptions'}`;

/** Whom the price reaches; `told` if they change with notice rather than keep their price. */
const Reached = ({ tool, priceCents, told }: { tool: Tool; priceCents: number; told: boolean }) => (
  <QueryView
    query={useApiQuery(
      contract.catalogue.previewPrice,
      { params: { toolId: tool.id }, query: { priceCents } },
      { refetchOnMount: 'always' },
    )}
    failedTitle="Whom this reaches could not be loaded"
    loading={<Loading label="Counting subscriptions" className="grid gap-2" skeletons={['h-5', 'h-5']} />}
  >
    {({ dearer, cheaper, same, trials, unpaid, more, beforeCents }) => (
      <div className="rounded bg-surface-subtle p-3 text-sm" role="status">
        <p className="figures font-medium">
          New subscriptions: {formatCents(priceCents)} instead of {formatCents(beforeCents)}, at once.
        </p>
        <ul className="figures mt-1 list-disc space-y-1 pl-5">
          {told ? (
            <>
              {dearer > 0 && <li>{people(dearer, more)} will cost more.</li>}
              {cheaper > 0 && <li>{people(cheaper, more)} will cost less.</li>}
              {same > 0 && <li>{people(same, more)} keep the price they have.</li>}
              {trials > 0 && <li>Of those that change, in a free trial: {people(trials)}.</li>}
              {unpaid > 0 && (
                <li>Of those that change, not paid for: {people(unpaid)}. What is owed stays as it is.</li>
              )}
              <li>Who has cancelled is told only if they come back.</li>
            </>
          ) : (
            <li>{people(dearer + cheaper + same, more)} keep the price they have.</li>
          )}
        </ul>
      </div>
    )}
  </QueryView>
);

const SetPrice = ({ tool, onDone }: { tool: Tool; onDone: () => void }) => {
  const [reach, setReach] = useState<'keep' | 'notice'>('keep');
  const form = useApiForm({
    schema: typed,
    defaultValues: { price: '', startsOn: '', reason: '' },
    send: ({ price: priceCents, startsOn, reason }) =>
      api.catalogue.setPrice({
        params: { toolId: tool.id },
        body: {
          priceCents,
          currentCents: tool.unitCents,
          reason,
          ...(reach === 'notice' && { startsOn }),
        },
      }),
    onDone: ({ message }) => {
      onDone();
      toast({ title: tool.name, description: message });
    },
    failure: somethingWentWrong,
  });
  const priceCents = typedPrice.safeParse(form.watch('price')).data ?? null;
  const raises = priceCents !== null && priceCents > tool.unitCents;
  return (
    <Form form={form} label={`Price of ${tool.name}`}>
      <Field label="New price a month, in dollars with GST" error={form.errorOf('price')}>
        <Input inputMode="decimal" {...form.register('price')} />
      </Field>
      <RadioGroup
        legend="Those who have it"
        framed
        value={reach}
        onChange={setReach}
        options={[
          { value: 'keep', label: 'Keep the price they have' },
          {
            value: 'notice',
            label: 'Change with notice',
            help: 'They are told by email and on their page now, and pay it from their first bill on or after the day you choose. Nothing changes within a month that is paid.',
          },
        ]}
      />
      {reach === 'notice' && (
        <Field
          label="From their first bill on or after"
          help={
            raises
              ? `At least ${noticeDays + 1} days from now, so that they have ${noticeDays} days’ notice.`
              : 'A lower price may begin tomorrow.'
          }
          error={form.errorOf('startsOn')}
          className="mt-3"
        >
          <Input type="date" {...form.register('startsOn')} />
        </Field>
      )}
      <Field
        label="Reason"
        help={reach === 'notice' ? 'Subscribers read it.' : 'It stays in the audit log.'}
        error={form.errorOf('reason')}
        className="mt-3"
      >
        <Textarea rows={2} {...form.register('reason')} />
      </Field>
      {priceCents !== null && <Reached tool={tool} priceCents={priceCents} told={reach === 'notice'} />}
      <FormFooter form={form} onCancel={onDone} pendingLabel="Setting…">
        {reach === 'notice' ? 'Set price and tell subscribers' : 'Set price'}
      </FormFooter>
    </Form>
  );
};

const Withdraw = ({ tool, price, onDone }: { tool: Tool; price: ToolPrice; onDone: () => void }) => {
  const form = useApiForm({
    schema: typed.pick({ reason: true }),
    defaultValues: { reason: '' },
    send: ({ reason }) =>
      api.catalogue.withdrawPrice({ params: { toolId: tool.id }, body: { number: price.number ?? 0, reason } }),
    onDone: ({ message }) => {
      onDone();
      toast({ title: tool.name, description: message });
    },
    failure: somethingWentWrong,
  });
  return (
    <Form form={form} label={`Take back the price of ${tool.name}`}>
      <Field label="Reason" help="Subscribers read it." error={form.errorOf('reason')}>
        <Textarea rows={2} {...form.register('reason')} />
      </Field>
      <FormFooter form={form} onCancel={onDone} cancelLabel="Keep it" variant="danger" pendingLabel="Taking back…">
        Take back
      </FormFooter>
    </Form>
  );
};

const reachOf = ({ startsAt, withdraws }: ToolPrice) => {
  if (withdraws !== null) return 'takes back the rise before it';
  return startsAt === null ? 'new subscriptions only' : `for everybody, from bills on or after ${formatDay(startsAt)}`;
};

/** What a tool costs, what it used to cost, and what has been announced. */
export const ToolPricePanel = ({ toolId }: { toolId: string }) => {
  const [dialog, setDialog] = useState<'set' | ToolPrice | null>(null);
  const close = () => setDialog(null);
  return (
    <Panel
      title="Price"
      description="New subscriptions cost the price of today; each subscription has a price of its own"
    >
      <QueryView
        query={useApiQuery(contract.catalogue.prices, { params: { toolId } })}
        failedTitle="The price could not be loaded"
        loading={<Loading label="Loading the price" skeletons={['h-8 w-32', 'mt-3 h-12']} />}
      >
        {(tool) => (
          <>
            <div className="flex flex-wrap items-center justify-between gap-3">
              <p className="figures text-lg font-semibold">{formatCents(tool.unitCents)} a month, GST included</p>
              <Button variant="secondary" size="sm" onClick={() => setDialog('set')}>
                Change price…
              </Button>
            </div>
            {tool.prices.length > 0 && (
              <ul aria-label="Prices that were set" className="mt-3 divide-y text-sm">
                {tool.prices.map((price) => (
                  <li key={price.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
                    <div className="min-w-0 flex-1 basis-60">
                      <p className="figures flex flex-wrap items-center gap-2 font-medium">
                        {formatCents(price.beforeCents)} to {formatCents(price.unitCents)}
                        {price.isWithdrawn && <Badge>Taken back</Badge>}
                      </p>
                      <p className="figures text-xs [overflow-wrap:anywhere] text-muted">
                        {formatDay(price.createdAt)} · {reachOf(price)} · {price.reason}
                      </p>
                    </div>
                    {price.mayWithdraw && (
                      <Button variant="secondary" size="sm" onClick={() => setDialog(price)}>
                        Take back…
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            )}
            {dialog === 'set' && (
              <Dialog
                open
                onOpenChange={(open) => open || close()}
                title={`Change the price of ${tool.name}?`}
                description={`It is ${formatCents(tool.unitCents)} a month today.`}
              >
                <SetPrice tool={tool} onDone={close} />
              </Dialog>
            )}
            {dialog !== null && dialog !== 'set' && (
              <Dialog
                open
                onOpenChange={(open) => open || close()}
                title="Take back this price?"
                description="New subscriptions cost the price before it again. Whoever was told of it is told so, and never pays it."
              >
                <Withdraw tool={tool} price={dialog} onDone={close} />
              </Dialog>
            )}
          </>
        )}
      </QueryView>
    </Panel>
  );
};
