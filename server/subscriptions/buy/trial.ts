import { day, plus } from '#shared/rules/dates.ts';
import type { DiscountCodeRow } from '#server/catalogue/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { advance } from '../bill/advance.ts';
import { goingOn } from '../bill/unpaid.ts';
import { addRow, changeRow } from '../effects.ts';
import { notCancelled, payerColumns, type SubscriptionRow, takeTrial } from '../queries.ts';
import { tellStarted, tellTrialStarted } from '../tell/events.ts';
import { redeemCode } from './codes.ts';
import { monthAfterTrial, type PricedTool, takenFrom, trialDaysOf } from './quote.ts';

/** What begins without a charge asks nothing of Stripe. */

/** The columns of a new row of this tool. */
export const columnsFor = ({ row, tool, reading, price }: PricedTool, now: Date) => ({
  ...payerColumns(reading.payer),
  id: row.id,
  toolId: tool.id,
  unitCents: row.price.unitCents,
  priceNumber: row.price.number,
  monthlyCents: price.totalCents,
  quantity: reading.facts.members,
  createdAt: now,
});

/** Starts a trial, once per person and tool; null where the slot is taken. An offer counts from the first month after it. */
export const startTrial = (
  context: Context,
  priced: PricedTool,
  code: DiscountCodeRow | null,
): Promise<SubscriptionRow | null> =>
  transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    const { payer, facts } = priced.reading;
    const reading = await advance(inside, payer);
    const now = context.now();
    // Stripe counts in seconds, should the bill begin with its end.
    const whole = new Date(Math.floor(now.getTime() / 1000) * 1000);
    const trialEndDate = plus(whole, trialDaysOf(payer) * day);
    const { offer } = priced.row;
    const winBack = offer && takenFrom(monthAfterTrial(reading, priced.row, trialEndDate), offer);
    const values = { ...columnsFor(priced, now), status: 'trial' as const, trialEndDate, winBack };
    const row = await addRow(inside, values, { byCaller: true });
    if (!row) return null;
    if (!(await takeTrial(tx, facts.trialIdentities, row.toolId, row.id))) throw new AppError('trial_used');
    await redeemCode(tx, { payer, toolId: row.toolId, subscriptionId: row.id, code }, now);
    await tellTrialStarted(inside, row);
    return row;
  });

/**
 * Adds what costs this payer nothing, or starts their cancelled subscription `again`; null where the slot is taken or the row has
 * changed, or where it costs something by now.
 */
export const startFree = (
  context: Context,
  priced: PricedTool,
  again: SubscriptionRow | null = null,
): Promise<SubscriptionRow | null> =>
  transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    const reading = await advance(inside, priced.reading.payer);
    if (priced.sale(reading).quote?.totalCents !== 0) return null;
    const free = { ...goingOn(null), monthlyCents: 0 };
    if (again) {
      const ended = { autoRenew: true, stripeSubscriptionId: null, paidUntil: null, ...notCancelled };
      return changeRow(inside, again, { ...free, ...ended }, { byCaller: true });
    }
    const values = { ...columnsFor(priced, context.now()), unitCents: 0, priceNumber: 0, ...free };
    const row = await addRow(inside, values, { byCaller: true });
    if (row) await tellStarted(inside, row);
    return row;
  });
