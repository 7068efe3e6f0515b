import type Stripe from 'stripe';
import { billedFrom } from '#shared/rules/billing/bill.ts';
import { lockPayer, type Payer } from '#server/payers/service.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { changeRow } from '../effects.ts';
import { toBillRow } from '../queries.ts';
import { tellAutoRenew } from '../tell/events.ts';
import { closeBill } from './closing.ts';
import { openBillsOf } from './queries-bills.ts';
import { readBill } from './read.ts';

/**
 * Somebody ended the payer's subscription in Stripe's dashboard: what is paid stays open until its end and does not renew, and a last
 * bill has what still waits. Where grace.ts has ended it, this does nothing: the bill that was not paid says so.
 */
export const billEndedAtStripe = (context: Context, payer: Payer, { id }: Stripe.Subscription): Promise<void> =>
  transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    await lockPayer(tx, payer);
    const reading = await readBill(inside, payer);
    if (!reading || reading.facts.stripeSubscriptionId !== id) return;
    const isOver = ({ graceEnd }: { graceEnd: Date | null }) => graceEnd !== null && graceEnd <= inside.now();
    if ((await openBillsOf(tx, payer)).some(isOver)) return;
    const { facts, slots } = reading;
    for (const row of slots) {
      const from = row.status === 'grace_period' ? row.endDate : billedFrom(toBillRow(row), facts);
      const isLater = row.status === 'trial' && from !== null && from > facts.nextBillAt!;
      if (!row.autoRenew || !from || isLater || row.purchase !== null) continue;
      const after = await changeRow(inside, row, { autoRenew: false });
      if (!after) throw new Error(`the subscription ${row.id} changed under its payer's lock`);
      await tellAutoRenew(inside, after);
    }
    await closeBill(inside, reading);
  });
