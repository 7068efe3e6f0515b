import type { Charge, Confirmation } from '#shared/api/charge.ts';
import { totalled } from '#shared/rules/billing/bill.ts';
import { forecastOf } from '#shared/rules/billing/forecast.ts';
import { attemptReuseMs } from '#shared/rules/billing/subscriptions.ts';
import type { Payer } from '#server/payers/service.ts';
import { confirmationOf, nothingToConfirm } from '#server/stripe/invoices.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { advanceNow } from '../bill/advance.ts';
import { mirrorNow } from '../bill/mirror.ts';
import { type BillRecord, findAttempt } from '../bill/queries-bills.ts';
import type { BillReading } from '../bill/read.ts';
import { billOfEndedAccess } from '../forecast.ts';
import { type SubscriptionRow, updateRow } from '../queries.ts';
import { agreedCharge, refuseUnpaid } from './agreed.ts';
import {
  askedBy,
  askedByOrder,
  claim,
  continueAttempt,
  findAgain,
  withCredit,
  withdrawAttempt,
  type WriteRows,
} from './attempt.ts';
import { continueBegin } from './begin.ts';
import { inputAfter, type Order, priceTool, type Sale } from './quote.ts';
import { startFreeAgain } from './trial.ts';

type Wanted = {
  payer: Payer;
  /** The payer's bill, brought to now. */
  reading: BillReading;
  sale: Sale;
  write: WriteRows;
  charge: Charge | undefined;
  paysGrace?: boolean;
};

/** What the browser still has to confirm; `started` once it is paid, or needs no payment now. */
type Bought = { confirmation: Confirmation; started: boolean };

/**
 * Buys what is priced so: goes on with the same purchase where one is open, else withdraws the open one and begins another. The
 * card on file is charged if the payer agreed to that, else the payment form opens. Null where something has changed meanwhile.
 */
export async function buy(context: Context, wanted: Wanted): Promise<Bought | null> {
  const { payer, reading, sale, charge, ...how } = wanted;
  const open = await findAttempt(context.db, payer);
  if (open?.kind === 'month') return continueBegin(context, open).then(() => null);
  const asked = askedByOrder(sale(reading));
  const isOpen = open !== null && askedBy(open) === asked && isYoung(open, context.now());
  if (open && !isOpen && !(await withdrawAttempt(context, open))) return refusePaid(context, wanted, open);
  const due = await agreedCharge(context, payer, charge, (creditCents) => {
    const { bill, nextCents, quote } = sale(withCredit(reading, creditCents));
    return { cents: bill.totalCents, nextCents, quote };
  });
  if (!open && (await findAgain(context, reading))) return null;
  const claimed = isOpen ? open : await claim(context, { payer, sale, asked, creditCents: due.creditCents, ...how });
  const continued = claimed === 'begun' ? claimed : claimed && (await continueAttempt(context, claimed, due));
  if (!continued) return null;
  if (continued !== 'begun' && continued.bill.status !== 'paid')
    return { confirmation: confirmationOf(continued.invoice), started: false };
  await mirrorNow(context, payer);
  return { confirmation: nothingToConfirm, started: true };
}

/** It won't expire while the adviser is paying. */
const isYoung = ({ createdAt }: BillRecord, now: Date) => now.getTime() - createdAt.getTime() <= attemptReuseMs;

/** The open purchase turned out to be paid: another one now costs something else, which has to be agreed to first. */
async function refusePaid(context: Context, { payer, sale, reading }: Wanted, paid: BillRecord): Promise<null> {
  const tools = new Set([...paid.lines, ...paid.parts].map(({ toolId }) => toolId));
  const { bill } = sale(reading);
  if ([...bill.lines, ...bill.parts].some(({ toolId }) => tools.has(toolId))) return null;
  const now = await advanceNow(context, payer);
  const quote = now && sale(now).quote;
  throw new AppError('price_changed', quote ? { quote } : {});
}

/** A row that is to be bought again, as it was read. */
type Again = Pick<SubscriptionRow, 'id' | 'revision'>;

/** Until it is paid, a row that is bought again keeps its status and dates. Its offer and free months have ended. */
const again =
  (read: readonly Again[]): WriteRows =>
  async ({ db }, { months }, { facts }) => {
    const rows: SubscriptionRow[] = [];
    for (const { id, cents } of months) {
      const row = read.find((one) => one.id === id)!;
      const change = { monthlyCents: cents, quantity: facts.members, winBack: null, freeMonths: null };
      const after = await updateRow(db, row, change);
      if (!after) return null;
      rows.push(after);
    }
    return rows;
  };

/**
 * Buys a subscription again whose paid period is over, at its own price: as the first bill, or as another tool. Null where
 * something has changed meanwhile.
 */
export async function purchaseRow(
  context: Context,
  payer: Payer,
  row: SubscriptionRow,
  charge: Charge | undefined,
): Promise<Confirmation | null> {
  const priced = await priceTool(context, payer, row.toolId, null, advanceNow);
  const { slot, reading, sale, quote } = priced;
  if (slot?.id !== row.id || slot.revision !== row.revision) return null;
  if (quote.totalCents === 0) return (await startFreeAgain(context, priced, row)) ? nothingToConfirm : null;
  await refuseUnpaid(context, reading);
  const bought = await buy(context, { payer, reading, sale, write: again([row]), charge });
  return bought && bought.confirmation;
}

/** The first bill of tools that cost again since free access ended. */
const againFor =
  (ids: ReadonlySet<string>): Sale =>
  (reading): Order => {
    const { input } = reading;
    const all = billOfEndedAccess(input);
    if (!all) throw new AppError('conflict');
    const lines = all.lines.filter(({ subscriptionId }) => ids.has(subscriptionId));
    const bill = totalled({ ...all, lines }, input.payer.creditCents);
    const months = lines.map(({ subscriptionId, cents }) => ({ id: subscriptionId, cents }));
    const rows = input.rows.filter(({ id }) => lines.some(({ subscriptionId }) => subscriptionId === id));
    const next = forecastOf(inputAfter(input, { bill, kind: 'first' }, rows)).bill;
    return { kind: 'first', bill, months, nextCents: next && next.totalCents, quote: null };
  };

/** Buys several rows at once as one first bill, where free access ended. Null where something has changed meanwhile. */
export async function purchaseRows(
  context: Context,
  payer: Payer,
  rows: readonly Again[],
  charge: Charge | undefined,
): Promise<Confirmation | null> {
  const reading = await advanceNow(context, payer);
  if (!reading || !billOfEndedAccess(reading.input)) return null;
  const sale = againFor(new Set(rows.map(({ id }) => id)));
  const bought = await buy(context, { payer, reading, sale, write: again(rows), charge, paysGrace: true });
  return bought && bought.confirmation;
}
