import { findPayerFacts, userPayer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { mirrorBill } from '../bill/mirror.ts';
import { openBillsOf } from '../bill/queries-bills.ts';
import { settleBill } from '../bill/settle.ts';
import { stopInvoice } from '../bill/closing.ts';
import { withdrawPurchases } from '../buy/attempt.ts';

/** Has a job stop charges with a suspension, or resume them after it, once the caller's transaction commits. */
export const suspensionChanged = (context: Context, userId: string) =>
  context.queue.send(context.db, 'follow-suspension', { userId });

/**
 * That job: during a suspension the adviser's open purchases are withdrawn, and what is open is not charged; the lines of their bills are
 * $0.00, and their price again after it.
 */
export async function followSuspension(context: Context, userId: string): Promise<void> {
  const payer = userPayer(userId);
  const facts = await findPayerFacts(context.db, payer);
  if (facts?.chargesPaused) {
    await withdrawPurchases(context, payer, context.now());
    for (const { id, status, stripeInvoiceId } of await openBillsOf(context.db, payer)) {
      // What Stripe has not issued yet is stopped where its draft is held against the bill.
      if (stripeInvoiceId && status !== 'draft') await stopInvoice(context, stripeInvoiceId);
      await settleBill(context, id);
    }
  }
  if (facts) await mirrorBill(context, payer);
}
