import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/index.ts';
import { audit } from '#server/audit/service.ts';
import { notify } from '#server/notifications/service.ts';
import { userPayer } from '#server/payers/service.ts';
import { findOpenPerson, lockOpenPerson, setFreeAccess } from '#server/people/service.ts';
import { billingForecast, freeAccess, toldBills } from '#server/subscriptions/service.ts';
import { heading } from '#server/platform/mail-subject.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';

const notices = {
  granted: {
    ...heading`Free access granted`,
    message:
      'You have been granted free access: every tool costs you nothing from now on. Team purchases are not covered.',
  },
  revoked: {
    ...heading`Free access ended`,
    message:
      'Your free access has ended, and tools are back to their usual price. Your subscriptions show what happens to each.',
  },
};

/** `GET /api/admin/users/:id/forecast`: what the adviser pays, and what granting or ending free access would change. */
export async function userForecast(
  context: Context,
  userId: string,
): Promise<Reply<typeof contract.admin.userForecast>> {
  const user = await orRefuse(findOpenPerson(context.db, userId), 'user_not_found');
  const [forecast, changes] = await Promise.all([
    billingForecast(context, userPayer(user.id)),
    freeAccess.freeAccessChanges(context, user.id, !user.freeAccessGranted),
  ]);
  return { ...forecast, ...changes };
}

/** Grants or revokes free access, with its audit row and notice, in one transaction. */
export const changeFreeAccess = (context: Context, userId: string, granted: boolean, reason?: string) =>
  inTransaction(context, async (inside, tx) => {
    const user = await orRefuse(lockOpenPerson(tx, userId), 'user_not_found');
    if (user.freeAccessGranted === granted) throw new AppError(granted ? 'already_free' : 'not_free');
    const now = context.now();
    await setFreeAccess(tx, user.id, granted, now);
    await audit(inside, granted ? 'admin.free_access_granted' : 'admin.free_access_revoked', {
      user: user.id,
      before: { freeAccessGranted: !granted },
      after: { freeAccessGranted: granted, ...(reason !== undefined && reason !== '' && { reason }) },
    });
    // If prices change, the mail about them says why, and is the only one.
    const isToldMore = await freeAccess.freeAccessChanged(inside, user.id);
    if (isToldMore && !granted) return;
    const { title, subject, message } = notices[granted ? 'granted' : 'revoked'];
    await notify(inside, {
      userId: user.id,
      title,
      message,
      actionUrl: '/dashboard?tab=billing',
      dedupeKey: `free-access:${now.toISOString()}`,
      ...(!isToldMore && { mail: { kind: 'free-access', subject, actionLabel: 'Open Billing' } }),
    });
    const kind = isToldMore ? 'notice' : 'free-access';
    await toldBills.keepWords(inside, userPayer(user.id), user.id, { kind, subject, paragraphs: [message] });
  });
