import type { businessApi } from '#shared/api/business.ts';
import type { Input } from '#shared/api/endpoint.ts';
import { planNames } from '#shared/rules/business.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { csv, type Cell } from '#server/platform/csv.ts';
import type { Context } from '#server/platform/context.ts';
import { cohortsOf, monthNow, quartersOf } from './business.ts';
import { everyMonth } from './queries-business.ts';

/** A number, so that a spreadsheet adds it up. */
const dollars = (cents: number) => cents / 100;

type Row = Awaited<ReturnType<typeof everyMonth>>[number];
const monthColumns: [name: string, of: (row: Row) => Cell][] = [
  ['Recurring revenue change', (row) => dollars(row.mrrCents)],
  ['Subscriptions change', (row) => row.subscriptions],
  ['Recurring revenue at the beginning of the records', (row) => dollars(row.openingCents)],
  ['New', (row) => dollars(row.newCents)],
  ['Expanded', (row) => dollars(row.expandedCents)],
  ['Contracted', (row) => dollars(row.contractedCents)],
  ['Churned', (row) => dollars(row.churnedCents)],
  ['Reactivated', (row) => dollars(row.reactivatedCents)],
  ['Moved between plans', (row) => dollars(row.movedCents)],
  ['Trials started', (row) => row.trialsStarted],
  ['Trials converted', (row) => row.trialsConverted],
  ['Win-backs', (row) => row.winBacks],
  ['Payments failed', (row) => row.failedPayments],
  ['Failed amount', (row) => dollars(row.failedCents)],
  ['Payments recovered', (row) => row.recoveredPayments],
  ['Recovered amount', (row) => dollars(row.recoveredCents)],
  ['Payments lost', (row) => row.lostPayments],
  ['Lost amount', (row) => dollars(row.lostCents)],
  ['Invoiced', (row) => dollars(row.invoicedCents)],
  ['Adjusted', (row) => dollars(row.adjustedCents)],
  ['Revenue', (row) => dollars(row.invoicedCents - row.adjustedCents)],
  ['GST invoiced', (row) => dollars(row.invoicedGstCents)],
  ['GST adjusted', (row) => dollars(row.adjustedGstCents)],
];

type Table = { header: string[]; rows: Cell[][] };
const tables: Record<Input<typeof businessApi.csv>['query']['table'], (context: Context) => Promise<Table>> = {
  months: async ({ db }) => ({
    header: ['Month (Sydney)', 'Tool', 'Tool ID', 'Plan', ...monthColumns.map(([name]) => name)],
    rows: (await everyMonth(db)).map((row) => [
      row.month,
      row.toolName,
      row.toolId,
      planNames[row.plan],
      ...monthColumns.map(([, of]) => of(row)),
    ]),
  }),
  quarters: async (context) => ({
    header: ['Quarter', 'From', 'To', 'Invoiced', 'Adjusted', 'GST invoiced', 'GST adjusted', 'GST collected'],
    rows: (await quartersOf(context, '2000-01', monthNow(context))).map((row) => [
      row.id,
      row.first,
      row.last,
      dollars(row.invoicedCents),
      dollars(row.adjustedCents),
      dollars(row.gstInvoicedCents),
      dollars(row.gstAdjustedCents),
      dollars(row.gstInvoicedCents - row.gstAdjustedCents),
    ]),
  }),
  cohorts: async (context) => ({
    header: ['Began to pay in', 'Subscriptions', 'Months later', 'Paying'],
    rows: (await cohortsOf(context, {}, '2000-01', monthNow(context))).flatMap(({ month, begun, left }) =>
      left.map((paying, age) => [month, begun, age, paying]),
    ),
  }),
};

/** `GET /api/admin/business.csv`: small, since its rows are months. */
export async function businessCsv(context: Context, table: keyof typeof tables) {
  const { header, rows } = await tables[table](context);
  const pages = async function* () {
    yield await Promise.resolve(rows);
  };
  return { name: `adviserly-business-${table}-${sydneyDate(context.now())}.csv`, body: csv(header, pages()) };
}
