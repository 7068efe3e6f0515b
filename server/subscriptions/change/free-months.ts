import { billAfter, billedFrom, type BillInput, type BillRow, priceAt } from '#shared/rules/billing/bill.ts';
import { plusMonths } from '#shared/rules/dates.ts';
import { type FreeMonths, withFreeMonths } from '#shared/rules/billing/pricing.ts';
import { type Payer, payerOf } from '#server/payers/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { advance } from '../bill/advance.ts';
import { type BillReading, readBill } from '../bill/read.ts';
import { queueMirror } from '../effects.ts';
import { findSubscription, updateRow } from '../queries.ts';

/** What free months would do to one tool. */
export type FreeMonthsOfTool = {
  id: string;
  toolName: string;
  free: FreeMonths;
  /** The bills that don't charge for it, and what each would otherwise ask for it. */
  invoices: { at: Date; cents: number }[];
  /** The first one that costs something, and what. */
  after: { at: Date; cents: number };
};
export type FreeMonthsOutlook = { payer: Payer; tools: FreeMonthsOfTool[] };

/** What a row was before months were given, so that they can be taken back. */
export type GivenMonths = {
  id: string;
  /** The first of the bills that don't charge for it. */
  begins: string;
  until: string;
  before: FreeMonths | null;
};

/** The first bill that has the row a whole month, and the day that its months are counted from; null where none is coming. */
export function firstBillOf(row: BillRow, { payer, now }: BillInput): { at: Date; billingDay: number } | null {
  const from = billedFrom(row, payer);
  if (!from || from <= now) return null;
  const billingDay = payer.billingDay ?? from.getUTCDate();
  let at = payer.nextBillAt ?? from;
  while (at < from) at = billAfter(at, { billingDay });
  return { at, billingDay };
}

/** The first bill, where it asks for something; else there is nothing to give. */
const nextOf = (row: BillRow, input: BillInput) =>
  (input.payer.kind === 'user' && input.payer.freeAccess) || input.payer.chargesPaused ? null : firstBillOf(row, input);

function known(reading: BillReading | null): BillReading {
  if (!reading) throw new AppError('subscription_gone');
  return reading;
}

/** What so many free months would do to this subscription, or to all of its payer's. Empty where none can be given. */
export async function freeMonthsOutlook(
  context: Context,
  id: string,
  { months, all }: { months: number; all: boolean },
): Promise<FreeMonthsOutlook> {
  const found = await findSubscription(context.db, id);
  if (!found || found.status === 'incomplete') throw new AppError('subscription_gone');
  const payer = payerOf(found);
  const { input } = known(await readBill(context, payer));
  const tools = input.rows
    .filter((row) => all || row.id === id)
    .flatMap((row) => freeMonthsOf(row, input, months) ?? [])
    .filter(({ invoices }) => invoices.some(({ cents }) => cents > 0));
  return { payer, tools };
}

function freeMonthsOf(row: BillRow, input: BillInput, months: number): FreeMonthsOfTool | null {
  const next = nextOf(row, input);
  const given = next && withFreeMonths(row.freeMonths, next.at, months, next.billingDay);
  if (!next || !given) return null;
  const { begins, ...free } = given;
  const costAt = (at: Date, freeMonths: FreeMonths | null) => priceAt({ ...row, freeMonths }, input, at).totalCents;
  const dates = Array.from({ length: months }, (_, month) => plusMonths(begins, month, next.billingDay));
  const until = new Date(free.until);
  return {
    id: row.id,
    toolName: row.toolName,
    free,
    invoices: dates.map((at) => ({ at, cents: costAt(at, row.freeMonths) })),
    after: { at: until, cents: costAt(until, free) },
  };
}

/** Gives the months, in the caller's transaction; Stripe follows by a job. Answers what taking them back needs. */
export async function giveFreeMonths(
  inside: Context,
  payer: Payer,
  { ids, months }: { ids: readonly string[]; months: number },
): Promise<GivenMonths[]> {
  const { input, slots } = known(await advance(inside, payer));
  const given: GivenMonths[] = [];
  for (const row of slots.filter(({ id }) => ids.includes(id))) {
    const billRow = input.rows.find(({ id }) => id === row.id);
    const next = billRow && nextOf(billRow, input);
    const more = next && withFreeMonths(row.freeMonths, next.at, months, next.billingDay);
    if (!more) continue;
    const { begins, ...freeMonths } = more;
    if (!(await updateRow(inside.db, row, { freeMonths }))) throw new AppError('conflict');
    given.push({ id: row.id, begins: begins.toISOString(), until: freeMonths.until, before: row.freeMonths });
  }
  if (given.length === 0) throw new AppError('nothing_to_free');
  await queueMirror(inside, payer);
  return given;
}

/** Takes the months back, until a bill has been free because of them. */
export async function takeFreeMonthsBack(inside: Context, payer: Payer, given: readonly GivenMonths[]): Promise<void> {
  const { slots } = known(await advance(inside, payer));
  for (const { id, begins, until, before } of given) {
    const row = slots.find((one) => one.id === id);
    // It has ended, and is no longer charged.
    if (!row) continue;
    if (new Date(begins) <= inside.now() || row.freeMonths?.until !== until) throw new AppError('free_months_began');
    if (!(await updateRow(inside.db, row, { freeMonths: before }))) throw new AppError('conflict');
  }
  await queueMirror(inside, payer);
}
