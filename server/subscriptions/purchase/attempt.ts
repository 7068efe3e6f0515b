import type Stripe from 'stripe';
import type { Charge } from '#shared/api/subscriptions.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { afterCredit } from '#shared/rules/money.ts';
import { offerEnd, type WinBack } from '#shared/rules/pricing.ts';
import { toolRefusal } from '#shared/rules/subscriptions.ts';
import type { OfferTaken, PurchaseAttempt } from '#shared/schema/subscriptions.ts';
import type { DiscountCodeRow } from '#server/catalogue/service.ts';
import {
  customerDetails,
  findPayerFacts,
  lockPayer,
  type Payer,
  storeCard,
  storeCredit,
  toolRulesFor,
} from '#server/payers/service.ts';
import {
  askStripe,
  cardOf,
  endStripeSubscription,
  findCardAndCredit,
  findCustomer,
  idOf,
  payInvoice,
} from '#server/stripe/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { type Db, transaction } from '#server/platform/database.ts';
import { redeemCode } from '../price/codes.ts';
import type { Order } from '../price/quote.ts';
import {
  chargeableSubscriptions,
  findSubscriptionByStripeId,
  giveTrialBack,
  insertRow,
  payerColumns,
  type SubscriptionRow,
  takeTrial,
  updateRow,
} from '../queries.ts';
import { isBilling } from '../sync/adopt.ts';
import { applyEffects } from '../sync/effects.ts';
import { syncStripeSubscription } from '../sync/sync.ts';

/**
 * Nobody buys, keeps or pays for what their practice doesn't allow, for the team or for themselves. What renews by itself goes on
 * until somebody cancels it; the rest ends on its own.
 */
export async function refuseDisallowed(context: Context, actor: ActorRow, toolId: string): Promise<void> {
  if (toolRefusal(await toolRulesFor(context.db, actor.id), toolId)) throw new AppError('tool_not_allowed');
}

/**
 * Takes over subscriptions that Stripe bills for the payer's use of the tool and that a restored database has lost, before the tool
 * is bought a second time. Answers whether there were any.
 */
export async function findAgain(context: Context, payer: Payer, toolId: string): Promise<boolean> {
  const customer = await findCustomer(context, payer);
  if (customer === null) return false;
  const { data } = await askStripe(context, (stripe) => stripe.subscriptions.list({ customer, limit: 100 }));
  let found = false;
  for (const one of data) {
    if (one.metadata.toolId !== toolId || !isBilling(one)) continue;
    if (await findSubscriptionByStripeId(context.db, one.id)) continue;
    found = true;
    await syncStripeSubscription(context, one.id, () => Promise.resolve());
  }
  return found;
}

/** The offer as its row has it: its months begin with the first charge, which a trial puts off. */
export const takenFrom = (offer: WinBack, order: Order | null, now: Date): OfferTaken => {
  const first = plus(now, (order?.trialDays ?? 0) * day);
  return { ...offer, endsAt: offerEnd(first, offer).toISOString() };
};

/** A claim on the payer's slot for a tool; each payer has one slot per tool. */
type Claim = {
  payer: Payer;
  toolId: string;
  /** The row in the slot now, which is replaced: an open attempt, or one that is over by the clock. */
  before: SubscriptionRow | null;
  /** What to ask of Stripe; null where the tool costs nothing. */
  order: Omit<PurchaseAttempt, 'attempt'> | null;
  /** The win-back offer with the expired row it was made for, or the discount code. */
  offer: { winBack: OfferTaken | null; of?: string; code?: DiscountCodeRow } | null;
  trialIdentities: string[];
};

/** Stores what will be bought before Stripe is asked; null where another request took the slot first. */
export function claimSlot(context: Context, claim: Claim): Promise<SubscriptionRow | null> {
  const { payer, toolId, before, order, offer, trialIdentities } = claim;
  return transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const row = await writeSlotRow(tx, claim, context.now());
    if (!row) return null;
    if (order && order.trialDays !== null) {
      if (!(await takeTrial(tx, trialIdentities, toolId, row.id))) throw new AppError('trial_used');
    } else {
      await giveTrialBack(tx, row.id);
    }
    // A new row has redeemed no code.
    if (offer?.code || before?.status === 'incomplete')
      await redeemCode(tx, { payer, toolId, subscriptionId: row.id, code: offer?.code ?? null }, context.now());
    if (row.status === 'active') await applyEffects(within(context, tx), before, row, { byCaller: true });
    return row;
  });
}

async function writeSlotRow(
  tx: Db,
  { payer, toolId, before, order, offer }: Claim,
  now: Date,
): Promise<SubscriptionRow | null> {
  const attempt = (before?.status === 'incomplete' ? (before.purchase?.attempt ?? 0) : 0) + 1;
  const values = {
    status: order ? ('incomplete' as const) : ('active' as const),
    purchase: order && { ...order, attempt },
    monthlyCents: order?.totalCents ?? 0,
    quantity: order?.quantity ?? 1,
    winBackOf: offer?.of ?? null,
    winBack: offer?.winBack ?? null,
    createdAt: now,
  };
  if (before?.status === 'incomplete')
    return updateRow(tx, before, { ...values, stripeSubscriptionId: null, syncedAt: null });
  if (before && !(await updateRow(tx, before, { status: 'expired', isActive: false, expiredAt: now }))) return null;
  return insertRow(tx, { ...payerColumns(payer), toolId, ...values });
}

/** What is charged now, and the card it is charged to. */
export type Due = { card: Stripe.PaymentMethod; cents: number };

const readCardAndCredit = async (context: Context, payer: Payer) =>
  findCardAndCredit(context, (await customerDetails(context.db, payer)).stripeCustomerId);

/**
 * The card on file as Stripe has it, and what it is charged: `dueOf` answers that for the payer's credit. 409 where the amount
 * or card that the payer agreed to has changed. Null without a card, or where nothing is left to charge.
 */
async function agreedDue(
  context: Context,
  payer: Payer,
  agreed: Charge | undefined,
  dueOf: (creditCents: number) => number,
): Promise<Due | null> {
  const { card, creditCents } = await readCardAndCredit(context, payer);
  const cents = dueOf(creditCents);
  if (agreed && agreed.cents !== cents) {
    await storeCredit(context.db, payer, creditCents);
    throw new AppError('price_changed');
  }
  if (agreed && cents > 0 && card?.card?.last4 !== agreed.last4) {
    await storeCard(context.db, payer, cardOf(card));
    throw new AppError('card_changed');
  }
  return card && cents > 0 ? { card, cents } : null;
}

/** For a first period of this price, which the payer's credit reduces. */
export const dueForPeriod = (context: Context, payer: Payer, agreed: Charge | undefined, totalCents: number) =>
  agreedDue(context, payer, agreed, (creditCents) => afterCredit(totalCents, creditCents).cents);

/** For an invoice that is open: Stripe took the credit off when it wrote it. */
export const dueForInvoice = (context: Context, payer: Payer, agreed: Charge | undefined, openCents: number) =>
  agreedDue(context, payer, agreed, () => openCents);

/**
 * For a card that is still to be typed: nothing is charged here. Refuses (409) what the credit would pay in full, since Stripe
 * would pay it at once, before anybody has pressed anything.
 */
export async function dueFromForm(context: Context, payer: Payer, totalCents: number): Promise<null> {
  const { creditCents } = await readCardAndCredit(context, payer);
  if (totalCents === 0 || afterCredit(totalCents, creditCents).cents > 0) return null;
  await storeCredit(context.db, payer, creditCents);
  throw new AppError('price_changed');
}

/** Charges the first invoice of a purchase that is still open; false where there is nothing to charge, or no card. */
export async function chargeFirstInvoice(
  context: Context,
  { id, latest_invoice: invoice, status }: Stripe.Subscription,
  due: Due | null,
): Promise<boolean> {
  const invoiceId = idOf(invoice);
  if (!due || status !== 'incomplete' || invoiceId === null) return false;
  if (typeof invoice === 'object' && invoice?.amount_remaining !== due.cents) {
    // Another purchase may have used the credit, or this invoice has held it since the card form opened; voided, it gives it back.
    await endStripeSubscription(context, id);
    throw new AppError('price_changed');
  }
  await payInvoice(context, invoiceId, due.card);
  return true;
}

/** What a new card pays at once: everything that is owed, except for tools that the payer's practice doesn't allow. */
export async function payableByCard(context: Context, payer: Payer) {
  const [rows, facts] = await Promise.all([
    chargeableSubscriptions(context.db, payer),
    findPayerFacts(context.db, payer),
  ]);
  const rules = facts ? await toolRulesFor(context.db, facts.contactId) : [];
  return rows.filter(({ toolId }) => toolRefusal(rules, toolId) === null);
}
