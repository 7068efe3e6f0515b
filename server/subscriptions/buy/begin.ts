import { billedFrom, billOf } from '#shared/rules/billing/bill.ts';
import { nextBillAt } from '#shared/rules/billing/forecast.ts';
import { day, hour, minute, plus, plusMonths } from '#shared/rules/dates.ts';
import { renewalSlackMs } from '#shared/rules/billing/subscriptions.ts';
import { type Payer, payerKey, payerOf, storeBillState } from '#server/payers/service.ts';
import { isRefusal } from '#server/stripe/ask.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { advance, stored } from '../bill/advance.ts';
import { mirrorNow } from '../bill/mirror.ts';
import { type BillRecord, findAttempt, findBill, insertBill } from '../bill/queries-bills.ts';
import { readBill } from '../bill/read.ts';
import { changeRow, queueMirror } from '../effects.ts';
import { findSubscription, updateRow } from '../queries.ts';
import { makeSubscription } from './at-stripe.ts';
import { endAttempt, rowIdsOf, withdrawAttempt } from './attempt.ts';
import { eachOf } from './each.ts';
import { deleteAttempt, payersToBegin } from './queries-attempts.ts';

/**
 * Where no bill lives, the end of a trial with a card begins one: a day before, Stripe gets a subscription whose first month begins
 * then. An attempt of kind `month` is written before Stripe is asked, and is deleted once the payer's bill is stored.
 */
export const beginBills = (context: Context): Promise<void> =>
  eachOf(
    context,
    async () =>
      (await payersToBegin(context.db, plus(context.now(), day))).map((row) => ({
        id: payerKey(payerOf(row)),
        payer: payerOf(row),
      })),
    ({ payer }) => beginBill(context, payer),
  );

async function beginBill(context: Context, payer: Payer): Promise<void> {
  const open = await findAttempt(context.db, payer);
  if (open?.kind === 'month') return continueBegin(context, open);
  if (open) {
    // Only one can begin the bill. Whoever is buying may finish, until it has to be the trial.
    const reading = await readBill(context, payer);
    const at = reading && nextBillAt(reading.input);
    if (!at || at > plus(context.now(), hour) || !(await withdrawAttempt(context, open))) return;
  }
  const attempt = await transaction(context.db, (tx) => writeBegin(within(context, tx), payer));
  if (attempt) await continueBegin(context, attempt);
}

/** Writes the attempt down. All trials that end on that day in Sydney end at the moment of the first, as the bill says. */
async function writeBegin(inside: Context, payer: Payer): Promise<BillRecord | null> {
  const reading = await advance(inside, payer);
  const at = reading && nextBillAt(reading.input);
  const now = inside.now();
  if (!at || reading.facts.nextBillAt || at > plus(now, day) || plus(at, renewalSlackMs) < now) return null;
  const latest = Math.max(at.getTime(), plus(now, 5 * minute).getTime());
  // Stripe counts in seconds.
  const startsAt = new Date(Math.floor(latest / 1000) * 1000);
  const bill = billOf(reading.input, at);
  const attempt = await insertBill(inside.db, payer, {
    kind: 'month',
    status: 'attempt',
    ...stored(bill),
    at: startsAt,
    until: plusMonths(startsAt, 1),
    createdAt: now,
  });
  if (!attempt) return null;
  for (const { subscriptionId } of bill.lines) {
    const row = reading.slots.find(({ id }) => id === subscriptionId)!;
    const ends = row.status === 'trial' ? row.trialEndDate : row.endDate;
    if (ends?.getTime() === startsAt.getTime()) continue;
    const change = row.status === 'trial' ? { trialEndDate: startsAt } : { endDate: startsAt };
    await changeRow(inside, row, change);
  }
  return attempt;
}

/** Makes the subscription, or finds it, and stores it; ends it where nothing goes on by now. */
export async function continueBegin(context: Context, attempt: BillRecord): Promise<void> {
  const payer = payerOf(attempt);
  const made = await makeSubscription(context, attempt, attempt.at).catch((error: unknown) => {
    if (isRefusal(error)) return null;
    throw error;
  });
  // Its beginning has passed: the next run writes another attempt.
  if (!made) return endAttempt(context, attempt);
  const begun = await transaction(context.db, (tx) => storeBegin(within(context, tx), payer, attempt, made.id));
  if (begun) await mirrorNow(context, payer);
  else await withdrawAttempt(context, attempt);
}

/** False where it has to end again; true also where another process has stored it. */
async function storeBegin(inside: Context, payer: Payer, attempt: BillRecord, stripeSubscriptionId: string) {
  const reading = await advance(inside, payer);
  if (!(await findBill(inside.db, attempt.id))) return true;
  if (!reading || reading.facts.nextBillAt) return false;
  const { rows, payer: facts } = reading.input;
  const ids = rowIdsOf(attempt).filter((id) => {
    const row = rows.find((one) => one.id === id);
    const from = row && billedFrom(row, facts);
    return from && from <= attempt.at;
  });
  if (ids.length === 0) return false;
  await storeBillState(inside.db, payer, { stripeSubscriptionId, billingAnchor: attempt.at, nextBillAt: attempt.at });
  for (const id of ids) {
    const row = await findSubscription(inside.db, id);
    // What an older release sold keeps its own until it has joined.
    if (row?.purchase === null) await updateRow(inside.db, row, { stripeSubscriptionId });
  }
  await deleteAttempt(inside.db, attempt.id);
  await queueMirror(inside, payer);
  return true;
}
