import type Stripe from 'stripe';
import { day } from '#shared/rules/dates.ts';
import { lessPercents } from '#shared/rules/money.ts';
import { offerOf, type WinBackSettings } from '#shared/rules/win-back.ts';
import { numberOrdered, offerEnd } from '#shared/rules/pricing.ts';
import type { OfferTaken, PurchaseAttempt } from '#shared/schema/subscriptions.ts';
import { audit } from '#server/audit/service.ts';
import { codeNamed, findTool, tierSchedule, toolName, winBackSettings } from '#server/catalogue/service.ts';
import { copyInvoice } from '#server/invoices/service.ts';
import {
  claimCustomer,
  columnsOf,
  findPayerFacts,
  lockPayer,
  type Payer,
  subjectOf,
  teamPayer,
  userPayer,
} from '#server/payers/service.ts';
import { askStripe, codeOfCoupon, couponWithId, idOf } from '#server/stripe/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { type Db, transaction } from '#server/platform/database.ts';
import { findSubscriptionByStripeId, insertRow, payerColumns, type SubscriptionRow, takeTrial } from '../queries.ts';
import { insertRedemption } from '../queries-codes.ts';
import { queueReprice } from './effects.ts';

const bills: readonly Stripe.Subscription.Status[] = ['trialing', 'active', 'past_due', 'unpaid'];

/** Whether Stripe bills it, or will. */
export const isBilling = ({ status }: Stripe.Subscription): boolean => bills.includes(status);

/** Whether it is what the row's open attempt asked for and has not stored yet. */
export const isAttemptOf = (row: SubscriptionRow, { metadata }: Stripe.Subscription): boolean =>
  row.purchase !== null &&
  row.stripeSubscriptionId === null &&
  (row.status === 'incomplete' || row.purchase.revives === true) &&
  metadata.attempt === String(row.purchase.attempt);

/**
 * Makes the row of a subscription that Stripe bills and this database lacks, as after restoring a dump older than the purchase.
 * Payer, tool and attempt are in its metadata; state and price follow with the next sync. Where it belongs to nobody here, or
 * to somebody who has another subscription for the tool, it is a fault for the administrators, since money is taken.
 */
export async function adopt(context: Context, stripeSubscription: Stripe.Subscription): Promise<void> {
  const { id, metadata, customer } = stripeSubscription;
  const { rowId, toolId = '', userId, teamId } = metadata;
  if (!userId && !teamId) throw unclaimed(`${id} names no payer`);
  const payer = userId ? userPayer(userId) : teamPayer(teamId!);
  const invoices = await askStripe(context, (stripe) =>
    stripe.invoices.list({ subscription: id, limit: 100, expand: ['data.discounts'] }),
  );
  await transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    await lockPayer(tx, payer);
    // Another replica, or the payer who buys again, has just adopted it.
    if (await findSubscriptionByStripeId(tx, id)) return;
    const facts = await findPayerFacts(tx, payer);
    if (!facts || !(await findTool(tx, toolId))) throw unclaimed(`${id} belongs to nobody in this database`);
    const number = numberOrdered(await tierSchedule(inside), inside.now());
    const purchase = { ...purchaseOf(stripeSubscription), tiers: { number } };
    const row = await insertRow(tx, {
      ...payerColumns(payer),
      ...(rowId && { id: rowId }),
      toolId,
      status: 'incomplete',
      stripeSubscriptionId: id,
      purchase,
      monthlyCents: purchase.totalCents,
      quantity: purchase.quantity,
      winBack: codeTaken(stripeSubscription) ?? winBackOf(stripeSubscription, await winBackSettings(inside)),
      createdAt: at(stripeSubscription.created),
    });
    if (!row) throw unclaimed(`${id} is billed beside another subscription to ${toolId}`);
    await restoreCode(tx, payer, row, metadata.discountCode ?? row.winBack?.code);
    const customerId = idOf(customer);
    if (customerId) await claimCustomer(tx, payer, customerId, null);
    if (purchase.trialDays !== null) await takeTrial(tx, facts.trialIdentities, toolId, row.id);
    const owner = { ...columnsOf(payer), subscriptionId: row.id, toolName: await toolName(tx, toolId) };
    for (const invoice of invoices.data) await copyInvoice(tx, invoice, owner);
    await queueReprice(inside, payer);
    await audit(inside, 'subscription.adopted', { ...subjectOf(payer), after: { toolId } });
  });
}

const unclaimed = (fault: string) => new AppError('subscription_unclaimed', { cause: new Error(fault) });

const at = (seconds: number) => new Date(seconds * 1000);

const couponsOf = ({ discounts }: Stripe.Subscription) =>
  discounts.flatMap((discount) => {
    const known = typeof discount === 'string' ? null : idOf(discount.source.coupon);
    const coupon = known && couponWithId(known);
    return coupon ? [{ ...coupon, endsAt: typeof discount === 'string' ? null : discount.end }] : [];
  });

function purchaseOf(stripeSubscription: Stripe.Subscription): PurchaseAttempt {
  const { items, metadata, trial_start: from, trial_end: to } = stripeSubscription;
  const unitCents = items.data[0]?.price.unit_amount ?? 0;
  const quantity = items.data[0]?.quantity ?? 1;
  const coupons = couponsOf(stripeSubscription).map(({ endsAt: _until, ...coupon }) => coupon);
  return {
    attempt: Number(metadata.attempt ?? 1),
    trialDays: from === null || to === null ? null : Math.round(((to - from) * 1000) / day),
    unitCents,
    quantity,
    totalCents: lessPercents(unitCents * quantity, coupons),
    coupons,
  };
}

/** A code counts its months from the first charge; Stripe knows no end of it. */
function codeTaken({ discounts, trial_end: trialEnd, start_date: start }: Stripe.Subscription): OfferTaken | null {
  const ids = discounts.map((discount) => (typeof discount === 'string' ? null : idOf(discount.source.coupon)));
  const code = ids.map((id) => id && codeOfCoupon(id)).find((one) => one);
  return code ? { ...code, endsAt: offerEnd(at(trialEnd ?? start), code).toISOString() } : null;
}

/** Restores the redemption too, where the code exists. */
async function restoreCode(
  tx: Db,
  payer: Payer,
  { id, toolId, createdAt }: SubscriptionRow,
  redeemed: string | undefined,
): Promise<void> {
  const code = redeemed === undefined ? null : await codeNamed(tx, redeemed);
  if (code) await insertRedemption(tx, payer, { codeId: code.id, toolId, subscriptionId: id, createdAt });
}

function winBackOf(stripeSubscription: Stripe.Subscription, settings: WinBackSettings): OfferTaken | null {
  const coupon = couponsOf(stripeSubscription).find(({ id }) => id.startsWith('WB'));
  if (coupon?.months == null) return null;
  const { percent, months } = coupon;
  const endsAt = coupon.endsAt === null ? null : at(coupon.endsAt).toISOString();
  return { offerId: offerOf(settings, percent, months), percent, months, endsAt };
}
