import { day, plus } from '#shared/rules/dates.ts';
import type { DiscountCodeRow } from '#server/catalogue/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { advance } from '../bill/advance.ts';
import { findAttempt } from '../bill/queries-bills.ts';
import { addRow, changeRow } from '../effects.ts';
import { notCancelled, payerColumns, type SubscriptionRow, takeTrial } from '../queries.ts';
import { tellStarted, tellTrialStarted } from '../tell/events.ts';
import { withdrawAttempt } from './attempt.ts';
import { redeemCode } from './codes.ts';
import { monthAfterTrial, type PricedTool, takenFrom, trialDaysOf } from './quote.ts';

/** What begins without a charge asks nothing of Stripe. */

/** Withdraws an open purchase of this tool, also of a row that is over by now; false where it is paid. */
export async function makeWay(context: Context, { reading, tool }: PricedTool): Promise<boolean> {
  const open = await findAttempt(context.db, reading.payer);
  const isOfTool = open && [...open.lines, ...open.parts].some(({ toolId }) => toolId === tool.id);
  return !isOfTool || withdrawAttempt(context, open);
}

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
    if (!reading) return null;
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

/** Whether it costs nothing, with the bill brought to now under the payer's lock. */
async function isStillFree(inside: Context, { reading: { payer }, sale }: PricedTool): Promise<boolean> {
  const reading = await advance(inside, payer);
  return reading !== null && sale(reading).quote?.totalCents === 0;
}

/** Adds what costs this payer nothing; null where the slot is taken, or where it costs something by now. */
export const startFree = (context: Context, priced: PricedTool): Promise<SubscriptionRow | null> =>
  transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    if (!(await isStillFree(inside, priced))) return null;
    const own = { unitCents: 0, priceNumber: 0, monthlyCents: 0 };
    const values = { ...columnsFor(priced, context.now()), ...own, status: 'active' as const };
    const row = await addRow(inside, values, { byCaller: true });
    if (row) await tellStarted(inside, row);
    return row;
  });

/** Starts a cancelled subscription again, free. */
export const startFreeAgain = (
  context: Context,
  priced: PricedTool,
  row: SubscriptionRow,
): Promise<SubscriptionRow | null> =>
  transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    if (!(await isStillFree(inside, priced))) return null;
    const free = {
      status: 'active' as const,
      autoRenew: true,
      monthlyCents: 0,
      stripeSubscriptionId: null,
      endDate: null,
      gracePeriodEnd: null,
      paymentProblem: null,
      paidUntil: null,
      ...notCancelled,
    };
    return changeRow(inside, row, free, { byCaller: true });
  });
