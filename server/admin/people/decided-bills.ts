import { billAfter, type BillInput, billOf } from '#shared/rules/billing/bill.ts';
import type { Bill } from '#shared/rules/billing/bill-types.ts';
import { nextBillAt } from '#shared/rules/billing/forecast.ts';
import { noticeDays } from '#shared/rules/billing/own-price.ts';
import { payerKey, payerOf } from '#server/payers/service.ts';
import { readBill } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';

/** A day more than the notice: in that day everybody is told. */
export const daysAhead = noticeDays + 1;

/** What the bills of these rows' payers are made of, in the order of the rows; each payer's is read once. */
export async function readBills(
  context: Context,
  rows: readonly { userId: string | null; teamId: string | null }[],
): Promise<BillInput[]> {
  const payers = new Map(rows.map((row) => [payerKey(payerOf(row)), payerOf(row)]));
  const read = await Promise.all(
    [...payers].map(async ([key, payer]) => [key, (await readBill(context, payer)).input] as const),
  );
  const inputs = new Map(read);
  return rows.map((row) => inputs.get(payerKey(payerOf(row)))!);
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
