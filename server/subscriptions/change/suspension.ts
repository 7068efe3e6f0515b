import { findPayerFacts, userPayer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { slotsOf } from '../queries.ts';
import { syncRow } from '../sync/sync.ts';
import { withdrawPurchases } from './end-all.ts';

/** Has charges stop or go on with a suspension, once the caller's transaction commits. */
export const suspensionChanged = (context: Context, userId: string) =>
  context.queue.send(context.db, 'follow-suspension', { userId });

/** A job: has Stripe pause or charge what the adviser pays for, and withdraws what they were about to buy. */
export async function followSuspension(context: Context, userId: string): Promise<void> {
  const payer = userPayer(userId);
  const paused = (await findPayerFacts(context.db, payer))?.chargesPaused ?? false;
  if (paused) await withdrawPurchases(context, payer, context.now());
  for (const row of await slotsOf(context.db, payer)) await syncRow(context, row.id);
}
