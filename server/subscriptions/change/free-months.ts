import { type BillInput, type BillRow, priceAt } from '#shared/rules/billing/bill.ts';
import { firstBillOf } from '#shared/rules/billing/forecast.ts';
import { plusMonths } from '#shared/rules/dates.ts';
import { type FreeMonths, withFreeMonths } from '#shared/rules/billing/pricing.ts';
import type { Payer } from '#server/payers/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { advance } from '../bill/advance.ts';
import { queueMirror } from '../effects.ts';
import { updateRow } from '../queries.ts';
import { handled } from './by-administrator.ts';

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
