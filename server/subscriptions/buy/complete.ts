import { findPayerFacts, payerOf, storeBillState } from '#server/payers/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import type { BillRecord } from '../bill/queries-bills.ts';
import { goingOn } from '../bill/unpaid.ts';
import { changeRow } from '../effects.ts';
import { findSubscription, notCancelled, type SubscriptionRow } from '../queries.ts';
import { takenFrom } from './quote.ts';

/** What a purchase gives once it is paid: its tools, and with a first bill the payer's billing instant. In the payment's own transaction. */
export async function completePurchase(inside: Context, bill: BillRecord): Promise<void> {
  const payer = payerOf(bill);
  const facts = await findPayerFacts(inside.db, payer);
  const { kind, at, until } = bill;
  let { stripeSubscriptionId } = bill;
  if (kind === 'first') {
    if (facts?.nextBillAt) throw new Error(`the bill ${bill.id} is paid, and its payer has another one`);
    await storeBillState(inside.db, payer, { stripeSubscriptionId, billingAnchor: at, nextBillAt: until });
  } else stripeSubscriptionId = facts?.stripeSubscriptionId ?? null;
  const period = { kind, at, until, stripeSubscriptionId };
  for (const { subscriptionId, cents: monthlyCents, quantity } of bill.lines)
    await startRow(inside, subscriptionId, period, { monthlyCents, quantity });
  for (const { subscriptionId } of bill.parts) if (subscriptionId) await startRow(inside, subscriptionId, period);
}

type Period = Pick<BillRecord, 'at' | 'until' | 'stripeSubscriptionId'> & { kind: string };
type Month = Pick<SubscriptionRow, 'monthlyCents' | 'quantity'>;

/** A row that is paid from now until then. An offer counts its months from the first whole one. */
export async function startRow(inside: Context, id: string, period: Period, month?: Month): Promise<SubscriptionRow> {
  const { kind, at, until, stripeSubscriptionId } = period;
  const row = await findSubscription(inside.db, id);
  if (!row) throw new Error(`the subscription ${id} is paid, and gone`);
  const after = await changeRow(inside, row, {
    ...goingOn(until),
    isActive: true,
    autoRenew: true,
    periodStart: at,
    stripeSubscriptionId,
    paidUntil: null,
    expiredAt: null,
    ...notCancelled,
    ...month,
    ...(row.status === 'incomplete' &&
      row.winBack && { winBack: takenFrom(kind === 'first' ? at : until, row.winBack) }),
  });
  if (!after) throw new AppError('conflict');
  return after;
}
