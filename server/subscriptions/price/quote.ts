import type { Quote } from '#shared/api/subscriptions.ts';
import { day, plus, plusMonths } from '#shared/rules/dates.ts';
import { forecastOf, type ForecastRow, monthlyCentsAt, priceChanges } from '#shared/rules/forecast.ts';
import { afterCredit, centsOf } from '#shared/rules/money.ts';
import { type OwnPrice, unitCentsAt } from '#shared/rules/own-price.ts';
import {
  type DatedTier,
  nextTierAfter,
  numberOrdered,
  offerEnd,
  type Price,
  priceOf,
  type Tier,
  tiersAt,
  type WinBack,
} from '#shared/rules/pricing.ts';
import { hasAccess, isLive, trialDays } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import type { PurchaseAttempt } from '#shared/schema/subscriptions.ts';
import { findTool, tierSchedule } from '#server/catalogue/service.ts';
import { findPayerFacts, type Payer, type PayerFacts, payerFor } from '#server/payers/service.ts';
import { couponFor } from '#server/stripe/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { readTogether } from '#server/platform/database.ts';
import { findCode, offerOfCode, refuseCode } from './codes.ts';
import { isTrialUsed, ownPriceOf, type SlotRow, slotsOf, toForecastRow } from '../queries.ts';

/** Everything a purchase depends on, read at one moment. */
export type PricedTool = {
  tool: NonNullable<Awaited<ReturnType<typeof findTool>>>;
  /** The unit price that the subscription has, or will have. */
  own: OwnPrice;
  /** The last change of the volume discounts that a buyer counts as having been told of. */
  tiersNumber: number;
  /** Whether this person has had their trial of it. */
  trialUsed: boolean;
  payerFacts: PayerFacts;
  /** The payer's slots that are taken. */
  slots: SlotRow[];
  price: Price;
  quote: Quote;
  /** The same purchase with another win-back offer, or none. */
  priceWith: (winBack: WinBack | null) => Price;
};

/** What one tool costs this payer: both the quote and the charge come from here. */
export async function priceTool(
  context: Context,
  payer: Payer,
  toolId: string,
  winBack: WinBack | null = null,
): Promise<PricedTool> {
  const [payerFacts, schedule, slots, tool] = await readTogether(
    context.db,
    () => findPayerFacts(context.db, payer),
    () => tierSchedule(context),
    () => slotsOf(context.db, payer),
    () => findTool(context.db, toolId),
  );
  if (!tool?.isActive || !payerFacts) throw new AppError('tool_not_found');
  if (tool.comingSoon) throw new AppError('coming_soon');
  const holds = slots.some((row) => row.toolId === toolId && row.status !== 'incomplete');
  if (tool.closedAt && !holds) throw new AppError('tool_closed');

  const now = context.now();
  const tiers = tiersAt(schedule.tiers, now);
  const { cardOnFile, trialIdentities } = payerFacts;
  const trialUsed = await isTrialUsed(context.db, toolId, trialIdentities);
  const held = slots.find((row) => row.toolId === toolId && isLive({ ...row, cardOnFile }, now));
  const own = ownOrNew(tool, held, now);
  const asked: Priced = { id: toolId, name: tool.name, unitCents: own.unitCents };
  const paid = new Map<string, Priced>();
  for (const row of slots)
    if (row.toolId !== lostMoneyTool && hasAccess({ ...row, cardOnFile }, now))
      paid.set(row.toolId, { id: row.toolId, name: row.toolName, unitCents: unitCentsAt(ownPriceOf(row), now) });
  if (toolId !== lostMoneyTool) paid.set(toolId, asked);

  const priceAt = (of: Priced, paidTools: number, comeback = winBack) =>
    priceOf({
      toolId: of.id,
      toolName: of.name,
      unitCents: of.unitCents,
      payer: payerFacts,
      paidTools,
      tiers,
      winBack: of.id === toolId ? comeback : null,
    });
  const price = priceAt(asked, paid.size);
  const taken = held !== undefined;
  const nextChargeAt = price.totalCents > 0 ? plusMonths(now, 1) : null;
  const trial = price.totalCents > 0 && !trialUsed && !taken ? trialDaysOf(payer) : null;
  const others = slots.filter((row) => row.toolId !== toolId).map(toForecastRow);
  const asNow = { payer: payerFacts, tiers: schedule.tiers, rows: others, now };
  const boughtUntil = (end: Date, billingDay = end.getUTCDate(), first = now) => ({
    ...asNow,
    rows: [...others, { ...rowBought(tool, own, winBack, first, end), billingDay }],
  });
  const today = afterCredit(price.totalCents, payerFacts.creditCents);
  /** Its charge at that date; the card that pays for it keeps the payer's trials too. */
  const chargeOn = (at: Date, { creditCents }: { creditCents: number }, first = now) => {
    const { charges } = forecastOf({
      ...boughtUntil(at, at.getUTCDate(), first),
      payer: { ...payerFacts, cardOnFile: true, creditCents },
    });
    const charge = charges.find((one) => one.toolId === toolId);
    const cents = charge?.totalCents ?? 0;
    return { cents, priceCents: cents - (charge?.lines.find(({ kind }) => kind === 'credit')?.cents ?? 0) };
  };
  /** The full price after a discount code, whose months begin with the charge at `first`. */
  const fullPriceAfter = (first: Date) => {
    const from = offerEnd(first, winBack!);
    const bought = boughtUntil(from, first.getUTCDate(), first);
    const row = bought.rows.at(-1)!;
    return { from, cents: monthlyCentsAt(row, from, { ...bought, payer: { ...payerFacts, cardOnFile: true } }) };
  };
  const trialEnd = trial === null ? null : plus(now, trial * day);
  const quote: Quote = {
    toolId,
    baseCents: price.baseCents,
    lines: price.lines,
    totalCents: price.totalCents,
    discountPercent: price.discountPercent,
    trialDays: trial,
    dueTodayCents: today.cents,
    nextChargeAt,
    nextChargeCents: nextChargeAt ? chargeOn(nextChargeAt, today).cents : 0,
    afterTrial: trialEnd && chargeOn(trialEnd, payerFacts, trialEnd),
    code:
      winBack?.code === undefined
        ? null
        : {
            code: winBack.code,
            percent: winBack.percent,
            months: winBack.months,
            full: fullPriceAfter(now),
            fullAfterTrial: trialEnd && fullPriceAfter(trialEnd),
          },
    changes: priceChanges(asNow, boughtUntil(plusMonths(now, 1), now.getUTCDate())),
    nextTier: nextTierFor([...paid.values()], tiers, priceAt),
  };
  return {
    tool,
    own,
    tiersNumber: numberOrdered(schedule, now),
    trialUsed,
    payerFacts,
    slots,
    price,
    quote,
    priceWith: (comeback) => priceAt(asked, paid.size, comeback),
  };
}

type Priced = { id: string; name: string; unitCents: number };

/** A reactivated subscription keeps its price and what was announced of it; anything else costs what the tool costs now. */
const ownOrNew = (
  { basePrice, priceNumber }: PricedTool['tool'],
  held: Pick<SlotRow, 'purchase'> | undefined,
  now: Date,
): OwnPrice => {
  if (!held?.purchase) return { unitCents: centsOf(basePrice), priced: priceNumber };
  const { priced, steps } = held.purchase;
  return {
    unitCents: unitCentsAt(held.purchase, now),
    ...(priced !== undefined && { priced }),
    ...(steps && { steps }),
  };
};

/** The tool's row once it is paid for; an offer counts its months from the first charge. */
const rowBought = (
  tool: PricedTool['tool'],
  price: OwnPrice,
  winBack: WinBack | null,
  first: Date,
  end: Date,
): Omit<ForecastRow, 'billingDay'> => ({
  id: tool.id,
  toolId: tool.id,
  toolName: tool.name,
  status: 'active',
  autoRenew: true,
  endDate: end,
  trialEndDate: null,
  gracePeriodEnd: null,
  billed: true,
  price,
  winBack: winBack && { ...winBack, endsAt: offerEnd(first, winBack).toISOString() },
  freeMonths: null,
  prorations: [],
  draft: null,
});

export const trialDaysOf = (payer: Payer) => (payer.kind === 'team' ? trialDays.team : trialDays.individual);

/** The volume discounts there are and those to come, each with its days. */
export const datedTiers = async (context: Pick<Context, 'db'>): Promise<DatedTier[]> =>
  (await tierSchedule(context)).tiers;

/** What the next volume discount would save a month over all of the payer's tools; null where it saves nothing. */
function nextTierFor<T>(paid: T[], tiers: Tier[], priceAt: (tool: T, paidTools: number) => Price): Quote['nextTier'] {
  const next = nextTierAfter(tiers, paid.length);
  if (!next) return null;
  const total = (paidTools: number) => paid.reduce((sum, tool) => sum + priceAt(tool, paidTools).totalCents, 0);
  const monthlySavingCents = total(paid.length) - total(next.toolCount);
  return monthlySavingCents > 0
    ? { toolCount: next.toolCount, percent: next.discountPercent, monthlySavingCents }
    : null;
}

/** `GET /api/pricing/quote`: for the adviser, or for the team they own. */
export async function quoteFor(
  context: Context,
  actor: ActorRow,
  { toolId, teamId, code: entered }: { toolId: string; teamId?: string | undefined; code?: string | undefined },
): Promise<Quote> {
  const payer = await payerFor(context, actor, teamId);
  const code = entered === undefined ? null : await findCode(context, actor, entered);
  const priced = await priceTool(context, payer, toolId, code && offerOfCode(code));
  if (code) await refuseCode(context, code, payer, priced);
  return priced.quote;
}

/** What Stripe is asked for, without the number of the attempt. */
export type Order = Omit<PurchaseAttempt, 'attempt' | 'revives'>;

/** The order for a tool at its price; null where it costs nothing. */
export function orderFor({ own, tiersNumber, payerFacts, price }: PricedTool, trialDays: number | null): Order | null {
  if (price.totalCents === 0) return null;
  return {
    ...own,
    tiers: { number: tiersNumber },
    trialDays,
    quantity: payerFacts.members,
    totalCents: price.totalCents,
    coupons: price.discounts.map(couponFor),
  };
}

/** Whether an open attempt asks Stripe for the same as the order. */
export function asksTheSame(open: PurchaseAttempt, order: Order): boolean {
  const ids = (list: Order['coupons']) => list.map(({ id }) => id).join();
  return (
    open.trialDays === order.trialDays &&
    open.unitCents === order.unitCents &&
    open.quantity === order.quantity &&
    open.totalCents === order.totalCents &&
    ids(open.coupons) === ids(order.coupons)
  );
}
