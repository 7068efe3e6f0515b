import { audit } from '#server/admin/service.ts';
import { notify } from '#server/notifications/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { freeAccessChanged } from '#server/subscriptions/service.ts';
import { lockOpenUser, setFreeAccess } from './queries-users.ts';
import type { By } from './by.ts';

const told = {
  granted: {
    title: 'Free access granted',
    message:
      'You have been granted free access: every tool costs you nothing from now on. Team purchases are not covered.',
  },
  revoked: {
    title: 'Free access ended',
    message:
      'Your free access has ended. Tools cost their usual price again; your subscriptions say what happens to each.',
  },
};

/** Grants or takes free access, with its audit row and its notice, all or nothing (decisions §5). */
export async function changeFreeAccess(context: Context, by: By, userId: string, granted: boolean) {
  await transaction(context.db, async (tx) => {
    const user = await lockOpenUser(tx, userId);
    if (!user) throw new AppError('user_not_found');
    if (user.freeAccessGranted === granted) throw new AppError(granted ? 'already_free' : 'not_free');
    const inside = within(context, tx);
    const now = context.now();
    await setFreeAccess(tx, user.id, granted, now);
    await audit(inside, {
      action: granted ? 'admin.free_access_granted' : 'admin.free_access_revoked',
      actorId: by.actorId,
      subjectType: 'user',
      subjectId: user.id,
      before: { freeAccessGranted: !granted },
      after: { freeAccessGranted: granted },
      ip: by.ip,
    });
    const { title, message } = told[granted ? 'granted' : 'revoked'];
    await notify(inside, {
      userId: user.id,
      type: 'system_alert',
      title,
      message,
      actionUrl: '/dashboard?tab=billing',
      dedupeKey: `free-access:${now.toISOString()}`,
      mail: { kind: 'free-access', subject: title, actionLabel: 'See your subscriptions' },
    });
    await freeAccessChanged(inside, user.id);
  });
}
