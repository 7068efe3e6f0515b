import type { businessApi } from '#shared/api/business.ts';
import type { Input } from '#shared/api/endpoint.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { csv, type Cell } from '#server/platform/csv.ts';
import type { Context } from '#server/platform/context.ts';
import { cohortsOf, monthNow, quartersOf } from './business.ts';
import { everyMonth } from './queries-business.ts';

/** A number, so that a spreadsheet adds it up. */
const dollars = (cents: number) => cents / 100;

type Table = { header: string[]; rows: Cell[][] };
const tables: Record<Input<typeof businessApi.csv>['query']['table'], (context: Context) => Promise<Table>> = {
  months: ({ db }) => everyMonth(db),
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
