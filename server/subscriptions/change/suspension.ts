import { findPayerFacts, userPayer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { slotsOf } from '../queries.ts';
import { syncRow } from '../sync/sync.ts';
import { withdrawPurchases } from './end-all.ts';

/** Has a job stop charges with a suspension, or resume them after it, once the caller's transaction commits. */
export const suspensionChanged = (context: Context, userId: string) =>
  context.queue.send(context.db, 'follow-suspension', { userId });

/** That job: Stripe pauses or charges what the adviser pays for; during a suspension their open purchases are withdrawn. */
export async function followSuspension(context: Context, userId: string): Promise<void> {
  const payer = userPayer(userId);
  const paused = (await findPayerFacts(context.db, payer))?.chargesPaused ?? false;
  if (paused) await withdrawPurchases(context, payer, context.now());
  for (const row of await slotsOf(context.db, payer)) await syncRow(context, row.id);
}
