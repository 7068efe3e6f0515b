import { billAfter, type BillInput, billOf } from '#shared/rules/billing/bill.ts';
import type { Bill } from '#shared/rules/billing/bill-types.ts';
import { nextBillAt } from '#shared/rules/billing/forecast.ts';
import { longestNoticeDays, noticeDays } from '#shared/rules/billing/own-price.ts';
import { day, plus, sydneyMidnight } from '#shared/rules/dates.ts';
import { payerKey, payerOf } from '#server/payers/service.ts';
import { forAdministrators, readBill } from '#server/subscriptions/service.ts';
import { fieldError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';

/** A day more than the notice: in that day everybody is told. */
export const daysAhead = noticeDays + 1;

/** Of how many payers one call of a preview works out the bills: more would keep everybody else waiting. */
const payersAtOnce = 100;

/**
 * The subscriptions of the tool, or all that cost something, that a decision may reach, with what their payers' bills are made of: a
 * page of payers. `next` is where the next page begins after.
 */
export async function reachable(context: Context, { toolId, after }: { toolId?: string; after: string | undefined }) {
  const ids = await forAdministrators.payersGoingOn(context.db, toolId, after, payersAtOnce);
  const found = await forAdministrators.subscriptionsGoingOn(context.db, toolId, ids);
  const rows = found.map((row) => ({ ...row, payer: payerOf(row) }));
  const payers = new Map(rows.map(({ payer }) => [payerKey(payer), payer]));
  // Each payer's is read once.
  const read = [...payers].map(async ([key, payer]) => [key, (await readBill(context, payer)).input] as const);
  const inputs = new Map(await Promise.all(read));
  return {
    rows: rows.map(({ id, status, payer }) => ({ id, status, input: inputs.get(payerKey(payer))! })),
    next: ids.length < payersAtOnce ? null : ids.at(-1)!,
  };
}

/** What a day has to be that leaves time to tell everybody. */
export const inTime = `please choose a day at least ${daysAhead} days from now, within a year, so that everybody is told ${noticeDays} days before`;

/** Midnight of that day in Sydney; refused with these words unless it is so many days from now, and within a year. */
export function startOn(date: string | undefined, days: number, now: Date, refusal: string): Date {
  const at = date === undefined ? null : sydneyMidnight(date);
  if (!at || at < plus(now, days * day) || at > plus(now, longestNoticeDays * day))
    throw fieldError('startsOn', refusal);
  return at;
}

/** The payer's first bill at that moment or later, as if a card kept every trial; null where none is coming. */
export function billOn(input: BillInput, from: Date): Bill | null {
  const kept = { ...input, payer: { ...input.payer, cardOnFile: true } };
  let at = nextBillAt(kept);
  if (!at) return null;
  const payer = { ...kept.payer, nextBillAt: at, billingDay: input.payer.billingDay ?? at.getUTCDate() };
  while (at < from) at = billAfter(at, payer);
  return billOf({ ...kept, payer }, at);
}
