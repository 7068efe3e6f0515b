import { ChartNoAxesColumn, ChevronLeft, ChevronRight } from 'lucide-react';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { businessMonthsShown, planNames, plans, plusMonthsOf } from '#shared/rules/operators/business.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { definitions } from '#client/features/admin/business/business-definitions.ts';
import { CsvLink, Movements, Quarters, Retention, Shares } from '#client/features/admin/business/business-tables.tsx';
import { useListAddress } from '#client/features/admin/lists.tsx';
import { MonthChart, monthText } from '#client/features/admin/business/month-chart.tsx';
import { formatDateTime } from '#client/lib/words/format.ts';
import { useApiQuery, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { Alert, Button, Card } from '#client/ui/elements.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { Field, Select } from '#client/ui/field.tsx';
import { Tile } from '#client/ui/tile.tsx';

type Shown = Reply<typeof contract.business.show>;

const isMonth = (text: string) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

/** `/admin?tab=business`: the tool, plan and last month are kept in the address. */
export default function BusinessTab() {
  const { get, set } = useListAddress();
  const plan = plans.find((each) => each === get('plan'));
  const tool = /^[a-z0-9-]{1,64}$/.test(get('tool')) ? get('tool') : undefined;
  const until = isMonth(get('until')) ? get('until') : undefined;
  const query = useFreshQuery(
    contract.business.show,
    { query: { ...(tool && { tool }), ...(plan && { plan }), ...(until && { until }) } },
    { keepPrevious: true },
  );
  return (
    <div className="space-y-4 sm:space-y-6">
      <Slice tool={tool} plan={plan} shown={query.data} onChange={set} />
      <QueryView
        query={query}
        failedTitle="The figures could not be loaded"
        framedFailure
        loading={<Loading label="Loading the figures" className="space-y-6" skeletons={['h-28', 'h-72', 'h-72']} />}
        isEmpty={({ tools }) => tools.length === 0}
        empty={
          <Card>
            <EmptyState
              icon={<ChartNoAxesColumn />}
              title="No figures yet"
              description="They appear with the first trial, purchase or invoice, within an hour."
            />
          </Card>
        }
      >
        {(shown) => <Figures shown={shown} />}
      </QueryView>
    </div>
  );
}

type SliceProps = {
  tool: string | undefined;
  plan: string | undefined;
  shown: Shown | undefined;
  onChange: (values: Record<string, string>) => void;
};

/** Chooses the tool, plan and months. */
const Slice = ({ tool, plan, shown, onChange }: SliceProps) => {
  const { data: catalogue } = useApiQuery(contract.tools.list);
  const last = shown?.months.at(-1)?.month;
  const goTo = (month: string) => onChange({ until: month === shown?.now ? '' : month });
  return (
    <search aria-label="Which figures" className="flex flex-wrap items-end gap-x-4">
      <Field label="Tool" required={false} className="flex-1 basis-36 sm:w-56 sm:flex-none">
        <Select
          placeholder="All tools"
          options={(catalogue ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={tool ?? ''}
          onChange={(event) => onChange({ tool: event.target.value })}
        />
      </Field>
      <Field label="Plan" required={false} className="flex-1 basis-36 sm:w-44 sm:flex-none">
        <Select
          placeholder="All plans"
          options={plans.map((value) => ({ value, label: planNames[value] }))}
          value={plan ?? ''}
          onChange={(event) => onChange({ plan: event.target.value })}
        />
      </Field>
      {shown && last && (
        <div className="flex items-center gap-2 pb-5.5">
          <Button
            variant="secondary"
            size="icon"
            aria-label="Earlier months"
            onClick={() => goTo(plusMonthsOf(last, -businessMonthsShown))}
          >
            <ChevronLeft aria-hidden />
          </Button>
          <span role="status" className="text-sm">
            Twelve months to {monthText(last)}
          </span>
          <Button
            variant="secondary"
            size="icon"
            aria-label="Later months"
            disabled={last >= shown.now}
            onClick={() => {
              const next = plusMonthsOf(last, businessMonthsShown);
              goTo(next < shown.now ? next : shown.now);
            }}
          >
            <ChevronRight aria-hidden />
          </Button>
        </div>
      )}
      <div className="pb-5.5 sm:ml-auto">
        <CsvLink table="months" of="every month by tool and plan" size="md" />
      </div>
    </search>
  );
};

/** Without GST, as an Australian reports revenue. */
const netOf = ({ invoicedCents, adjustedCents, gstCents }: Shown['months'][number]) =>
  invoicedCents - adjustedCents - gstCents;
const grossOf = ({ invoicedCents, adjustedCents }: Shown['months'][number]) => invoicedCents - adjustedCents;

const Tiles = ({ months, now, plans: shares }: Pick<Shown, 'months' | 'now' | 'plans'>) => {
  const last = months.at(-1)!;
  const isRunning = last.month === now;
  const name = monthText(last.month).split(' ')[0]!;
  const paid = shares.reduce((sum, { plan, subscriptions }) => sum + (plan === 'free' ? 0 : subscriptions), 0);
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <Tile
        label="Recurring a month"
        value={formatCents(last.mrrCents)}
        note={`${paid.toLocaleString('en-AU')} paid ${paid === 1 ? 'subscription' : 'subscriptions'}, with GST`}
      />
      <Tile
        label={isRunning ? 'Revenue so far' : 'Revenue'}
        value={formatCents(grossOf(last))}
        note={`${name}, with GST`}
      />
      <Tile
        label="Trials converted"
        value={last.trialsConverted}
        note={`${last.trialsStarted} started in ${name}${last.winBacks > 0 ? `, ${last.winBacks} won back` : ''}`}
      />
      <Tile
        label="Failed payments"
        value={last.failed.count}
        note={
          last.failed.count + last.recovered.count + last.lost.count === 0
            ? `None in ${name}`
            : `${last.recovered.count} recovered, ${last.lost.count} lost in ${name}`
        }
      />
    </div>
  );
};

const pairs = 'grid grid-cols-1 gap-4 sm:gap-6 lg:grid-cols-2';

/** From the first month with a figure. */
const begun = (all: Shown['months']) =>
  all.slice(
    all.findIndex((month) => month.mrrCents + month.invoicedCents + month.trialsStarted + month.failed.count > 0),
  );

/** Each chart has its figures behind it, and what they mean. */
const Charts = ({ months, now, knownSince }: Pick<Shown, 'months' | 'now' | 'knownSince'>) => {
  const gained = (month: Shown['months'][number]) =>
    month.openingCents + month.newCents + month.expandedCents + month.reactivatedCents;
  const lost = (month: Shown['months'][number]) => month.contractedCents + month.churnedCents;
  return (
    <div className={pairs}>
      <MonthChart
        title="Recurring revenue"
        definition={definitions.mrr}
        months={months}
        money
        series={[{ name: 'With GST', of: (month) => month.mrrCents, tone: 'primary' }]}
        more={[{ name: 'Subscriptions', of: (month) => month.subscriptions.toLocaleString('en-AU') }]}
      />
      <MonthChart
        title="Gained and lost"
        definition={definitions.movements}
        months={months}
        now={now}
        money
        series={[
          { name: 'Gained', of: gained, tone: 'success' },
          { name: 'Lost', of: lost, tone: 'danger' },
        ]}
        more={[
          ...(knownSince === null
            ? []
            : [{ name: 'Opening', of: (month: Shown['months'][number]) => formatCents(month.openingCents) }]),
          { name: 'New', of: (month) => formatCents(month.newCents) },
          { name: 'Added', of: (month) => formatCents(month.expandedCents) },
          { name: 'Came back', of: (month) => formatCents(month.reactivatedCents) },
          { name: 'Reduced', of: (month) => formatCents(month.contractedCents) },
          { name: 'Cancelled', of: (month) => formatCents(month.churnedCents) },
        ]}
      />
    </div>
  );
};

/** What few look at every day. */
const MoreCharts = ({ months, now, cohorts, knownSince }: Pick<Shown, 'months' | 'now' | 'cohorts' | 'knownSince'>) => {
  return (
    <div className={pairs}>
      <MonthChart
        title="Revenue"
        definition={definitions.revenue}
        months={months}
        now={now}
        money
        series={[{ name: 'With GST', of: grossOf, tone: 'primary' }]}
        more={[
          { name: 'GST', of: (month) => formatCents(month.gstCents) },
          { name: 'Without GST', of: (month) => formatCents(netOf(month)) },
          { name: 'Invoiced', of: (month) => formatCents(month.invoicedCents) },
          { name: 'Adjusted', of: (month) => formatCents(month.adjustedCents) },
          {
            name: 'Counted again',
            of: (month) => (month.recountedAt === null ? '' : formatDateTime(month.recountedAt)),
          },
        ]}
      />
      <Retention cohorts={cohorts} knownSince={knownSince} />
      <MonthChart
        title="Trials"
        definition={definitions.trials}
        none="No trials"
        months={months}
        now={now}
        series={[
          { name: 'Started', of: (month) => month.trialsStarted, tone: 'primary' },
          { name: 'Converted', of: (month) => month.trialsConverted, tone: 'info' },
        ]}
        more={[{ name: 'Win-backs', of: (month) => month.winBacks }]}
      />
      <MonthChart
        title="Payments"
        definition={definitions.payments}
        none="No failed payments"
        months={months}
        now={now}
        money
        series={[
          { name: 'Failed', of: (month) => month.failed.cents, tone: 'danger' },
          { name: 'Recovered', of: (month) => month.recovered.cents, tone: 'success' },
        ]}
        more={[
          { name: 'Lost', of: (month) => formatCents(month.lost.cents) },
          {
            name: 'Number',
            of: (month) => `${month.failed.count} / ${month.recovered.count} / ${month.lost.count}`,
          },
        ]}
      />
    </div>
  );
};

const Figures = ({ shown }: { shown: Shown }) => {
  const { months: all, now, knownSince, cohorts } = shown;
  const months = begun(all);
  return (
    <>
      <Tiles months={all} now={now} plans={shown.plans} />
      <Charts months={months} now={now} knownSince={knownSince} />
      {knownSince !== null && (
        <Alert tone="info" title={`Changes of recurring revenue are known since ${monthText(knownSince)}`}>
          What subscriptions cost before was not kept. Those that were there then count as an opening balance. Revenue
          and GST come from the invoices and are known for all time.
        </Alert>
      )}
      <Shares tools={shown.tools} plans={shown.plans} />
      <Quarters quarters={shown.quarters} />
      <details>
        <summary>More: revenue, retention, trials, payments, changes by plan</summary>
        <div className="mt-4 space-y-4 sm:space-y-6">
          <MoreCharts months={months} now={now} cohorts={cohorts} knownSince={knownSince} />
          <Movements plans={shown.plans} opened={knownSince !== null} />
        </div>
      </details>
    </>
  );
};
