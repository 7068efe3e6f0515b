import type Stripe from 'stripe';
import type { Charge } from '#shared/api/charge.ts';
import type { Quote } from '#shared/api/subscriptions.ts';
import { isLive, toolRefusal } from '#shared/rules/billing/subscriptions.ts';
import { onFile, type Payer, practices } from '#server/payers/service.ts';
import { cardOf, findCardAndCredit, keepNewestCard } from '#server/stripe/customers.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { unpaidBillsOf } from '../bill/queries-bills.ts';
import type { BillReading } from '../bill/read.ts';
import { queueMirror } from '../effects.ts';

/**
 * Nobody buys, keeps or pays for what their practice doesn't allow, for the team or for themselves. What renews by itself goes on
 * until somebody cancels it; the rest ends on its own.
 */
export async function refuseDisallowed(context: Context, actor: ActorRow, toolId: string): Promise<void> {
  if (toolRefusal(await practices.toolRulesFor(context.db, actor.id), toolId)) throw new AppError('tool_not_allowed');
}

/** Nothing is sold while a bill is unpaid, or while tools are in grace for another reason. */
export async function refuseUnpaid(context: Context, { payer, slots }: BillReading): Promise<void> {
  const now = context.now();
  const isUnpaid = (await unpaidBillsOf(context.db, payer)).length > 0;
  if (isUnpaid || slots.some((row) => row.status === 'grace_period' && isLive(row, now)))
    throw new AppError('bill_unpaid');
}

/** What a press charges now, and what the next bill then comes to, where the press has to name it. */
export type Due = { cents: number; nextCents?: number | null; quote?: Quote | null };

/** What is charged, and to which card, as Stripe has it; `isPress` is false where only a form is opened. */
export type Agreed = { isPress: boolean; card: Stripe.PaymentMethod | null; cents: number; creditCents: number };

/**
 * Reads card and credit at Stripe, and refuses (409, with the quote) what the payer did not agree to: another sum, card or next
 * bill. Without a charge nothing is paid here; what credit would pay at once is refused, since nobody has pressed anything.
 */
export async function agreedCharge(
  context: Context,
  payer: Payer,
  charge: Charge | undefined,
  dueOf: (creditCents: number) => Due,
): Promise<Agreed> {
  const { card, creditCents } = await findCardAndCredit(context, payer);
  const { cents, nextCents, quote } = dueOf(creditCents);
  const isOther = (agreed: Charge) =>
    agreed.cents !== cents ||
    (agreed.nextCents !== undefined && nextCents !== undefined && agreed.nextCents !== (nextCents ?? 0));
  const refused = charge ? isOther(charge) : cents === 0;
  const otherCard = charge !== undefined && cents > 0 && card?.card?.last4 !== charge.last4;
  if (refused || otherCard) {
    await onFile.storeCard(context.db, payer, cardOf(card), creditCents);
    throw new AppError(refused ? 'price_changed' : 'card_changed', quote ? { quote } : {});
  }
  return { isPress: charge !== undefined, card, cents, creditCents };
}

/** A card that was typed for a purchase pays everything from now on; a job makes sure that no other does. */
export async function keepTypedCard(context: Context, payer: Payer): Promise<void> {
  const kept = await keepNewestCard(context, payer);
  if (!kept || kept.alone) return;
  await queueMirror(context, payer);
  await context.queue.send(context.db, 'spread-card', { payer });
}
