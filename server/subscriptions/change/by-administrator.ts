import type { Charge } from '#shared/api/charge.ts';
import { extendedTrialEnd } from '#shared/rules/operators/admin.ts';
import { type BillInput, type BillRow, priceAt, withRow } from '#shared/rules/billing/bill.ts';
import { cancellationTerms } from '#shared/rules/billing/cancellation.ts';
import { firstBillOf, forecastOf, priceChanges } from '#shared/rules/billing/forecast.ts';
import { type FreeMonths, freeMonthsFrom, offerEnd, withFreeMonths } from '#shared/rules/billing/pricing.ts';
import { shownStatus, subscriptionCan } from '#shared/rules/billing/subscriptions.ts';
import { plusMonths } from '#shared/rules/dates.ts';
import { toolName } from '#server/catalogue/service.ts';
import { onFile, type Payer, payerOf } from '#server/payers/service.ts';
import { moveStart } from '#server/stripe/bill-subscription.ts';
import { payInvoice, voidInvoice } from '#server/stripe/invoices.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { type BillRecord, findBillByInvoice } from '../bill/queries-bills.ts';
import { readBill } from '../bill/read.ts';
import { settleBill } from '../bill/settle.ts';
import { agreedCharge } from '../buy/agreed.ts';
import { findSubscription, type SubscriptionRow, updateRow } from '../queries.ts';
import { type Cancellation, cancelOnce, changeFor, type Current, writeRow } from './change.ts';
import { advance } from '../bill/advance.ts';
import { queueMirror } from '../effects.ts';

/** A subscription that an administrator acts on, and what its payer's bill is made of. */
export async function handled(context: Context, id: string) {
  const row = await findSubscription(context.db, id);
  if (!row || row.status === 'incomplete') throw new AppError('subscription_gone');
  const payer = payerOf(row);
  const reading = await readBill(context, payer);
  return { payer, reading, row, toolName: await toolName(context.db, row.toolId) };
}

type Trial = Pick<Current, 'row' | 'reading'>;

const mayExtend = ({ row, reading: { facts, input } }: Trial) =>
  shownStatus({ ...row, cardOnFile: facts.cardOnFile }, input.now) === 'trial' &&
  row.autoRenew &&
  row.trialEndDate !== null &&
  row.trialEndDate > input.now;

export type Outlook = Awaited<ReturnType<typeof outlookOf>>;

/** What may be done with a subscription, and what it would do to it and to the payer's other prices, from our own rows. */
export async function outlookOf(context: Context, id: string, days: number) {
  const known = await handled(context, id);
  const { row, reading } = known;
  const { facts, input } = reading;
  const cancelled = (immediately: boolean) => {
    const terms = cancellationTerms(row, immediately, input.now);
    return { ...terms, changes: priceChanges(input, withRow(input, id, terms)) };
  };
  const end = mayExtend(known) ? extendedTrialEnd(row.createdAt, row.trialEndDate!, days) : null;
  const extended = end && withRow(input, id, { trialEndDate: end, endDate: end });
  return {
    ...known,
    cancel: subscriptionCan.cancel({ ...row, cardOnFile: facts.cardOnFile }, input.now)
      ? { atPeriodEnd: cancelled(false), now: cancelled(true) }
      : null,
    /** The trial with so many more days; null where it can't be extended. */
    trial: extended && { end, forecast: forecastOf(extended), changes: priceChanges(input, extended) },
  };
}

/** Cancels for the payer, as they could themselves. */
export async function cancelForPayer(context: Context, id: string, cancellation: Cancellation): Promise<void> {
  const { payer, reading, row } = await handled(context, id);
  await changeFor(context, payer, reading.facts.contactId, row.toolId, async (current) => {
    // It ended, and another has begun, since the administrator looked.
    if (current.row.id !== id) throw new AppError('conflict');
    return cancelOnce(context, current, cancellation);
  });
}

/** The caller names the end they saw, so that of two requests at once, or of a repeated one, only one extends the trial. */
function refuseExtension(trial: Trial, from: Date): void {
  if (!mayExtend(trial)) throw new AppError('cannot_extend');
  if (trial.row.trialEndDate!.getTime() !== from.getTime()) throw new AppError('trial_changed');
}

/** When a trial with so many more days would end. */
export async function longerTrial(context: Context, id: string, { from, days }: { from: Date; days: number }) {
  const known = await handled(context, id);
  refuseExtension(known, from);
  const end = extendedTrialEnd(known.row.createdAt, from, days);
  if (!end) throw new AppError('trial_too_long');
  return { end, payer: known.payer };
}

/** Moves the end of a trial. Repeated, it finds it as it should be. */
export async function extendTrial(context: Context, id: string, { from, end }: { from: Date; end: Date }) {
  const known = await handled(context, id);
  await changeFor(context, known.payer, known.reading.facts.contactId, known.row.toolId, async (current) => {
    const { row, payer } = current;
    if (row.id !== id) throw new AppError('cannot_extend');
    if (row.trialEndDate?.getTime() === end.getTime()) return {};
    refuseExtension(current, from);
    const moved = await moveBegin(context, current, end);
    return writeRow(context, current, extendedRow(current, end), async (inside) => {
      if (moved) await onFile.storeBill(inside.db, payer, { billingAnchor: end, nextBillAt: end });
    });
  });
  return known;
}

/** Free months and the months of a discount code begin with the first bill that has the tool. */
function extendedRow({ row, reading: { input } }: Current, end: Date): Partial<SubscriptionRow> {
  const dates = { trialEndDate: end, endDate: end };
  const billRow = input.rows.find(({ id }) => id === row.id);
  const first = billRow && firstBillOf({ ...billRow, ...dates }, input);
  if (!first) return dates;
  const { winBack, freeMonths } = row;
  return {
    ...dates,
    ...(winBack && { winBack: { ...winBack, endsAt: offerEnd(first.at, winBack).toISOString() } }),
    ...(freeMonths && { freeMonths: freeMonthsFrom(first.at, freeMonths.months, first.billingDay) }),
  };
}

/** Where the payer's bill was to begin with this trial alone, it begins later, at Stripe first. Whether it does. */
async function moveBegin(context: Context, { row, reading }: Current, end: Date): Promise<boolean> {
  const { stripeSubscriptionId, billingAnchor, nextBillAt } = reading.facts;
  const hasBegun = billingAnchor?.getTime() !== nextBillAt?.getTime();
  const isOther = ({ id, status, trialEndDate }: BillRow) =>
    id !== row.id && status === 'trial' && trialEndDate !== null && trialEndDate <= nextBillAt!;
  if (stripeSubscriptionId === null || hasBegun || reading.input.rows.some(isOther)) return false;
  if (row.trialEndDate!.getTime() !== nextBillAt!.getTime()) return false;
  if (!(await moveStart(context, stripeSubscriptionId, end))) throw new AppError('cannot_extend');
  return true;
}

const billOfInvoice = (context: Context, stripeInvoiceId: string): Promise<BillRecord> =>
  orRefuse(findBillByInvoice(context.db, stripeInvoiceId), 'invoice_settled');

/** The card on file to charge what is owed to; 409 where card or amount is not what was agreed to. */
export async function cardForInvoice(
  context: Context,
  { id, dueCents }: { id: string; dueCents: number },
  charge: Charge,
): Promise<{ id: string }> {
  const payer = payerOf(await billOfInvoice(context, id));
  const { card } = await agreedCharge(context, payer, charge, () => ({ cents: dueCents }));
  if (!card) throw new AppError('card_missing');
  return card;
}

/** Charges what is owed to that card while its owner is away; false where the bank refused. Under one key it happens once. */
export async function retryCharge(
  context: Context,
  id: string,
  { card, key }: { card: { id: string }; key: string },
): Promise<boolean> {
  const bill = await billOfInvoice(context, id);
  const paid = await payInvoice(context, id, card, { offSession: true, key });
  await settleBill(context, bill.id);
  // It was settled in another way meanwhile.
  if (!paid && (await billOfInvoice(context, id)).status !== 'unpaid') throw new AppError('invoice_settled');
  return paid;
}

/** Voids an open invoice, so that it is never charged; its tools go on. It may be repeated. */
export async function forgiveOpenInvoice(context: Context, id: string): Promise<void> {
  const bill = await billOfInvoice(context, id);
  if (!(await voidInvoice(context, id))) throw new AppError('invoice_settled');
  await settleBill(context, bill.id);
}

/** What a row was before months were given, so that they can be taken back. */
export type GivenMonths = {
  id: string;
  /** The first of the bills that don't charge for it. */
  begins: string;
  until: string;
  before: FreeMonths | null;
};

/** So many more free months, from the first bill that asks for something; null where there is nothing to give. */
function moreMonths(row: BillRow, input: BillInput, months: number) {
  const { payer } = input;
  const isFree = (payer.kind === 'user' && payer.freeAccess) || payer.chargesPaused;
  const next = isFree ? null : firstBillOf(row, input);
  const more = next && withFreeMonths(row.freeMonths, next.at, months, next.billingDay);
  if (!more) return null;
  const { begins, ...free } = more;
  return { begins, free, billingDay: next.billingDay };
}

export type FreeMonthsOutlook = Awaited<ReturnType<typeof freeMonthsOutlook>>;

/** What so many free months would do to this subscription, or to all of its payer's. Empty where none can be given. */
export async function freeMonthsOutlook(
  context: Context,
  id: string,
  { months, all }: { months: number; all: boolean },
) {
  const { payer, reading } = await handled(context, id);
  const tools = reading.input.rows
    .filter((row) => all || row.id === id)
    .flatMap((row) => freeMonthsOf(row, reading.input, months) ?? [])
    .filter(({ invoices }) => invoices.some(({ cents }) => cents > 0));
  return { payer, tools };
}

function freeMonthsOf(row: BillRow, input: BillInput, months: number) {
  const given = moreMonths(row, input, months);
  if (!given) return null;
  const { begins, free, billingDay } = given;
  const costAt = (at: Date, freeMonths: FreeMonths | null) => priceAt({ ...row, freeMonths }, input, at).totalCents;
  const dates = Array.from({ length: months }, (_, month) => plusMonths(begins, month, billingDay));
  const until = new Date(free.until);
  return {
    id: row.id,
    toolName: row.toolName,
    /** The bills that don't charge for it, and what each would otherwise ask for it. */
    invoices: dates.map((at) => ({ at, cents: costAt(at, row.freeMonths) })),
    /** The first one that costs something, and what. */
    after: { at: until, cents: costAt(until, free) },
  };
}

/** Gives the months, in the caller's transaction; Stripe follows by a job. Answers what taking them back needs. */
export async function giveFreeMonths(
  inside: Context,
  payer: Payer,
  { ids, months }: { ids: readonly string[]; months: number },
): Promise<GivenMonths[]> {
  const { input, slots } = await advance(inside, payer);
  const given: GivenMonths[] = [];
  for (const row of slots.filter(({ id }) => ids.includes(id))) {
    const billRow = input.rows.find(({ id }) => id === row.id);
    const more = billRow && moreMonths(billRow, input, months);
    if (!more) continue;
    const { begins, free } = more;
    if (!(await updateRow(inside.db, row, { freeMonths: free }))) throw new AppError('conflict');
    given.push({ id: row.id, begins: begins.toISOString(), until: free.until, before: row.freeMonths });
  }
  if (given.length === 0) throw new AppError('nothing_to_free');
  await queueMirror(inside, payer);
  return given;
}

/** Takes the months back, until a bill has been free because of them. */
export async function takeFreeMonthsBack(inside: Context, payer: Payer, given: readonly GivenMonths[]): Promise<void> {
  const { slots } = await advance(inside, payer);
  for (const { id, begins, until, before } of given) {
    const row = slots.find((one) => one.id === id);
    // It has ended, and is no longer charged.
    if (!row) continue;
    if (new Date(begins) <= inside.now() || row.freeMonths?.until !== until) throw new AppError('free_months_began');
    if (!(await updateRow(inside.db, row, { freeMonths: before }))) throw new AppError('conflict');
  }
  await queueMirror(inside, payer);
}
