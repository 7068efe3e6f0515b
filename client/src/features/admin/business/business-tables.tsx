import type { ComponentProps, ReactNode } from 'react';
import { Download } from 'lucide-react';
import type { Reply } from '#shared/api/endpoint.ts';
import type { BusinessQuarter } from '#shared/api/operators/business.ts';
import { contract } from '#shared/api/index.ts';
import { basQuarterOf, planNames, retainedPercent } from '#shared/rules/operators/business.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { addressOf } from '#shared/api/address.ts';
import { definitions } from '#client/features/admin/business/business-definitions.ts';
import { monthName, monthText, shortMonthText } from '#client/features/admin/business/month-chart.tsx';
import { ButtonLink, Panel, Text } from '#client/ui/elements.tsx';
import { FiguresTable } from '#client/ui/figures-table.tsx';

type Shown = Reply<typeof contract.business.show>;

/** `of` says what is in the file, for those who hear the button without seeing what it belongs to. */
type CsvProps = { table: 'months' | 'quarters' | 'cohorts'; of: string; size?: 'sm' | 'md' };
export const CsvLink = ({ table, of, size = 'sm' }: CsvProps) => (
  <ButtonLink
    href={addressOf(contract.business.csv, { query: { table } })}
    download
    variant="secondary"
    size={size}
    aria-label={`Download ${of} as CSV`}
  >
    <Download aria-hidden />
    Download CSV
  </ButtonLink>
);

type FiguresProps = Omit<ComponentProps<typeof FiguresTable>, 'label'> & {
  title: string;
  description: string;
  csv?: CsvProps;
  /** What the figures mean. */
  children?: ReactNode;
};

const FiguresPanel = ({ title, description, csv, children, ...figures }: FiguresProps) => (
  <Panel title={title} description={description} action={csv && <CsvLink {...csv} />} bodyClassName="pt-1">
    {figures.rows.length > 0 && <FiguresTable label={title} {...figures} />}
    {children && <div className="mt-3 space-y-3 text-sm text-muted">{children}</div>}
  </Panel>
);

export const Shares = ({ tools, plans }: Pick<Shown, 'tools' | 'plans'>) => {
  const head = (first: string) => [first, 'Recurring, with GST', 'Will renew', 'Revenue, without GST'];
  type Share = Pick<Shown['plans'][number], 'mrrCents' | 'subscriptions' | 'revenueCents'>;
  const cells = (name: string, share: Share) => [
    name,
    formatCents(share.mrrCents),
    share.subscriptions.toLocaleString('en-AU'),
    formatCents(share.revenueCents),
  ];
  const totalOf = (shares: readonly Share[]) => {
    const sum = (of: keyof Share) => shares.reduce((all, share) => all + share[of], 0);
    const all = { mrrCents: sum('mrrCents'), subscriptions: sum('subscriptions'), revenueCents: sum('revenueCents') };
    return shares.length > 1 && cells('Total', all);
  };
  const description = 'Subscriptions set to renew, trials not counted, and twelve months’ revenue';
  return (
    <div className="grid grid-cols-1 gap-4 sm:gap-6 lg:grid-cols-2">
      <FiguresPanel
        title="By tool"
        description={description}
        head={head('Tool')}
        rows={tools.map((tool) => ({ key: tool.toolId, cells: cells(tool.name, tool) }))}
        total={totalOf(tools)}
      />
      <FiguresPanel
        title="By plan"
        description={description}
        head={head('Plan')}
        rows={plans.map((plan) => ({ key: plan.plan, cells: cells(planNames[plan.plan], plan) }))}
        total={totalOf(plans)}
      >
        Special pricing: advisers in the partner group. Team: practices. Free: the free tool, and free access.
      </FiguresPanel>
    </div>
  );
};

const signed = (cents: number) => (cents === 0 ? '–' : `${cents > 0 ? '+' : ''}${formatCents(cents)}`);

/** Why the recurring revenue of each plan changed. */
export const Movements = ({ plans, opened }: Pick<Shown, 'plans'> & { opened: boolean }) => {
  type Row = Shown['plans'][number];
  const columns: [name: string, of: (row: Row) => number][] = [
    ...(opened ? ([['Opening', (row) => row.openingCents]] satisfies [string, (row: Row) => number][]) : []),
    ['New', (row) => row.newCents],
    ['Added', (row) => row.expandedCents],
    ['Came back', (row) => row.reactivatedCents],
    ['Reduced', (row) => 0 - row.contractedCents],
    ['Cancelled', (row) => 0 - row.churnedCents],
    ['Changed plan', (row) => row.movedCents],
  ];
  // The free plan has no recurring revenue; it is listed only if it has movements.
  const paying = plans.filter((row) => row.plan !== 'free' || columns.some(([, of]) => of(row) !== 0));
  const cells = (name: string, rows: readonly Row[]) => {
    const sums = columns.map(([, of]) => rows.reduce((sum, row) => sum + of(row), 0));
    return [name, ...sums.map(signed), signed(sums.reduce((sum, cents) => sum + cents, 0))];
  };
  return (
    <FiguresPanel
      title="Gained and lost by plan"
      description="Recurring revenue, over twelve months"
      wide={columns.map((_, index) => index + 1)}
      head={['Plan', ...columns.map(([name]) => name), 'Change']}
      rows={paying.map((row) => ({ key: row.plan, cells: cells(planNames[row.plan], [row]) }))}
      total={paying.length > 1 && cells('Total', paying)}
    >
      {definitions.moved}
    </FiguresPanel>
  );
};

const quarterText = ({ id, first, last, running }: BusinessQuarter) => (
  <>
    <span>{`${monthName(first)} to ${shortMonthText(last)}${running ? ', so far' : ''}`}</span>
    <span className="block text-xs text-muted">{`Q${id.slice(-1)} FY${basQuarterOf(first).financialYear}`}</span>
  </>
);

export const Quarters = ({ quarters }: { quarters: readonly BusinessQuarter[] }) => (
  <FiguresPanel
    title="GST by BAS quarter"
    description="For your BAS"
    csv={{ table: 'quarters', of: 'GST by quarter' }}
    wide={[2, 3, 4]}
    head={['Quarter', 'Invoiced', 'Adjusted', 'GST on invoices', 'GST on adjustments', 'GST collected']}
    rows={quarters.toReversed().map((quarter) => ({
      key: quarter.id,
      cells: [
        quarterText(quarter),
        formatCents(quarter.invoicedCents),
        formatCents(quarter.adjustedCents),
        formatCents(quarter.gstInvoicedCents),
        formatCents(quarter.gstAdjustedCents),
        formatCents(quarter.gstInvoicedCents - quarter.gstAdjustedCents),
      ],
    }))}
  >
    {definitions.gst}
  </FiguresPanel>
);

const percentText = (left: number | undefined, begun: number) => {
  if (left === undefined) return '';
  const percent = retainedPercent(left, begun);
  return percent === null ? '–' : `${percent}%\u00a0(${left})`;
};

/** How many of those who began in a month still pay after so many months. */
export const Retention = ({ cohorts, knownSince }: Pick<Shown, 'cohorts' | 'knownSince'>) => {
  const longest = Math.max(0, ...cohorts.map(({ left }) => left.length));
  const ages = Array.from({ length: longest }, (_, age) => age);
  return (
    <FiguresPanel
      title="Retention by cohort"
      description={longest > 0 ? 'Who still pays, month by month' : 'Nobody paid for the first time in these months.'}
      csv={{ table: 'cohorts', of: 'retention by cohort' }}
      head={['First paid', 'Count', ...ages.map((age) => (age === 0 ? 'Same month' : `+${age}`))]}
      rows={cohorts
        .filter(({ begun }) => begun > 0)
        .toReversed()
        .map(({ month, begun, left }) => ({
          key: month,
          cells: [shortMonthText(month), begun, ...ages.map((age) => percentText(left[age], begun))],
        }))}
    >
      <Text>
        {definitions.cohorts}
        {knownSince !== null &&
          ` Those that began before ${monthText(knownSince)} are in none: it is not known who left then.`}
      </Text>
    </FiguresPanel>
  );
};
