import type Stripe from 'stripe';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { accessChanged } from '#server/access-tokens/service.ts';
import { audit } from '#server/audit/service.ts';
import { findTool, toolName } from '#server/catalogue/service.ts';
import { notify } from '#server/notifications/service.ts';
import { columnsOf, findPayerFacts, type Payer, payerOf, wordsFor } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { includesFreeTool } from '../entitlements.ts';
import { type Payment, refusalsFor } from '../notices/sentences.ts';
import { noticeFor } from '../notices/notices.ts';
import { forecastFor } from '../price/forecast.ts';
import { comebackTo } from '../purchase/win-back-offers.ts';
import { endFreeTool, insertFreeTool, type SubscriptionRow } from '../queries.ts';

/** Has a job bring the payer's prices up to date, once the caller's transaction commits. */
export const queueReprice = (context: Context, payer: Payer, options: { verify?: boolean } = {}) =>
  context.queue.send(context.db, 'reprice', { ...columnsOf(payer), ...options });

const holdsSlot = (row: SubscriptionRow | null) => row !== null && row.isActive && row.status !== 'incomplete';

/** What decides how long the row goes on. */
const courseOf = (row: SubscriptionRow | null): string => {
  if (row === null || !holdsSlot(row)) return '';
  const { status, autoRenew, endDate, trialEndDate, gracePeriodEnd } = row;
  return JSON.stringify([status, autoRenew, endDate, trialEndDate, gracePeriodEnd]);
};

type EffectOptions = {
  /** The sender of the request made the change, and not Stripe or the clock. */
  byCaller?: boolean;
  /** A charge that has just come through. */
  paid?: Payment | null;
  /** The account or team is being closed, so no mail asks anybody to come back. */
  closing?: boolean;
  /** As Stripe has it now. */
  stripeSubscription?: Stripe.Subscription;
  /** What the mail about it begins with: who did it for the payer, and why. */
  because?: string;
};

/** What was owed is no longer owed, and was not paid. */
const isVoid = (latest: Stripe.Subscription['latest_invoice']) =>
  latest !== null && typeof latest !== 'string' && latest.status === 'void';

/** What follows from a change of a row, in the same transaction: notice, mail, audit, the free tool, the other prices. */
export async function applyEffects(
  context: Context,
  before: SubscriptionRow | null,
  after: SubscriptionRow,
  options: EffectOptions = {},
): Promise<void> {
  const { byCaller = false, paid = null, closing = false } = options;
  const was = before?.status ?? 'none';
  if (was !== after.status)
    await audit(context, 'subscription.changed', {
      subscription: after.id,
      ...(!byCaller && { actorId: null }),
      before: { status: was },
      after: { status: after.status, toolId: after.toolId, monthlyCents: after.monthlyCents },
    });
  if (was !== after.status || before?.autoRenew !== after.autoRenew || paid)
    await notifyPayer(context, before, after, options);
  if (courseOf(before) !== courseOf(after)) await accessChanged(context, after);
  if (after.toolId === lostMoneyTool) return;
  const payer = payerOf(after);
  const now = context.now();
  // The volume discount of each charge follows the tools that go on after it.
  if (!closing && courseOf(before) !== courseOf(after)) await queueReprice(context, payer);
  if (!holdsSlot(before) && holdsSlot(after)) {
    const free = await findTool(context.db, lostMoneyTool);
    if (free?.isActive && free.closedAt === null) await insertFreeTool(context.db, payer, now);
  }
  if (holdsSlot(before) && !holdsSlot(after) && !(await includesFreeTool(context, payer)))
    await endFreeTool(context.db, payer, now);
}

async function notifyPayer(
  context: Context,
  before: SubscriptionRow | null,
  row: SubscriptionRow,
  { paid = null, closing = false, stripeSubscription, because }: EffectOptions,
): Promise<void> {
  const payer = payerOf(row);
  const facts = await findPayerFacts(context.db, payer);
  // While charges are paused, the adviser is told only what an administrator does here; the suspension and its end have their own mails.
  if (!facts || (facts.chargesPaused && because === undefined)) return;
  const notice = noticeFor(
    {
      before,
      row,
      toolName: await toolName(context.db, row.toolId),
      words: wordsFor(payer, facts),
      forecast: await forecastFor(context, payer),
      paid,
      refusals: await refusalsFor(context, facts.contactId),
      forgiven: isVoid(stripeSubscription?.latest_invoice ?? null),
      comeback: row.status === 'expired' && !closing ? await comebackTo(context, row) : null,
    },
    context.now(),
  );
  if (!notice) return;
  const { mail, ...inApp } = notice;
  await notify(context, {
    userId: facts.contactId,
    type: 'subscription_renewal',
    ...inApp,
    ...(mail &&
      !closing && { mail: { ...mail, paragraphs: [...(because ? [because] : []), ...(mail.paragraphs ?? [])] } }),
  });
}
