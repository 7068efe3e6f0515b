import { randomUUID } from 'node:crypto';
import type { Input } from '#shared/api/endpoint.ts';
import type { Quote, subscriptionsApi } from '#shared/api/subscriptions.ts';
import { type BillInput, billOf, type BillRow, monthCentsOf, paidTools, priceAt } from '#shared/rules/billing/bill.ts';
import { firstBillWith, forecastOf, priceChanges } from '#shared/rules/billing/forecast.ts';
import { firstWholeMonth, type Purchase, purchaseOf, type Sold } from '#shared/rules/billing/purchase.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { centsOf, sumCents } from '#shared/rules/billing/money.ts';
import { nextTierAfter, offerEnd, type OfferTaken, type Price, tiersAt } from '#shared/rules/billing/pricing.ts';
import { isLive } from '#shared/rules/billing/subscriptions.ts';
import { trialDays } from '#shared/rules/billing/trial-days.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { addresses, findTool } from '#server/catalogue/service.ts';
import { type Payer, payerFor } from '#server/payers/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { type BillReading, readBill } from '../bill/read.ts';
import { isTrialUsed, type SlotRow } from '../queries.ts';
import { findCode, offerOfCode, refuseCode } from './codes.ts';

export type Order = {
  bill: Sold;
  /** What a month of each row costs. */
  months: { id: string; cents: number }[];
  /** The payer's next bill once it is bought; null where none comes. */
  nextCents: number | null;
  quote: Quote | null;
};

/** An order as it is when the payer's bill is read so. */
export type Sale = (reading: BillReading) => Order;

type Tool = NonNullable<Awaited<ReturnType<typeof findTool>>>;

/** Everything a purchase depends on, read at one moment. */
export type PricedTool = Order & {
  tool: Tool;
  reading: BillReading;
  /** What takes the payer's slot for the tool now. */
  slot: SlotRow | null;
  /** The row that the purchase makes, or buys again. */
  row: BillRow;
  price: Price;
  quote: Quote;
  /** Whether this person has had their trial of it. */
  trialUsed: boolean;
  sale: Sale;
  /** This tool priced with another offer, or with none. */
  withOffer: (offer: Offered | null) => PricedTool;
};

/** An offer or discount code, before it is known when its months begin. */
type Offered = Omit<OfferTaken, 'endsAt'>;

/** What one tool costs this payer: quote and charge both come from here. */
export async function priceTool(
  context: Context,
  payer: Payer,
  toolId: string,
  offer: Offered | null = null,
  read = readBill,
): Promise<PricedTool> {
  const [reading, tool] = await Promise.all([read(context, payer), findTool(context.db, toolId)]);
  if (!tool?.isActive) throw new AppError('tool_not_found');
  // Whoever holds it may still reactivate it.
  const holds = reading.slots.some((row) => row.toolId === toolId && row.status !== 'incomplete');
  if (!holds && addresses.isComingSoon(context, tool)) throw new AppError('coming_soon');
  if (!holds && tool.closedAt) throw new AppError('tool_closed');
  const trialUsed = await isTrialUsed(context.db, toolId, reading.facts.trialIdentities);
  return pricedAs({ tool, trialUsed, newId: randomUUID() }, reading, offer);
}

type Known = { tool: Tool; trialUsed: boolean; newId: string };

function pricedAs(known: Known, reading: BillReading, offer: Offered | null): PricedTool {
  const { tool, trialUsed } = known;
  const { input, slots, facts, payer } = reading;
  const slot = slots.find(({ toolId }) => toolId === tool.id) ?? null;
  const isLiveNow = (row: BillRow) => isLive({ ...row, cardOnFile: facts.cardOnFile }, input.now);
  const held = input.rows.find((row) => row.id === slot?.id && isLiveNow(row));
  const plain = held ? { ...held, offer: null, freeMonths: null } : newRow(known);
  const first = firstWholeMonth(purchaseOf(plain, input), input.now);
  const row: BillRow = { ...plain, offer: offer && takenFrom(first, offer) };
  const purchase = purchaseOf(row, input);
  const { price, bill } = purchase;
  const trial = price.totalCents > 0 && !trialUsed && !held ? trialDaysOf(payer) : null;
  const quote = quoteOf(purchase, row, input, trial);
  return {
    tool,
    reading,
    slot,
    row,
    price,
    bill,
    months: [{ id: row.id, cents: price.totalCents }],
    nextCents: quote.nextBill?.totalCents ?? null,
    quote,
    trialUsed,
    sale: (later) => pricedAs(known, later, offer),
    withOffer: (other) => pricedAs(known, reading, other),
  };
}

/** Anything but a subscription that is bought again costs what the tool costs now. */
const newRow = ({ tool, newId }: Known): BillRow => ({
  id: newId,
  toolId: tool.id,
  toolName: tool.name,
  status: 'incomplete',
  autoRenew: true,
  endDate: null,
  trialEndDate: null,
  gracePeriodEnd: null,
  price: { unitCents: centsOf(tool.basePrice), number: tool.priceNumber },
  decisions: [],
  offer: null,
  freeMonths: null,
});

/** An offer whose first whole month begins then. */
export const takenFrom = (first: Date, offer: Offered): OfferTaken => ({
  ...offer,
  endsAt: offerEnd(first, offer).toISOString(),
});

export const trialDaysOf = ({ kind }: Pick<Payer, 'kind'>) => (kind === 'team' ? trialDays.team : trialDays.individual);

/** What waits for the next bill because it is too little to charge now, or because credit pays it. */
export const isDeferred = ({ kind, totalCents }: Sold) => kind === 'tool' && totalCents === 0;

/** The payer's bill once this is bought. */
export function inputAfter(input: BillInput, bill: Sold, rows: readonly BillRow[]): BillInput {
  const { payer } = input;
  const others = input.rows.filter(({ id }) => !rows.some((row) => row.id === id));
  const deferred = isDeferred(bill);
  const waiting = bill.parts.map((part) => ({ ...part, id: 'part', cause: 'below_minimum' as const }));
  return {
    ...input,
    payer: {
      ...payer,
      // The card that pays keeps trials too.
      cardOnFile: payer.cardOnFile || bill.totalCents > 0,
      creditCents: deferred ? payer.creditCents : payer.creditCents - bill.creditCents - bill.carriedCents,
      nextBillAt: payer.nextBillAt ?? bill.until,
      billingDay: payer.billingDay ?? bill.at.getUTCDate(),
    },
    rows: [
      ...others,
      ...rows.map((row): BillRow => ({ ...row, status: 'active', autoRenew: true, endDate: bill.until })),
    ],
    adjustments: deferred ? [...input.adjustments, ...waiting] : input.adjustments,
  };
}

/** What the purchase charges now, what the payer's bills are then, and what else is said of its price. */
function quoteOf(purchase: Purchase, row: BillRow, input: BillInput, trial: number | null): Quote {
  const { price, part, until, bill } = purchase;
  const { offer } = row;
  const isFree = price.totalCents === 0;
  const others = { ...input, rows: input.rows.filter(({ id }) => id !== row.id) };
  const bought = isFree
    ? { ...others, rows: [...others.rows, { ...row, status: 'active' as const, endDate: null }] }
    : inputAfter(input, bill, [row]);
  const next = forecastOf(bought).bill;
  const month = isFree ? null : billOf(bought, until);
  const own = month?.lines.find(({ subscriptionId }) => subscriptionId === row.id);
  const after = trial === null ? null : afterTrial(others, row, plus(input.now, trial * day));
  const full = offer && fullAfter(row, offer, { input: bought, first: firstWholeMonth(purchase, input.now) });
  return {
    dueTodayCents: bill.totalCents,
    part: isFree ? null : part,
    carriedCents: bill.carriedCents,
    until,
    nextBill: next && { at: next.at, totalCents: next.totalCents },
    wholeMonth: month && { at: until, monthCents: monthCentsOf(month), priceCents: own?.cents ?? 0 },
    toolId: row.toolId,
    baseCents: price.baseCents,
    lines: price.lines,
    totalCents: price.totalCents,
    discountPercent: price.discountPercent,
    trialDays: trial,
    afterTrial: after && after.shown,
    code: full && codeOf(offer, full, after && fullAfter(row, offer, after)),
    offer: full && { months: offer.months, thenCents: full.cents },
    changes: priceChanges(input, { ...bought, payer: input.payer }),
    nextTier: nextTierFor(row, others),
  };
}

/** The payer's bill, and the tool's first whole month. */
type Begun = { input: BillInput; first: Date };

/** When the months of an offer are over, and what a month costs then. */
function fullAfter(row: BillRow, offer: OfferTaken, { input, first }: Begun) {
  const from = offerEnd(first, offer);
  return { from, cents: priceAt(row, input, from).totalCents };
}

type Full = ReturnType<typeof fullAfter>;

const codeOf = ({ code, percent, months }: OfferTaken, full: Full, fullAfterTrial: Full | null): Quote['code'] =>
  code === undefined ? null : { code, percent, months, full, fullAfterTrial };

/** The first bill that has the tool after a trial that ends then, and what the tool costs of it. */
function afterTrial(input: BillInput, row: BillRow, ends: Date) {
  const offer = row.offer && { ...row.offer, endsAt: null };
  const trial: BillRow = { ...row, status: 'trial', trialEndDate: ends, offer };
  const kept = { ...input, payer: { ...input.payer, cardOnFile: true }, rows: [...input.rows, trial] };
  const then = firstBillWith(trial, kept);
  if (!then) return null;
  const { bill } = then;
  const isOwn = ({ subscriptionId }: { subscriptionId: string | null }) => subscriptionId === row.id;
  const priceCents = sumCents([...bill.lines, ...bill.parts].filter(isOwn));
  const monthCents = bill.lines.find(isOwn)!.cents;
  const shown = { at: bill.at, totalCents: bill.totalCents, priceCents, monthCents, allMonthCents: monthCentsOf(bill) };
  return { shown, input: then.input, first: bill.at };
}

/** When a trial that ends then is followed by its first whole month. */
export const monthAfterTrial = ({ input }: BillReading, row: BillRow, ends: Date): Date =>
  afterTrial({ ...input, rows: input.rows.filter(({ id }) => id !== row.id) }, row, ends)?.first ?? ends;

/** What the next volume discount would save a month over all of the payer's tools; null where it saves nothing. */
function nextTierFor(row: BillRow, input: BillInput): Quote['nextTier'] {
  const others = input.rows.filter((one) => paidTools({ ...input, rows: [one] }, null) > 0);
  const paid = row.toolId === lostMoneyTool ? others : [...others, row];
  const next = nextTierAfter(tiersAt(input.tiers, input.now), paid.length);
  if (!next) return null;
  const total = (tools: number) => paid.reduce((sum, one) => sum + priceAt(one, input, input.now, tools).totalCents, 0);
  const monthlySavingCents = total(paid.length) - total(next.toolCount);
  return monthlySavingCents > 0
    ? { toolCount: next.toolCount, percent: next.discountPercent, monthlySavingCents }
    : null;
}

/** `GET /api/pricing/quote`: for the adviser, or for the team they own. */
export async function quoteFor(
  context: Context,
  actor: ActorRow,
  { toolId, teamId, code: entered }: Input<typeof subscriptionsApi.quote>['query'],
): Promise<Quote> {
  const payer = await payerFor(context, actor, teamId);
  const code = entered === undefined ? null : await findCode(context, actor, entered);
  const priced = await priceTool(context, payer, toolId, code && offerOfCode(code));
  if (code) await refuseCode(context, code, payer, priced);
  return priced.quote;
}
