import type { businessApi } from '#shared/api/business.ts';
import type { Input } from '#shared/api/endpoint.ts';
import { planNames } from '#shared/rules/business.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { csvHeader, csvLine, csvRows } from '#server/platform/csv.ts';
import type { Context } from '#server/platform/context.ts';
import { cohortsOf, monthNow, quartersOf } from './business.ts';
import { everyMonth } from './queries-business.ts';

/** A number, so that a spreadsheet adds it up. */
const dollars = (cents: number) => cents / 100;

const tables: Record<Input<typeof businessApi.csv>['query']['table'], (context: Context) => Promise<string>> = {
  months: async ({ db }) => {
    const { header, rows } = await everyMonth(db);
    // The tools and plans are written once for all their months.
    const written = new Map<string, string>();
    const lines = rows.map(({ month, toolName, toolId, plan, figures }) => {
      const key = `${plan} ${toolId}`;
      const tool = written.get(key) ?? csvLine([toolName, toolId, planNames[plan]]);
      written.set(key, tool);
      return `${month},${tool},${figures}\r\n`;
    });
    return csvHeader(['Month (Sydney)', 'Tool', 'Tool ID', 'Plan', ...header]) + lines.join('');
  },
  quarters: async (context) => {
    const quarters = await quartersOf(context, '2000-01', monthNow(context));
    return (
      csvHeader(['Quarter', 'From', 'To', 'Invoiced', 'Adjusted', 'GST invoiced', 'GST adjusted', 'GST collected']) +
      csvRows(
        quarters.map((row) => [
          row.id,
          row.first,
          row.last,
          dollars(row.invoicedCents),
          dollars(row.adjustedCents),
          dollars(row.gstInvoicedCents),
          dollars(row.gstAdjustedCents),
          dollars(row.gstInvoicedCents - row.gstAdjustedCents),
        ]),
      )
    );
  },
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
