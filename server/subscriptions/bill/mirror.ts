import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { billOf, type BillRow, goOnAfter } from '#shared/rules/billing/bill.ts';
import type { AdjustmentCause, Bill, BillLine, BillPart } from '#shared/rules/billing/bill-types.ts';
import { formatCalendarDay } from '#shared/rules/dates.ts';
import type { FreeMonths, OfferTaken } from '#shared/rules/billing/pricing.ts';
import { sumCents } from '#shared/rules/billing/money.ts';
import { type Payer, payerKey } from '#server/payers/service.ts';
import {
  isOver,
  itemsOf,
  periodOf,
  requireStripeSubscription,
  type StripeLine,
  writeItems,
} from '#server/stripe/bill-subscription.ts';
import {
  addInvoiceItem,
  deleteInvoiceItem,
  type ItemWanted,
  pendingItems,
  previewBill,
} from '#server/stripe/invoices.ts';
import type { Context } from '#server/platform/context.ts';
import { memoOf } from '#server/platform/memo.ts';
import { queueMirror } from '../effects.ts';
import { advanceNow, billEndedAtStripe } from './advance.ts';

/** Above so many, Stripe gets one amount for each tool; it takes 250. */
const mostItems = 200;

/** What Stripe should have: an item for each line, and an amount for each part that waits. */
async function wantedAt(context: Context, payer: Payer) {
  const { input, facts } = await advanceNow(context, payer);
  const { stripeCustomerId: customer, stripeSubscriptionId: subscription, nextBillAt: at } = facts;
  if (!customer || !subscription || !at) return null;
  const bill = billOf(input, at);
  const lines = linesFor(bill.lines);
  const ends = !goOnAfter(input, bill);
  return {
    subscription,
    customer,
    lines,
    terms: termsOf(input.rows),
    // A bill after which nothing goes on is a closing one, which has an invoice of its own.
    items: ends ? [] : itemsFor(bill),
    ends,
    /** The next billing instant. */
    at,
    /** The month, where every line of it is $0.00. */
    free: ends || lines.length > 0 ? null : { from: bill.day, to: bill.lines[0]?.to ?? bill.day },
  };
}

/** Stripe takes so many items in a subscription. */
const mostLines = 20;

/** The lines of a bill as Stripe has them: each tool with a price, and above Stripe's limit the last ones as one. */
export function linesFor(lines: readonly BillLine[]): StripeLine[] {
  const charged = lines
    .filter(({ cents }) => cents > 0)
    .map(({ toolId, toolName, cents }) => ({ toolId, toolName, cents }))
    .toSorted((a, b) => (a.toolId < b.toolId ? -1 : 1));
  const rest = charged.slice(mostLines);
  const last = charged[mostLines - 1];
  if (!last || rest.length === 0) return charged;
  const cents = rest.reduce((sum, line) => sum + line.cents, last.cents);
  return [...charged.slice(0, mostLines - 1), { ...last, cents }];
}

export const withTerms = (lines: readonly StripeLine[], terms: ReadonlyMap<string, string>): StripeLine[] =>
  lines.map((line) => ({ ...line, terms: terms.get(line.toolId) }));

const suffix: Partial<Record<AdjustmentCause | 'purchase', string>> = { left: ', credit', correction: ', correction' };

/** A part of a month as an amount for Stripe: `Fact Find AI: Hugh Lang, 1 Feb 2027 to 9 Feb 2027`. */
export function itemFor(key: string, { toolId, toolName, person, from, to, cause, cents }: BillPart): ItemWanted {
  const days = from === to ? formatCalendarDay(from) : `${formatCalendarDay(from)} to ${formatCalendarDay(to)}`;
  const description = `${toolName}: ${person === null ? '' : `${person}, `}${days}${suffix[cause] ?? ''}`;
  return { key, cents, toolId, from, to, description };
}

/** The parts of a bill that are written down, as amounts for Stripe. */
export function itemsFor({ parts }: Pick<Bill, 'parts'>): ItemWanted[] {
  const known = parts.filter((part): part is BillPart & { id: string } => part.id !== null && part.cents !== 0);
  if (known.length <= mostItems) return known.map((part) => itemFor(part.id, part));
  return [...new Set(known.map(({ toolId }) => toolId))].map((toolId) => {
    const those = known.filter((part) => part.toolId === toolId);
    const days = those.flatMap(({ from, to }) => [from, to]).toSorted();
    return {
      key: `tool:${toolId}`,
      cents: sumCents(those),
      toolId,
      from: days[0]!,
      to: days.at(-1)!,
      description: `${those[0]!.toolName}: ${those.length} changes of members`,
    };
  });
}

const underWay = memoOf(() => new Map<string, Promise<void>>());

/**
 * Makes the payer's subscription at Stripe what the coming bill says, and then holds Stripe's own preview against it. It may run at
 * any time and twice: in one process one after the other.
 */
export function mirrorBill(context: Context, payer: Payer): Promise<void> {
  const running = underWay(context.payments);
  const key = payerKey(payer);
  const next = (running.get(key) ?? Promise.resolve()).catch(() => undefined).then(() => mirror(context, payer));
  running.set(key, next);
  const forget = () => {
    if (running.get(key) === next) running.delete(key);
  };
  next.then(forget, forget);
  return next;
}

/** It goes on until nothing differs: another replica may have written the same item at the same moment. */
async function mirror(context: Context, payer: Payer): Promise<void> {
  let touched = false;
  for (let round = 1; round <= 6; round += 1) {
    const wanted = await wantedAt(context, payer);
    if (!wanted) return;
    const subscription = await requireStripeSubscription(context, wanted.subscription);
    if (isOver(subscription)) return billEndedAtStripe(context, payer, subscription);
    // Before its first payment it takes no changes; paid, it is mirrored again.
    if (subscription.status === 'incomplete') return;
    // An end, or a month of $0.00, would come a month early: Stripe begins the month that is fixed here within minutes.
    if ((wanted.ends || wanted.free) && periodOf(subscription).end < wanted.at) {
      const inAMinute = { singletonKey: payerKey(payer), startAfter: 60 };
      return void (await context.queue.send(context.db, 'mirror-bill', { payer }, inAMinute));
    }
    const offset = wanted.free && offsetFor(itemsOf(subscription), wanted.free);
    const lines = withTerms(offset ? [offset.line] : wanted.lines, wanted.terms);
    const items = offset ? [...wanted.items, offset.item] : wanted.items;
    const changed = await writeItems(context, subscription, lines, { ends: wanted.ends });
    const moved = await writePending(context, wanted, items);
    touched ||= changed || moved;
    if (changed || moved || (touched && !isDeepStrictEqual(await wantedAt(context, payer), wanted))) continue;
    if (touched && !wanted.ends) await checkPreview(context, wanted.subscription, [...lines, ...items]);
    return;
  }
  await queueMirror(context, payer);
}

/** The key of the amount that takes a month off. */
export const freeKey = 'free';

/** Where nothing is charged, one item stays at its last amount and an amount takes it off: an item of 0 would move the day. */
function offsetFor(held: ReturnType<typeof itemsOf>, month: { from: string; to: string }) {
  const kept = held.find(({ toolId }) => toolId !== null);
  if (!kept?.toolId) return null;
  const { toolId, cents } = kept;
  const description = 'Nothing is charged this month';
  return {
    line: { toolId, toolName: toolId, cents },
    item: { key: freeKey, cents: -cents, toolId, ...month, description },
  };
}

/** Makes the waiting amounts these: each once, at its sum. Whether anything differed. */
async function writePending(
  context: Context,
  { customer, subscription }: { customer: string; subscription: string },
  wanted: ItemWanted[],
): Promise<boolean> {
  const held = await pendingItems(context, customer, subscription);
  const kept = new Set<string>();
  const wrong = held.filter(({ key, cents }) => {
    const right = wanted.some((one) => one.key === key && one.cents === cents) && key !== null && !kept.has(key);
    if (right) kept.add(key);
    return !right;
  });
  const missing = wanted.filter(({ key }) => !kept.has(key));
  for (const { id } of wrong) await deleteInvoiceItem(context, id);
  for (const item of missing) await addInvoiceItem(context, { customer, subscription }, item);
  return wrong.length + missing.length > 0;
}

async function checkPreview(context: Context, subscription: string, wanted: readonly { cents: number }[]) {
  const preview = await previewBill(context, subscription);
  const cents = sumCents(wanted);
  // Fails the job, so that an administrator hears of it.
  if (preview !== null && preview !== cents)
    throw new Error(`Stripe would bill ${preview} cents for ${subscription}, and we tell ${cents}`);
}

/** Does it at once, for an answer that shows what follows; where Stripe is away, the queued job does it later. */
export async function mirrorNow(context: Context, payer: Payer): Promise<void> {
  try {
    await mirrorBill(context, payer);
  } catch (error) {
    context.log.warn({ err: error, payer }, 'Stripe follows later');
    await queueMirror(context, payer);
  }
}

/** The columns that decide what a subscription costs by itself: its own price, its offer or code, and its free months. */
const terms = z.object({
  unitCents: z.int(),
  priceNumber: z.int(),
  risesFrom: z.coerce.date().nullable(),
  winBack: z.custom<OfferTaken>().nullable(),
  freeMonths: z.custom<FreeMonths>().nullable(),
});

/** By tool, what Stripe keeps of it with the item, so that a restored database finds it again. */
export const termsOf = (rows: readonly BillRow[]): Map<string, string> =>
  new Map(
    rows.map(({ toolId, price: { unitCents, number: priceNumber, risesFrom = null }, offer: winBack, freeMonths }) => [
      toolId,
      JSON.stringify({ unitCents, priceNumber, risesFrom, winBack, freeMonths }),
    ]),
  );

/** Null where an item has none, or none that can be read. */
export function readTerms(text: string | undefined): z.output<typeof terms> | null {
  try {
    return terms.safeParse(JSON.parse(text ?? 'null')).data ?? null;
  } catch {
    return null;
  }
}
