import type { OwnTool } from '#shared/api/developers.ts';
import type { Takings } from '#shared/api/figures.ts';
import * as z from 'zod';
import { contract } from '#shared/api/index.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { usualSharePercent } from '#shared/rules/tools/publication.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { typedPrice } from '#client/lib/forms/typed-price.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button, Panel, Text } from '#client/ui/elements.tsx';
import { Field, Input } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const ProposeForm = ({ tool, proposedCents }: { tool: OwnTool; proposedCents: number | null }) => {
  const form = useKeptForm({
    schema: z.object({ price: typedPrice }),
    defaultValues: { price: proposedCents === null ? '' : (proposedCents / 100).toFixed(2) },
    draft: `price-${tool.id}`,
    // Early: the form starts anew with the price that is read again, which must be saved by then.
    send: ({ price: priceCents }) =>
      api.developers.proposePrice({ params: { toolId: tool.id }, body: { priceCents } }, { early: true }),
    onDone: ({ message }) => toast({ title: tool.name, description: message }),
  });
  return (
    <Form form={form} label="Propose a price" className="space-y-1">
      <Field label="Price a month, in dollars with GST" error={form.errorOf('price')}>
        <Input inputMode="decimal" placeholder="25.00" {...form.register('price')} />
      </Field>
      <Button type="submit" variant="secondary" pending={form.pending} pendingLabel="Proposing…">
        Propose this price
      </Button>
    </Form>
  );
};

const monthName = (month: string) =>
  new Date(`${month}-15T00:00:00Z`).toLocaleDateString('en-AU', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const Months = ({ months }: Pick<Takings, 'months'>) => (
  <div className="mt-4 overflow-x-auto" tabIndex={0} role="region" aria-label="What is due to you">
    <table className="figures w-full text-sm">
      <thead>
        <tr className="border-b text-left text-muted">
          <th className="py-2 font-medium">Month</th>
          <th className="py-2 text-right font-medium">Paid</th>
          <th className="py-2 text-right font-medium">Refunded</th>
          <th className="py-2 text-right font-medium">Due to you</th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, paidCents, refundedCents, dueCents }) => (
          <tr key={month} className="border-b last:border-0">
            <th scope="row" className="py-2 text-left font-normal">
              {monthName(month)}
            </th>
            <td className="py-2 text-right">{formatCents(paidCents)}</td>
            <td className="py-2 text-right">{formatCents(refundedCents)}</td>
            <td className="py-2 text-right font-medium">{formatCents(dueCents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Shown = ({ tool, takings }: { tool: OwnTool; takings: Takings }) => {
  const { agreed, proposedCents, months } = takings;
  return (
    <>
      <p className="mb-3 text-sm">
        <Text>
          {agreed
            ? `${formatCents(agreed.priceCents)} a month, of which your share is ${agreed.sharePercent}%, since ${formatSydneyDate(agreed.since)}.`
            : `No price is agreed on yet. Your share is ${usualSharePercent}%, unless we agree on another.`}
          {proposedCents !== null && ` You propose ${formatCents(proposedCents)} a month, and we have to accept it.`}
        </Text>
      </p>
      <ProposeForm key={proposedCents} tool={tool} proposedCents={proposedCents} />
      {months.length > 0 && <Months months={months} />}
    </>
  );
};

/** What the tool costs, and what is due to its maker. */
export const PriceAndTakings = ({ tool }: { tool: OwnTool }) => (
  <Panel
    title="Price and takings"
    description="You propose the price, and we accept it. What is due to you is your share of what was paid, less refunds. All amounts include GST."
  >
    <QueryView
      query={useApiQuery(contract.developers.takings, { params: { toolId: tool.id } })}
      failedTitle="Your takings could not be loaded"
      loading={<Loading label="Loading your takings" skeletons={['h-20']} />}
    >
      {(takings) => <Shown tool={tool} takings={takings} />}
    </QueryView>
  </Panel>
);
