import { formatSydneyDate } from '#shared/rules/dates.ts';
import { useState } from 'react';
import * as z from 'zod';
import type { ToolPrice } from '#shared/api/operators/catalogue.ts';
import { contract } from '#shared/api/index.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { noticeDays } from '#shared/rules/billing/own-price.ts';
import { ActForm, closeAndTell, ReasonForm } from '#client/features/admin/act-form.tsx';
import { typedPrice } from '#client/lib/forms/typed-price.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { refetchChangedBy, useApiQuery } from '#client/lib/calls/use-api.ts';
import { useCountedQuery } from '#client/lib/calls/use-counted-query.ts';
import { Badge, Panel } from '#client/ui/elements.tsx';
import { Field, Input } from '#client/ui/field.tsx';
import { TextField } from '#client/ui/form.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { RadioGroup } from '#client/ui/radio-group.tsx';
import { DialogButton } from '#client/ui/dialog.tsx';
import { Row } from '#client/ui/list.tsx';

type Tool = { id: string; name: string; unitCents: number };

const typed = z.object({
  price: typedPrice,
  startsOn: z.string(),
  reason: contract.catalogue.setPrice.body.shape.reason,
});

const people = (number: number) =>
  `${number.toLocaleString('en-AU')} ${number === 1 ? 'subscription' : 'subscriptions'}`;

/** Whom the price reaches; `noticed` if they change with notice rather than keep their price. */
const Reached = ({ tool, priceCents, noticed }: { tool: Tool; priceCents: number; noticed: boolean }) => (
  <QueryView
    query={useCountedQuery(contract.catalogue.previewPrice, { params: { toolId: tool.id }, query: { priceCents } }, [
      'dearer',
      'cheaper',
      'same',
      'trials',
      'unpaid',
    ])}
    failedTitle="Who this affects could not be loaded"
    loading={<Loading label="Counting subscriptions" className="grid gap-2" skeletons={['h-5', 'h-5']} />}
  >
    {({ dearer, cheaper, same, trials, unpaid, beforeCents }) => (
      <div className="rounded bg-surface-subtle p-3 text-sm" role="status">
        <p className="figures font-medium">
          New subscriptions: {formatCents(priceCents)} instead of {formatCents(beforeCents)}, at once.
        </p>
        <ul className="figures mt-1 list-disc space-y-1 pl-5">
          {noticed ? (
            <>
              {dearer > 0 && <li>{people(dearer)} will cost more.</li>}
              {cheaper > 0 && <li>{people(cheaper)} will cost less.</li>}
              {same > 0 && <li>{people(same)} keep the price they have.</li>}
              {trials > 0 && <li>A free trial of theirs is running: {people(trials)}.</li>}
              {unpaid > 0 && <li>A bill of theirs is unpaid: {people(unpaid)}. What is owed stays as it is.</li>}
              <li>We tell people who’ve cancelled only if they come back.</li>
            </>
          ) : (
            <li>{people(dearer + cheaper + same)} keep the price they have.</li>
          )}
        </ul>
      </div>
    )}
  </QueryView>
);

const SetPrice = ({ tool, onClose }: { tool: Tool; onClose: () => void }) => {
  const [reach, setReach] = useState<'keep' | 'notice'>('keep');
  const form = useApiForm({
    schema: typed,
    defaultValues: { price: '', startsOn: '', reason: '' },
    send: ({ price: priceCents, startsOn, reason }) =>
      api.catalogue.setPrice({
        params: { toolId: tool.id },
        body: { priceCents, currentCents: tool.unitCents, reason, ...(reach === 'notice' && { startsOn }) },
      }),
    onDone: closeAndTell(onClose, { title: tool.name }),
    onFailure: ({ code }) => {
      if (code === 'tool_changed') void refetchChangedBy(contract.catalogue.setPrice);
    },
  });
  const priceCents = typedPrice.safeParse(form.watch('price')).data ?? null;
  const raises = priceCents !== null && priceCents > tool.unitCents;
  return (
    <ActForm
      form={form}
      label={`Price of ${tool.name}`}
      className="space-y-3"
      help={reach === 'notice' ? 'Subscribers read it.' : 'It stays in the audit log.'}
      rows={2}
      pendingLabel="Setting…"
      button={reach === 'notice' ? 'Set price and tell subscribers' : 'Set price'}
      onClose={onClose}
    >
      <TextField form={form} name="price" label="New price a month, in dollars with GST" inputMode="decimal" />
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
        >
          <Input type="date" {...form.register('startsOn')} />
        </Field>
      )}
      {priceCents !== null && <Reached tool={tool} priceCents={priceCents} noticed={reach === 'notice'} />}
    </ActForm>
  );
};

const reachOf = ({ startsAt, withdraws }: ToolPrice) => {
  if (withdraws !== null) return 'takes back the rise before it';
  return startsAt === null
    ? 'new subscriptions only'
    : `for everybody, from bills on or after ${formatSydneyDate(startsAt)}`;
};

const PriceRow = ({ tool, price }: { tool: Tool; price: ToolPrice }) => (
  <Row
    basis="basis-60"
    title={
      <span className="figures">
        {formatCents(price.beforeCents)} to {formatCents(price.unitCents)}{' '}
        {price.isWithdrawn && <Badge>Taken back</Badge>}
      </span>
    }
    action={
      price.mayWithdraw && (
        <DialogButton
          title="Take back this price?"
          description="New subscriptions cost the price before it again. Nobody pays more, and we tell whoever was to. A lower price that was announced to somebody stands."
          button="Take back…"
        >
          {(close) => (
            <ReasonForm
              schema={typed.pick({ reason: true })}
              send={({ reason }) =>
                api.catalogue.withdrawPrice({
                  params: { toolId: tool.id },
                  body: { number: price.number ?? 0, reason },
                })
              }
              done={tool.name}
              label={`Take back the price of ${tool.name}`}
              help="Subscribers read it."
              rows={2}
              cancelLabel="Keep it"
              variant="danger"
              pendingLabel="Taking back…"
              button="Take back"
              onClose={close}
            />
          )}
        </DialogButton>
      )
    }
  >
    <p className="figures text-xs text-muted">
      {formatSydneyDate(price.createdAt)} · {reachOf(price)} · {price.reason}
    </p>
  </Row>
);

/** What a tool costs, what it used to cost, and what has been announced. */
export const ToolPricePanel = ({ toolId }: { toolId: string }) => {
  return (
    <Panel title="Price" description="For new subscriptions. Others keep theirs, unless you announce a change.">
      <QueryView
        query={useApiQuery(contract.catalogue.prices, { params: { toolId } })}
        failedTitle="The price could not be loaded"
        loading={<Loading label="Loading the price" skeletons={['h-8 w-32', 'mt-3 h-12']} />}
      >
        {(tool) => (
          <>
            <div className="flex flex-wrap items-center justify-between gap-3">
              <p className="figures">
                <span className="block text-base font-semibold">{`${formatCents(tool.unitCents)} a month`}</span>
                <span className="text-xs text-muted">GST included</span>
              </p>
              <DialogButton
                title={`Change the price of ${tool.name}?`}
                description={`It is ${formatCents(tool.unitCents)} a month today.`}
                button="Change price…"
              >
                {(close) => <SetPrice tool={tool} onClose={close} />}
              </DialogButton>
            </div>
            {tool.prices.length > 0 && (
              <ul aria-label="Prices that were set" className="mt-3 divide-y text-sm">
                {tool.prices.map((price) => (
                  <PriceRow key={price.id} tool={tool} price={price} />
                ))}
              </ul>
            )}
          </>
        )}
      </QueryView>
    </Panel>
  );
};
