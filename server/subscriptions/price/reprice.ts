import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';
import { plus } from '#shared/rules/dates.ts';
import { paidToolsAfter } from '#shared/rules/forecast.ts';
import { lessPercents } from '#shared/rules/money.ts';
import { unitCentsAt } from '#shared/rules/own-price.ts';
import { hasOffer, isFreeAt, numberOrdered, type Price, priceOf, tiersAt, winBackAt } from '#shared/rules/pricing.ts';
import { sameTiers } from '#shared/rules/tiers.ts';
import { graceMs, hasAccess } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { tierSchedule, type TierSchedule } from '#server/catalogue/service.ts';
import { findPayerFacts, type Payer, type PayerFacts } from '#server/payers/service.ts';
import {
  couponFor,
  draftInvoiceOf,
  findInvoice,
  nextInvoiceOf,
  periodOf,
  previewNextInvoice,
  requireStripeSubscription,
  setStripeDiscounts,
  setStripePrice,
  setStripeQuantity,
} from '#server/stripe/service.ts';
import { within, type Context } from '#server/platform/context.ts';
import { retryOnConflict, transaction } from '#server/platform/database.ts';
import { ownPriceOf, type SlotRow, slotsOf, updatePrice, updateRow } from '../queries.ts';
import { applyEffects, queueReprice } from '../sync/effects.ts';
import { expectedInvoice, hasUnreadInvoice, invoiceFault } from '../sync/latest-invoice.ts';
import { syncRow } from '../sync/sync.ts';
import { tellChangesOf } from '../notices/changes.ts';
import { announceLate } from './announce.ts';
import { nextInvoiceOn, tiersReached } from './forecast.ts';

/** Whether Stripe bills the row, which is neither cancelled nor over; other rows have no next invoice. */
export const isBilled = (row: SlotRow) =>
  row.stripeSubscriptionId !== null &&
  row.purchase !== null &&
  (row.status === 'trial' || row.status === 'active' || row.status === 'grace_period');

/** Free rows have no bill; once free access has ended they are in grace until somebody pays. */
export const isFree = (row: SlotRow) =>
  row.stripeSubscriptionId === null &&
  !row.purchase?.revives &&
  (row.status === 'active' || row.status === 'grace_period');

type Prices = { facts: PayerFacts; schedule: TierSchedule; paid: SlotRow[]; now: Date };

/**
 * What a month costs from that invoice on. What will not renew keeps its price while it lasts; a trial is priced as if there
 * were a card already, which keeps the payer's other trials too.
 */
const priceAt = (row: SlotRow, { facts, schedule, paid, now }: Prices, nextInvoice: Date | null): Price =>
  priceOf({
    toolId: row.toolId,
    toolName: row.toolName,
    unitCents: unitCentsAt(ownPriceOf(row), nextInvoice ?? now),
    payer: facts,
    paidTools: paidToolsAfter(
      paid,
      { ...facts, cardOnFile: facts.cardOnFile || row.status === 'trial' },
      row.autoRenew ? nextInvoice : null,
      now,
    ),
    tiers: tiersAt(schedule.tiers, nextInvoice ?? now),
    winBack: winBackAt(row.winBack, nextInvoice),
    freeMonth: isFreeAt(row.freeMonths, nextInvoice),
  });

const idsOf = (coupons: { id: string }[]) => coupons.map(({ id }) => id).join();

/** What the row should say about its bill, from that invoice on. */
const billOf = (row: SlotRow, prices: Prices, nextInvoice: Date | null) => {
  const { facts, now } = prices;
  const price = priceAt(row, prices, nextInvoice);
  const replaced = !hasOffer(price) && price.totalCents > 0;
  const over = row.winBack?.endsAt != null && new Date(row.winBack.endsAt) <= now;
  return {
    monthlyCents: price.totalCents,
    quantity: facts.members,
    purchase: {
      ...row.purchase!,
      unitCents: unitCentsAt(row.purchase!, nextInvoice ?? now),
      ...(tiersReached(row, nextInvoice) && { tiers: { number: row.purchase!.tiers!.number } }),
      coupons: price.discounts.map(couponFor),
    },
    winBack: row.winBack && (over || (replaced && winBackAt(row.winBack, row.endDate))) ? null : row.winBack,
  };
};
type Bill = ReturnType<typeof billOf>;

const agrees = (row: SlotRow, bill: Bill) =>
  row.monthlyCents === bill.monthlyCents &&
  row.quantity === bill.quantity &&
  row.purchase!.unitCents === bill.purchase.unitCents &&
  idsOf(row.purchase!.coupons) === idsOf(bill.purchase.coupons) &&
  (row.winBack === null) === (bill.winBack === null);

/**
 * Brings the prices, quantities and discounts of a payer's subscriptions to what the rules say now, from the next invoice on,
 * and tells the payer. Rows that are right are skipped without asking Stripe, unless `verify` is set.
 */
export async function reprice(context: Context, payer: Payer, { verify = false } = {}): Promise<void> {
  await announceLate(context, payer);
  // Rows that changed while Stripe was updated are done again, since two updates may reach Stripe in either order.
  const unsure = new Set<string>();
  const done = new Set<string>();
  const differences: string[] = [];
  await retryOnConflict(async () => {
    const [facts, schedule, slots] = await Promise.all([
      findPayerFacts(context.db, payer),
      tierSchedule(context),
      slotsOf(context.db, payer),
    ]);
    if (!facts) return 'gone';
    const now = context.now();
    const paid = slots.filter(
      (row) => row.toolId !== lostMoneyTool && hasAccess({ ...row, cardOnFile: facts.cardOnFile }, now),
    );
    const prices: Prices = { facts, schedule, paid, now };
    for (const row of paid) if (isFree(row) && !done.has(row.id)) await repriceFree(context, row, prices);
    const wrong = paid
      .filter(isBilled)
      .filter(
        (row) =>
          !done.has(row.id) && (verify || unsure.has(row.id) || !agrees(row, billOf(row, prices, nextInvoiceOn(row)))),
      );
    for (const row of wrong) {
      const written = await repriceBilled(context, row, prices, differences).catch(async (error: unknown) => {
        // One that has ended at Stripe since it was read, as when its team is being closed, takes no new price.
        if (!(await endedAtStripe(context, row))) throw error;
        return false;
      });
      (written ? done : unsure).add(row.id);
    }
    return wrong.length === 0 ? 'agreed' : null;
  });
  await tellChangesOf(context, payer);
  // Fails the job, so that an administrator hears of it; our own figures are written all the same.
  if (differences.length > 0) throw new Error(differences.join('; '));
}

/** Whether it has ended at Stripe; if so, the row follows. */
async function endedAtStripe(context: Context, row: SlotRow, known?: { status: string }): Promise<boolean> {
  const { status } = known ?? (await requireStripeSubscription(context, row.stripeSubscriptionId!));
  const ended = status === 'canceled' || status === 'incomplete_expired';
  if (ended) await syncRow(context, row.id);
  return ended;
}

/** Writes one subscription's bill at Stripe and on the row; false where the row has changed since it was read. */
async function repriceBilled(context: Context, row: SlotRow, prices: Prices, differences: string[]): Promise<boolean> {
  let stripeSubscription = await requireStripeSubscription(context, row.stripeSubscriptionId!);
  if (await endedAtStripe(context, row, stripeSubscription)) return false;
  // As when two tools renew together, and only the other one's invoice has been read.
  if (await hasUnreadInvoice(context, stripeSubscription)) return syncRow(context, row.id).then(() => false);
  const next = nextInvoiceOf(stripeSubscription);
  const bill = billOf(row, prices, next.at);
  let { unitCents, quantity } = next;
  const goTo = async (wanted: number) => {
    if (unitCents !== wanted) await setStripePrice(context, stripeSubscription, { unitCents: wanted, quantity });
    unitCents = wanted;
  };
  if (quantity !== bill.quantity) {
    // The rest of a period is prorated at the price it began at.
    await goTo(unitCentsAt(row.purchase!, periodOf(stripeSubscription).start));
    ({ stripeSubscription, coupons: next.coupons } = await setQuantity(context, row, prices, stripeSubscription));
    ({ quantity } = bill);
  }
  await goTo(bill.purchase.unitCents);
  if (next.coupons.join() !== idsOf(bill.purchase.coupons))
    await setStripeDiscounts(context, stripeSubscription, bill.purchase.coupons);
  const preview = await previewNextInvoice(context, stripeSubscription);
  const prorations = preview?.prorations ?? [];
  const draft = next.draftId === null ? null : await findInvoice(context, next.draftId);
  const read = { prorations, draft: draftInvoiceOf({ ...stripeSubscription, latest_invoice: draft }) };
  const same = agrees(row, bill) && isDeepStrictEqual(read, { prorations: row.prorations, draft: row.draft });
  const written = same || (await writeBill(context, row, { ...bill, ...read }));
  const expected = draft && expectedInvoice(draft, { ...row, ...bill });
  const fault = expected && invoiceFault(draft, expected);
  if (written && fault) differences.push(`Invoice ${draft.id} of subscription ${row.id}: ${fault}`);
  if (written && preview && row.autoRenew && !draft && preview.monthCents !== bill.monthlyCents)
    differences.push(
      `Stripe would charge ${preview.monthCents} cents for a month of subscription ${row.id}, and we tell ${bill.monthlyCents}`,
    );
  return written;
}

/**
 * Stripe prorates the rest of a period with the discounts of the moment. Where the next invoice differs from the period in being
 * free, in its volume discounts or in having an offer, the period's discounts are set for the change of quantity.
 */
async function setQuantity(
  context: Context,
  row: SlotRow,
  prices: Prices,
  stripeSubscription: Stripe.Subscription,
): Promise<{ stripeSubscription: Stripe.Subscription; coupons: string[] }> {
  const { at, coupons } = nextInvoiceOf(stripeSubscription);
  const { members } = prices.facts;
  const { start } = periodOf(stripeSubscription);
  const { schedule } = prices;
  const tiers = tiersAt(schedule.tiers, start);
  const isFree = isFreeAt(row.freeMonths, start);
  const offer = winBackAt(row.winBack, start);
  const sameOffer = (offer === null) === (winBackAt(row.winBack, at) === null);
  if (isFree === isFreeAt(row.freeMonths, at) && sameOffer && sameTiers(tiers, tiersAt(schedule.tiers, at))) {
    await setStripeQuantity(context, stripeSubscription, members);
    return { stripeSubscription, coupons };
  }
  const inPeriod = { ...prices, schedule: { ...schedule, tiers } };
  const winBack = offer && { ...offer, endsAt: null };
  const paid = billOf({ ...row, freeMonths: null, winBack }, inPeriod, at).purchase.coupons;
  await setStripeDiscounts(context, stripeSubscription, isFree ? [couponFor({ kind: 'free_month' })] : paid);
  await setStripeQuantity(context, stripeSubscription, members);
  const after = await requireStripeSubscription(context, stripeSubscription.id);
  return { stripeSubscription: after, coupons: nextInvoiceOf(after).coupons };
}

const nothingOwed = { gracePeriodEnd: null, paymentProblem: null };

/** A free subscription that costs again goes into seven days of grace; one that is free again needs no payment. */
async function repriceFree(context: Context, row: SlotRow, prices: Prices): Promise<void> {
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
        ? { ...nothingOwed, status: 'active', monthlyCents: 0, endDate: null, purchase: null }
        : {
            status: 'grace_period',
            gracePeriodEnd: row.gracePeriodEnd ?? plus(now, graceMs),
            monthlyCents: totalCents,
            purchase: {
              attempt: row.purchase?.attempt ?? 0,
              trialDays: null,
              ...ownPriceOf({ ...row, purchase: null }),
              priced: row.priceNumber,
              tiers: { number: numberOrdered(prices.schedule, now) },
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

const sumOf = (prorations: SlotRow['prorations']) => prorations.reduce((sum, { cents }) => sum + cents, 0);

/** What a month would cost at that unit price with the discounts that the row has. */
const costing = ({ quantity, purchase }: SlotRow, unitCents: number) =>
  lessPercents(unitCents * quantity, purchase!.coupons);

/** Writes the new bill on the row; the payer is told of it afterwards. False where the row has changed since it was read. */
async function writeBill(
  context: Context,
  row: SlotRow,
  bill: Bill & Pick<SlotRow, 'prorations' | 'draft'>,
): Promise<boolean> {
  const { monthlyCents, quantity, purchase, prorations } = row;
  const { unitCents } = bill.purchase;
  const reached = bill.purchase.tiers?.told ? null : purchase!.tiers?.told;
  const known = {
    // A new price of the tool, or new volume discounts, were told when they were announced.
    monthlyCents: reached?.cents ?? (unitCents === purchase!.unitCents ? monthlyCents : costing(row, unitCents)),
    prorationCents: sumOf(prorations),
    quantity,
    coupons: purchase!.coupons.map(({ id }) => id),
    unitCents: purchase!.unitCents,
  };
  const waits = bill.prorations.length > 0 && sumOf(bill.prorations) !== known.prorationCents;
  const isNews = bill.monthlyCents !== known.monthlyCents || waits;
  const after = await (isNews ? updatePrice(context.db, row, bill, known) : updateRow(context.db, row, bill));
  return after !== null;
}

/** The same at once, for an answer that shows prices; where Stripe is away, the queued job does it later. */
export async function repriceNow(context: Context, payer: Payer): Promise<void> {
  try {
    await reprice(context, payer);
  } catch (error) {
    context.log.warn({ err: error, payer }, 'prices follow later');
    await queueReprice(context, payer, { verify: true });
  }
}
