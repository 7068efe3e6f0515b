import { plus } from '#shared/rules/dates.ts';
import { centsOf, formatCents } from '#shared/rules/money.ts';
import { priceOf, type Price, type Tier } from '#shared/rules/pricing.ts';
import { graceMs, hasAccess } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { winBackAt } from '#shared/rules/win-back.ts';
import {
  nextBill,
  readProviderSubscription,
  setProviderDiscounts,
  setProviderQuantity,
  type Payer,
} from '#server/billing/service.ts';
import { notify } from '#server/notifications/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { converge } from './converge.ts';
import { couponFor } from './coupons.ts';
import { applyEffects } from './effects.ts';
import { payerRow, placesOf, type PayerRow, type PlaceRow } from './queries.ts';
import { updateRow } from './queries-write.ts';
import { tiersInForce } from './quote.ts';

const rounds = 5;

/** The rows whose bill the provider writes and still will: the others have no next invoice. */
const isBilled = (row: PlaceRow) =>
  row.stripeSubscriptionId !== null &&
  row.purchase !== null &&
  (row.status === 'trial' || row.status === 'active' || row.status === 'grace_period');

/** Free rows have no bill, until free access ends: then they are in grace without one. */
const isFree = (row: PlaceRow) =>
  row.stripeSubscriptionId === null &&
  !row.purchase?.revives &&
  (row.status === 'active' || row.status === 'grace_period');

type Prices = { facts: PayerRow; tiers: Tier[]; paidTools: number };

const priceAt = (row: PlaceRow, { facts, tiers, paidTools }: Prices, nextInvoice: Date | null): Price =>
  priceOf({
    toolId: row.toolId,
    toolName: row.toolName,
    unitCents: row.purchase?.unitCents ?? centsOf(row.basePrice),
    payer: facts,
    paidTools,
    tiers,
    winBack: winBackAt(row.winBack, nextInvoice),
  });

const idsOf = (coupons: { id: string }[]) => coupons.map(({ id }) => id).join();

/** What the row should say of its bill. */
const billOf = (row: PlaceRow, price: Price, { facts }: Prices, now: Date) => {
  const replaced = price.discounts.every(({ kind }) => kind !== 'win_back') && price.totalCents > 0;
  const over = row.winBack?.endsAt != null && new Date(row.winBack.endsAt) <= now;
  return {
    monthlyCents: price.totalCents,
    quantity: facts.members,
    purchase: { ...row.purchase!, coupons: price.discounts.map(couponFor) },
    winBack: row.winBack && (over || (replaced && winBackAt(row.winBack, row.endDate))) ? null : row.winBack,
  };
};
type Bill = ReturnType<typeof billOf>;

const agrees = (row: PlaceRow, bill: Bill) =>
  row.monthlyCents === bill.monthlyCents &&
  row.quantity === bill.quantity &&
  idsOf(row.purchase!.coupons) === idsOf(bill.purchase.coupons) &&
  (row.winBack === null) === (bill.winBack === null);

/**
 * Brings quantities and discounts of a payer's subscriptions to what tools, members and membership give now, from the
 * next invoice on and never silently (decisions §4). Works by state: what is right already is left alone, and the
 * provider is only asked about what differs, unless told to `verify`.
 */
export async function reprice(context: Context, payer: Payer, { verify = false } = {}): Promise<void> {
  // A row that changed while the provider was told is told again: two of us may have come in the other order.
  const unsure = new Set<string>();
  const done = new Set<string>();
  for (let round = 1; round <= rounds; round += 1) {
    const [facts, tiers, places] = await Promise.all([
      payerRow(context.db, payer),
      tiersInForce(context),
      placesOf(context.db, payer),
    ]);
    if (!facts) return;
    const now = context.now();
    const paid = places.filter(
      (row) => row.toolId !== lostMoneyTool && hasAccess({ ...row, cardOnFile: facts.cardOnFile }, now),
    );
    const prices: Prices = { facts, tiers, paidTools: paid.length };
    for (const row of paid) if (isFree(row) && !done.has(row.id)) await bringFree(context, row, prices);
    const wrong = paid
      .filter(isBilled)
      .filter(
        (row) =>
          !done.has(row.id) &&
          (verify || unsure.has(row.id) || !agrees(row, billOf(row, priceAt(row, prices, row.endDate), prices, now))),
      );
    if (wrong.length === 0) return;
    for (const row of wrong) {
      ((await bring(context, row, prices)) ? done : unsure).add(row.id);
    }
  }
  throw new AppError('conflict');
}

/** One subscription's bill, at the provider and on the row; false where the row has changed since it was read. */
async function bring(context: Context, row: PlaceRow, prices: Prices): Promise<boolean> {
  const provider = await readProviderSubscription(context, row.stripeSubscriptionId!);
  if (provider.status === 'canceled' || provider.status === 'incomplete_expired') {
    await converge(context, row.id);
    return false;
  }
  const next = nextBill(provider);
  const bill = billOf(row, priceAt(row, prices, next.at), prices, context.now());
  if (next.quantity !== bill.quantity) await setProviderQuantity(context, provider, bill.quantity);
  if (next.coupons.join() !== idsOf(bill.purchase.coupons))
    await setProviderDiscounts(context, provider, bill.purchase.coupons);
  return agrees(row, bill) || write(context, row, bill, prices);
}

/** What was free and costs again stays open for seven days; what is free again needs no payment (decisions §5). */
async function bringFree(context: Context, row: PlaceRow, prices: Prices): Promise<void> {
  const now = context.now();
  const { totalCents, discounts } = priceAt(row, prices, null);
  const free = totalCents === 0;
  if (free ? row.status === 'active' : row.monthlyCents === totalCents) return;
  const reason = 'Your free access has ended.';
  await transaction(context.db, async (tx) => {
    const after = await updateRow(
      tx,
      row,
      free
        ? {
            status: 'active',
            gracePeriodEnd: null,
            paymentProblem: null,
            monthlyCents: 0,
            endDate: null,
            purchase: null,
          }
        : {
            status: 'grace_period',
            gracePeriodEnd: row.gracePeriodEnd ?? plus(now, graceMs),
            monthlyCents: totalCents,
            purchase: {
              attempt: row.purchase?.attempt ?? 0,
              trialDays: null,
              unitCents: centsOf(row.basePrice),
              quantity: prices.facts.members,
              totalCents,
              coupons: discounts.map(couponFor),
            },
            paymentProblem: { invoiceId: '', amountCents: totalCents, reason, needsAction: false },
          },
    );
    if (after) await applyEffects(within(context, tx), row, after);
  });
}

/** The new bill on the row, with its notice; false where the row has changed since it was read. */
const write = (context: Context, row: PlaceRow, bill: Bill, { facts }: Prices): Promise<boolean> =>
  transaction(context.db, async (tx) => {
    const after = await updateRow(tx, row, bill);
    if (!after) return false;
    if (row.monthlyCents === bill.monthlyCents) return true;
    const what = facts.teamName === null ? row.toolName : `${row.toolName} for ${facts.teamName}`;
    const [from, to] = [formatCents(row.monthlyCents), formatCents(bill.monthlyCents)];
    await notify(within(context, tx), {
      userId: facts.contactId,
      type: 'subscription_renewal',
      title: 'Price changed',
      message: `${what} costs ${to} a month from its next invoice, instead of ${from}, because ${reasonOf(row, bill)}.`,
      actionUrl: '/dashboard?tab=billing',
      dedupeKey: `subscription:${row.id}:price:${after.version}`,
    });
    return true;
  });

/** Why the price is another one, in the order of what weighs most. */
function reasonOf(row: PlaceRow, bill: Bill): string {
  const changed = (prefix: string): boolean | null => {
    const has = (coupons: { id: string }[]) => coupons.some(({ id }) => id.startsWith(prefix));
    const is = has(bill.purchase.coupons);
    return has(row.purchase!.coupons) === is ? null : is;
  };
  const free = changed('FREE');
  if (free !== null) return free ? 'you have been given free access' : 'your free access has ended';
  if (row.quantity !== bill.quantity)
    return `your team now has ${bill.quantity} ${bill.quantity === 1 ? 'member' : 'members'}`;
  const partner = changed('PARTNER');
  if (partner !== null) return partner ? 'the partner price applies' : 'the partner price no longer applies';
  if (changed('WB') === false && bill.monthlyCents > row.monthlyCents) return 'your welcome back discount has run out';
  return 'the number of your tools has changed';
}

/** The same at once, for an answer that shows prices; where the provider is away, the queued job does it later. */
export async function repriceNow(context: Context, payer: Payer): Promise<void> {
  try {
    await reprice(context, payer);
  } catch (error) {
    context.log.warn({ err: error, payer }, 'prices follow later');
  }
}
