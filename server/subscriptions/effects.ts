import { hasAccess } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { audit } from '#server/admin/service.ts';
import { columnsOf, payerOf, type Payer } from '#server/billing/service.ts';
import { notify } from '#server/notifications/service.ts';
import type { Context } from '#server/platform/context.ts';
import { noticeOf, type Paid } from './notices.ts';
import { payerRow, toolNameOf, type SubscriptionRow } from './queries.ts';
import { endFreeTool, insertFreeTool } from './queries-write.ts';
import { carriesFreeTool } from './rights.ts';

/** Has a payer's prices brought up to date by a job, in the caller's transaction. */
export const askForPrices = (context: Context, payer: Payer, options: { verify?: boolean } = {}) =>
  context.queue.send(context.db, 'reprice', { ...columnsOf(payer), ...options });

/** Since it was last looked at its access has ended: it can be reactivated, but does not count for the others' discounts. */
export const countsNoMore = ({ status, endDate, syncedAt }: SubscriptionRow, now: Date) =>
  status === 'cancelled' && endDate !== null && endDate <= now && (syncedAt === null || syncedAt < endDate);

const holdsPlace = (row: SubscriptionRow | null) => row !== null && row.isActive && row.status !== 'incomplete';

export type Cause = {
  /** Who did it; absent where the provider or the clock did. */
  actorId?: string;
  /** A charge that has just come through. */
  paid?: Paid | null;
  /** The account or team is being closed: nobody is asked to come back. */
  closing?: boolean;
};

/** What a change of a row brings with it, in the same transaction: notice, mail, audit, the free tool, the other prices. */
export async function applyEffects(
  context: Context,
  before: SubscriptionRow | null,
  after: SubscriptionRow,
  { actorId, paid = null, closing = false }: Cause = {},
): Promise<void> {
  const was = before?.status ?? 'none';
  if (was !== after.status) {
    await audit(context, {
      action: 'subscription.changed',
      actorId: actorId ?? null,
      subjectType: 'subscription',
      subjectId: after.id,
      before: { status: was },
      after: { status: after.status, toolId: after.toolId, monthlyCents: after.monthlyCents },
    });
  }
  if (was !== after.status || paid) await announce(context, was, after, paid, closing);
  if (after.toolId === lostMoneyTool) return;
  const payer = payerOf(after);
  const now = context.now();
  const counts = (row: SubscriptionRow | null) => row !== null && holdsPlace(row) && hasAccess(row, now);
  // The discounts of the others follow the number of tools, and this one's what it missed while it was cancelled.
  if (!closing && (counts(before) !== counts(after) || was === 'cancelled')) await askForPrices(context, payer);
  if (!holdsPlace(before) && holdsPlace(after)) await insertFreeTool(context.db, payer, now);
  if (holdsPlace(before) && !holdsPlace(after) && !(await carriesFreeTool(context, payer)))
    await endFreeTool(context.db, payer, now);
}

async function announce(
  context: Context,
  was: SubscriptionRow['status'] | 'none',
  row: SubscriptionRow,
  paid: Paid | null,
  closing: boolean,
): Promise<void> {
  const [payer, toolName] = await Promise.all([payerRow(context.db, payerOf(row)), toolNameOf(context.db, row.toolId)]);
  if (!payer) return;
  const what = payer.teamName === null ? toolName : `${toolName} for ${payer.teamName}`;
  const notice = noticeOf({ was, row, what, cardOnFile: payer.cardOnFile, paid }, context.now());
  if (!notice) return;
  const { mail, ...inApp } = notice;
  await notify(context, {
    userId: payer.contactId,
    type: 'subscription_renewal',
    ...inApp,
    ...(mail && !closing && { mail }),
  });
}
