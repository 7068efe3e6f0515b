import { type ForecastInput, monthlyCentsAt, nextInvoiceAt } from '#shared/rules/forecast.ts';
import { type FreeMonths, withFreeMonths } from '#shared/rules/pricing.ts';
import { plusMonths } from '#shared/rules/dates.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import type { PurchaseAttempt } from '#shared/schema/subscriptions.ts';
import { findPayerFacts, lockPayer, type Payer, type PayerFacts, payerOf } from '#server/payers/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { datedTiers } from '../price/quote.ts';
import { findSubscription, type SlotRow, slotsOf, toForecastRow, updateRow } from '../queries.ts';
import { queueReprice } from '../sync/effects.ts';

/** What free months would do to one tool. */
export type FreeMonthsOfTool = {
  id: string;
  toolName: string;
  free: FreeMonths;
  /** The invoices that are free, and what each would otherwise cost. */
  invoices: { at: Date; cents: number }[];
  /** The first one that costs something, and what. */
  after: { at: Date; cents: number };
};
export type FreeMonthsOutlook = { payer: Payer; tools: FreeMonthsOfTool[] };

/** What a row was before months were given, so that they can be taken back. */
export type GivenMonths = {
  id: string;
  /** The first of the invoices that are free. */
  begins: string;
  until: string;
  before: FreeMonths | null;
  monthlyCents: number;
  coupons: PurchaseAttempt['coupons'];
};

/** The next invoice that Stripe will charge; null where there is none, and so nothing to give. */
function nextOf(row: SlotRow, facts: PayerFacts, now: Date): Date | null {
  const free = facts.kind === 'user' && facts.freeAccess;
  if (free || facts.chargesPaused || row.toolId === lostMoneyTool) return null;
  const next = nextInvoiceAt(toForecastRow(row), facts.cardOnFile);
  return next && next > now ? next : null;
}

async function reading(context: Context, payer: Payer) {
  const facts = await findPayerFacts(context.db, payer);
  if (!facts) throw new AppError('subscription_gone');
  return { facts, tiers: await datedTiers(context), slots: await slotsOf(context.db, payer) };
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
  const { facts, tiers, slots } = await reading(context, payer);
  const now = context.now();
  const input: ForecastInput = { payer: facts, tiers, rows: slots.map(toForecastRow), now };
  const tools = slots
    .filter((row) => all || row.id === id)
    .flatMap((row): FreeMonthsOfTool[] => {
      const next = nextOf(row, facts, now);
      const given = next && withFreeMonths(row.freeMonths, next, months, row.billingDay);
      if (!given) return [];
      const { begins, ...free } = given;
      const costAt = (at: Date, freeMonths: FreeMonths | null) =>
        monthlyCentsAt({ ...toForecastRow(row), freeMonths }, at, input);
      const dates = Array.from({ length: months }, (_, month) => plusMonths(begins, month, row.billingDay));
      const until = new Date(free.until);
      return [
        {
          id: row.id,
          toolName: row.toolName,
          free,
          invoices: dates.map((at) => ({ at, cents: costAt(at, row.freeMonths) })),
          after: { at: until, cents: costAt(until, free) },
        },
      ];
    })
    .filter(({ invoices }) => invoices.some(({ cents }) => cents > 0));
  return { payer, tools };
}

/** Gives the months, in the caller's transaction; Stripe follows by a job. Answers what taking them back needs. */
export async function giveFreeMonths(
  inside: Context,
  payer: Payer,
  { ids, months }: { ids: readonly string[]; months: number },
): Promise<GivenMonths[]> {
  await lockPayer(inside.db, payer);
  const { facts, slots } = await reading(inside, payer);
  const given: GivenMonths[] = [];
  for (const row of slots.filter(({ id }) => ids.includes(id))) {
    const next = nextOf(row, facts, inside.now());
    const more = next && withFreeMonths(row.freeMonths, next, months, row.billingDay);
    if (!more) continue;
    const { begins, ...freeMonths } = more;
    if (!(await updateRow(inside.db, row, { freeMonths }))) throw new AppError('conflict');
    const { id, freeMonths: before, monthlyCents, purchase } = row;
    const { until } = freeMonths;
    given.push({ id, begins: begins.toISOString(), until, before, monthlyCents, coupons: purchase?.coupons ?? [] });
  }
  if (given.length === 0) throw new AppError('nothing_to_free');
  await queueReprice(inside, payer, { verify: true });
  return given;
}

/** Takes the months back, until an invoice has been free because of them. */
export async function takeFreeMonthsBack(inside: Context, payer: Payer, given: readonly GivenMonths[]): Promise<void> {
  await lockPayer(inside.db, payer);
  const { slots } = await reading(inside, payer);
  for (const { id, begins, until, before, monthlyCents, coupons } of given) {
    const row = slots.find((one) => one.id === id);
    // It has ended, and is no longer charged.
    if (!row) continue;
    if (new Date(begins) <= inside.now() || row.freeMonths?.until !== until) throw new AppError('free_months_began');
    const purchase = row.purchase && { ...row.purchase, coupons };
    if (!(await updateRow(inside.db, row, { freeMonths: before, monthlyCents, purchase, priceTold: null })))
      throw new AppError('conflict');
  }
  await queueReprice(inside, payer, { verify: true });
}
