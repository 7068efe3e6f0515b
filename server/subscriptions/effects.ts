import { formatSydneyDate } from '#shared/rules/dates.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { audit } from '#server/admin/service.ts';
import { columnsOf, payerOf, type Payer } from '#server/billing/service.ts';
import { notify } from '#server/notifications/service.ts';
import type { Context } from '#server/platform/context.ts';
import { payerRow, toolNameOf, type SubscriptionRow } from './queries.ts';
import { endFreeTool, insertFreeTool } from './queries-write.ts';
import { carriesFreeTool } from './rights.ts';

/** Has a payer's prices brought up to date by a job, in the caller's transaction. */
export const askForPrices = (context: Context, payer: Payer, options: { verify?: boolean } = {}) =>
  context.queue.send(context.db, 'reprice', { ...columnsOf(payer), ...options });

const holdsPlace = (row: SubscriptionRow | null) => row !== null && row.isActive && row.status !== 'incomplete';

/** What a change of a row brings with it, in the same transaction: notice, audit, the free tool. */
export async function applyEffects(
  context: Context,
  before: SubscriptionRow | null,
  after: SubscriptionRow,
  /** Who did it; null where the provider or the clock did. */
  actorId: string | null = null,
): Promise<void> {
  const was = before?.status ?? 'none';
  if (was !== after.status) {
    await audit(context, {
      action: 'subscription.changed',
      actorId,
      subjectType: 'subscription',
      subjectId: after.id,
      before: { status: was },
      after: { status: after.status, toolId: after.toolId, monthlyCents: after.monthlyCents },
    });
    await announce(context, was, after);
  }
  if (after.toolId === lostMoneyTool) return;
  const payer = payerOf(after);
  // The volume discount of the others follows the number of tools.
  if (holdsPlace(before) !== holdsPlace(after)) await askForPrices(context, payer);
  if (!holdsPlace(before) && holdsPlace(after)) await insertFreeTool(context.db, payer, context.now());
  if (holdsPlace(before) && !holdsPlace(after) && !(await carriesFreeTool(context, payer)))
    await endFreeTool(context.db, payer, context.now());
}

type Notice = { kind: string; title: string; message: string; actionUrl: string };

function noticeOf(was: string, row: SubscriptionRow, toolName: string): Notice | null {
  const ends = (date: Date | null) => (date ? formatSydneyDate(date) : '');
  const fresh = was === 'none' || was === 'incomplete';
  switch (row.status) {
    case 'trial':
      return {
        kind: 'trial-started',
        title: 'Free trial started',
        message: `Your free trial of ${toolName} runs until ${ends(row.trialEndDate)}.`,
        actionUrl: '/dashboard',
      };
    case 'active':
      if (was === 'grace_period')
        return {
          kind: `payment-recovered:${ends(row.endDate)}`,
          title: 'Payment received',
          message: `The payment for ${toolName} came through. Your subscription continues.`,
          actionUrl: '/dashboard?tab=billing',
        };
      return {
        kind: fresh ? 'started' : `active:${ends(row.endDate)}`,
        title: 'Subscription started',
        message: `Your subscription to ${toolName} is active.`,
        actionUrl: '/dashboard',
      };
    case 'grace_period':
      return {
        kind: `payment-failed:${row.gracePeriodEnd?.toISOString() ?? ''}`,
        title: 'Payment failed',
        message: `The payment for ${toolName} failed. You keep access until ${ends(row.gracePeriodEnd)}.`,
        actionUrl: '/dashboard?tab=billing',
      };
    case 'expired':
      return {
        kind: 'expired',
        title: 'Subscription ended',
        message: `Your subscription to ${toolName} has ended. You can subscribe again at any time.`,
        actionUrl: `/subscribe/${row.toolId}`,
      };
    default:
      return null;
  }
}

async function announce(context: Context, was: string, row: SubscriptionRow): Promise<void> {
  const [payer, toolName] = await Promise.all([payerRow(context.db, payerOf(row)), toolNameOf(context.db, row.toolId)]);
  const notice = payer && noticeOf(was, row, payer.teamName === null ? toolName : `${toolName} for ${payer.teamName}`);
  if (!notice) return;
  const { kind, ...text } = notice;
  await notify(context, {
    userId: payer.contactId,
    type: 'subscription_renewal',
    ...text,
    dedupeKey: `subscription:${row.id}:${kind}`,
  });
}
