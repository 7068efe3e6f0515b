import type Stripe from 'stripe';
import type { Charge } from '#shared/api/subscriptions.ts';
import { afterCredit } from '#shared/rules/money.ts';
import { toolRefusal } from '#shared/rules/record.ts';
import {
  customerDetails,
  findPayerFacts,
  type Payer,
  storeCard,
  storeCredit,
  toolRulesFor,
} from '#server/payers/service.ts';
import { cardOf, endStripeSubscription, findCardAndCredit, idOf, payInvoice } from '#server/stripe/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { chargeableSubscriptions } from '../queries.ts';

/** What is charged now, and the card it is charged to. */
export type Due = { card: Stripe.PaymentMethod; cents: number };

const readCardAndCredit = async (context: Context, payer: Payer) =>
  findCardAndCredit(context, (await customerDetails(context.db, payer)).stripeCustomerId);

/**
 * The card on file as Stripe has it, and what it is charged: `dueOf` answers that for the payer's credit. Of what the payer
 * agreed to neither amount nor card may have changed (409). Null without a card, or where nothing is left to charge.
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
 * For a card that is still to be typed: nothing is charged here. Refuses (409) what the credit would pay in full, which Stripe
 * does at once, before anybody has pressed anything.
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
    // Another purchase may have used the credit, or this invoice keeps it since the card form was opened; voided, it gives it back.
    await endStripeSubscription(context, id);
    throw new AppError('price_changed');
  }
  await payInvoice(context, invoiceId, due.card);
  return true;
}

/** What a new card pays at once: everything that is owed, but for tools that the payer's practice doesn't allow. */
export async function payableByCard(context: Context, payer: Payer) {
  const [rows, facts] = await Promise.all([
    chargeableSubscriptions(context.db, payer),
    findPayerFacts(context.db, payer),
  ]);
  const rules = facts ? await toolRulesFor(context.db, facts.contactId) : [];
  return rows.filter(({ toolId }) => toolRefusal(rules, toolId) === null);
}
