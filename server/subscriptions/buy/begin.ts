import { billOf, isOnBill } from '#shared/rules/billing/bill.ts';
import { nextBillAt } from '#shared/rules/billing/forecast.ts';
import { day, hour, minute, plus, plusMonths } from '#shared/rules/dates.ts';
import { incompleteLifeMs, renewalSlackMs } from '#shared/rules/billing/subscriptions.ts';
import { onFile, type Payer, payerOf } from '#server/payers/service.ts';
import { unlessRefused } from '#server/stripe/ask.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { eachOf } from '#server/platform/queue/each-of.ts';
import { advance } from '../bill/advance.ts';
import { mirrorNow } from '../bill/mirror.ts';
import {
  attemptsToResume,
  type BillRecord,
  deleteAttempt,
  findAttempt,
  findBill,
  insertBill,
  rowIdsOf,
} from '../bill/queries-bills.ts';
import { readBill } from '../bill/read.ts';
import { changeRow, queueMirror } from '../effects.ts';
import { findSubscription, updateRow } from '../queries.ts';
import { payersToBegin } from '../queries-due.ts';
import { payersOf } from '../work-through.ts';
import { continueAttempt, endAttempt, makeSubscription, withdrawAttempt } from './attempt.ts';

/**
 * Where no bill lives, the end of a trial with a card begins one: a day before, Stripe gets a subscription whose first month begins
 * then. An attempt of kind `month` is written before Stripe is asked, and is deleted once the payer's bill is stored.
 */
export const beginBills = (context: Context): Promise<void> =>
  eachOf(context, {
    find: async () => payersOf(await payersToBegin(context.db, plus(context.now(), day))),
    work: ({ payer }) => beginBill(context, payer),
    fault: 'a bill could not begin',
  });

async function beginBill(context: Context, payer: Payer): Promise<void> {
  const open = await findAttempt(context.db, payer);
  if (open?.kind === 'month') return continueBegin(context, open);
  if (open) {
    // Only one can begin the bill. Whoever is buying may finish, until it has to be the trial.
    const reading = await readBill(context, payer);
    const at = nextBillAt(reading.input);
    if (!at || at > plus(context.now(), hour) || !(await withdrawAttempt(context, open))) return;
  }
  const attempt = await transaction(context.db, (tx) => writeBegin(within(context, tx), payer));
  if (attempt) await continueBegin(context, attempt);
}

/** Writes the attempt down. All trials that end on that day in Sydney end at the moment of the first, as the bill says. */
async function writeBegin(inside: Context, payer: Payer): Promise<BillRecord | null> {
  const reading = await advance(inside, payer);
  const at = nextBillAt(reading.input);
  const now = inside.now();
  if (!at || reading.facts.nextBillAt || at > plus(now, day) || plus(at, renewalSlackMs) < now) return null;
  const latest = Math.max(at.getTime(), plus(now, 5 * minute).getTime());
  // Stripe counts in seconds.
  const startsAt = new Date(Math.floor(latest / 1000) * 1000);
  const bill = billOf(reading.input, at);
  const begun = { ...bill, at: startsAt, until: plusMonths(startsAt, 1) };
  const attempt = await insertBill(inside.db, payer, begun, { kind: 'month', status: 'attempt', createdAt: now });
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
  const made = await unlessRefused(makeSubscription(context, attempt, attempt.at));
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
  if (reading.facts.nextBillAt) return false;
  const { rows, payer: facts } = reading.input;
  const ids = rowIdsOf(attempt).filter((id) => {
    const row = rows.find((one) => one.id === id);
    return row && isOnBill(row, facts, attempt.at);
  });
  if (ids.length === 0) return false;
  await onFile.storeBill(inside.db, payer, { stripeSubscriptionId, billingAnchor: attempt.at, nextBillAt: attempt.at });
  for (const id of ids) {
    const row = await findSubscription(inside.db, id);
    // What an older release sold keeps its own until it has joined.
    if (row?.purchase === null) await updateRow(inside.db, row, { stripeSubscriptionId });
  }
  await deleteAttempt(inside.db, attempt.id);
  await queueMirror(inside, payer);
  return true;
}

/** When an attempt can no longer be paid: after 23 hours, and part of a month at the billing instant that comes first. */
function attemptEnds({ kind, createdAt, at, until }: BillRecord): Date {
  const old = plus(createdAt, incompleteLifeMs);
  if (kind !== 'tool') return old;
  const before = plusMonths(until, -1);
  const instant = before > at ? before : until;
  return instant < old ? instant : old;
}

/** Completes purchases that a crash interrupted, under the same idempotency key, and withdraws those that nobody has paid in time. */
export async function resumePurchases(context: Context): Promise<void> {
  const tooOld = plus(context.now(), -incompleteLifeMs);
  const isDue = (attempt: BillRecord) => attempt.stripeInvoiceId === null || attemptEnds(attempt) <= context.now();
  await eachOf(context, {
    find: async () => (await attemptsToResume(context.db, tooOld)).filter(isDue),
    work: async (attempt) => {
      if (attempt.kind === 'month') await continueBegin(context, attempt);
      else if (attemptEnds(attempt) <= context.now()) await withdrawAttempt(context, attempt);
      else await continueAttempt(context, attempt);
    },
    fault: 'a purchase could not go on',
  });
}
