import type { Confirmation } from '#shared/api/charge.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { type BillRow, billOf, goOnAfter, withRow } from '#shared/rules/billing/bill.ts';
import { findTool } from '#server/catalogue/service.ts';
import { type Payer, payerFor } from '#server/payers/service.ts';
import {
  findStripeSubscription,
  isOver,
  periodOf,
  requireStripeSubscription,
  writeItems,
} from '#server/stripe/bill-subscription.ts';
import { nothingToConfirm } from '#server/stripe/invoices.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { retryOnConflict, transaction } from '#server/platform/data/database.ts';
import { advance, advanceNow } from '../bill/advance.ts';
import { linesFor, mirrorNow } from '../bill/mirror.ts';
import type { BillReading } from '../bill/read.ts';
import { changeRow } from '../effects.ts';
import { joinFirst } from '../join/join.ts';
import { findNewest, type SlotRow, type SubscriptionRow } from '../queries.ts';
import { findShownSubscription } from '../rights.ts';

/** The tool, and the team that subscribes to it; without a team the adviser's own subscription. */
export type Target = { toolId: string; teamId?: string | undefined };

/** A payer's subscription, with the bill brought to now; `slot` is null where the row is history. */
export type Current = { payer: Payer; reading: BillReading; row: SubscriptionRow; slot: SlotRow | null };

/** What the browser has to confirm after a step; usually nothing. */
export type StepResult = Partial<Confirmation>;
export type Changed = Confirmation & { subscription: Subscription };

/** Changes a subscription. Where the step answers null because the row has changed meanwhile, everything is done again. */
export const changeSubscription = async (
  context: Context,
  actor: ActorRow,
  { toolId, teamId }: Target,
  step: Step,
): Promise<Changed> => changeFor(context, await payerFor(context, actor, teamId), actor.id, toolId, step);

type Step = (current: Current) => Promise<StepResult | null>;

/** Does it for a payer; the answer is as `viewerId` sees it. */
export async function changeFor(
  context: Context,
  payer: Payer,
  viewerId: string,
  toolId: string,
  step: Step,
): Promise<Changed> {
  await joinFirst(context, payer);
  return retryOnConflict(async () => {
    const reading = await advanceNow(context, payer);
    const row = await findNewest(context.db, payer, toolId);
    if (!row && !(await findTool(context.db, toolId))) throw new AppError('tool_not_found');
    if (!row || row.status === 'incomplete') throw new AppError('subscription_not_found');
    const slot = reading.slots.find(({ id, revision }) => id === row.id && revision === row.revision) ?? null;
    if (row.isActive && !slot) return null;
    const result = await step({ payer, reading, row, slot });
    if (!result) return null;
    const subscription = await findShownSubscription(context, viewerId, payer, toolId);
    if (!subscription) throw new AppError('subscription_not_found');
    return { ...nothingToConfirm, ...result, subscription };
  }, 8);
}

/**
 * Writes a row with what follows from it, the bill first brought to now; then Stripe follows. Null where the row has changed since it
 * was read, or `also` finds that something else has: then nothing is written.
 */
export async function writeRow(
  context: Context,
  { payer, row }: Pick<Current, 'payer' | 'row'>,
  values: Partial<SubscriptionRow>,
  also: (inside: Context, after: SubscriptionRow) => Promise<boolean | void>,
): Promise<StepResult | null> {
  try {
    await transaction(context.db, async (tx) => {
      const inside = within(context, tx);
      await advance(inside, payer);
      const after = await changeRow(inside, row, values, { byCaller: true });
      if (!after || (await also(inside, after)) === false) throw new Stale();
    });
  } catch (error) {
    if (error instanceof Stale) return null;
    throw error;
  }
  if (row.purchase !== null && values.autoRenew === true) await setOldRenewal(context, row, true);
  await mirrorNow(context, payer);
  return {};
}

class Stale extends Error {}

/**
 * Takes a tool that the coming bill has off the payer's subscription at Stripe, before its row says so: whichever process dies, nobody is
 * charged by mistake. Where nothing is left, the subscription ends with its period. A tool that has not joined the bill has its own.
 */
export async function takeOffAtStripe(
  context: Context,
  { reading, row }: Pick<Current, 'reading' | 'row'>,
  change: Partial<BillRow>,
): Promise<void> {
  if (row.purchase !== null) return setOldRenewal(context, row, false);
  const { facts, input } = reading;
  if (facts.stripeSubscriptionId === null || facts.nextBillAt === null) return;
  if (!billOf(input, facts.nextBillAt).lines.some(({ subscriptionId }) => subscriptionId === row.id)) return;
  const subscription = await requireStripeSubscription(context, facts.stripeSubscriptionId);
  if (isOver(subscription) || subscription.status === 'incomplete') return;
  const changed = withRow(input, row.id, change);
  const bill = billOf(changed, facts.nextBillAt);
  const ends = !goOnAfter(changed, bill);
  // Before Stripe begins the month that is fixed here, its end would come a month early: the mirror does it later.
  if (ends && periodOf(subscription).end < facts.nextBillAt) return;
  await writeItems(context, subscription, linesFor(bill.lines), { ends });
}

/** Has the old subscription of a tool that has not joined the bill yet renew once more, or end with its period. */
async function setOldRenewal(context: Context, row: SubscriptionRow, renews: boolean): Promise<void> {
  const subscription = row.stripeSubscriptionId && (await findStripeSubscription(context, row.stripeSubscriptionId));
  if (subscription && !isOver(subscription)) await writeItems(context, subscription, [], { ends: !renews });
}
