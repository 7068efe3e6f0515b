import type { businessApi } from '#shared/api/operators/business.ts';
import type { Input } from '#shared/api/endpoint.ts';
import { planNames } from '#shared/rules/operators/business.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { type Columns, csvHeader, csvLine, csvOf, csvRows } from '#server/platform/http/csv.ts';
import type { Context } from '#server/platform/context.ts';
import { atOneMoment, transaction } from '#server/platform/data/database.ts';
import { cohortsOf, monthNow, quartersOf } from './business.ts';
import { countedTools, everyMonth } from './queries-business.ts';

/** A plain number, so that a spreadsheet can add it up. */
const dollars = (cents: number) => cents / 100;

const quarters: Columns<Awaited<ReturnType<typeof quartersOf>>[number]> = {
  Quarter: (row) => row.id,
  From: (row) => row.first,
  To: (row) => row.last,
  Invoiced: (row) => dollars(row.invoicedCents),
  Adjusted: (row) => dollars(row.adjustedCents),
  'GST invoiced': (row) => dollars(row.gstInvoicedCents),
  'GST adjusted': (row) => dollars(row.gstAdjustedCents),
  'GST collected': (row) => dollars(row.gstInvoicedCents - row.gstAdjustedCents),
};

const tables: Record<Input<typeof businessApi.csv>['query']['table'], (context: Context) => Promise<string>> = {
  months: async (context) => {
    const { header, lines } = await transaction(context.db, async (tx) => {
      await atOneMoment(tx);
      const tools = (await countedTools(tx)).map(({ toolName, toolId, plan }) => ({
        toolId,
        plan,
        cells: csvLine([toolName, toolId, planNames[plan]]),
      }));
      return everyMonth(tx, tools);
    });
    return csvHeader(['Month (Sydney)', 'Tool', 'Tool ID', 'Plan', ...header]) + lines;
  },
  quarters: async (context) => csvOf(quarters, await quartersOf(context, '2000-01', monthNow(context))),
  cohorts: async (context) => {
    const cohorts = await cohortsOf(context, {}, '2000-01', monthNow(context));
    return (
      csvHeader(['Began to pay in', 'Subscriptions', 'Months later', 'Paying']) +
      csvRows(cohorts.flatMap(({ month, begun, left }) => left.map((paying, age) => [month, begun, age, paying])))
    );
  },
};

/** `GET /api/admin/business.csv`: small, since its rows are months. */
export async function businessCsv(context: Context, table: keyof typeof tables) {
  const body = await tables[table](context);
  return { name: `adviserly-business-${table}-${sydneyDate(context.now())}.csv`, body };
}
