import type { RequestHandler } from 'express';
import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/http/implement.ts';
import { deleteNotice, listNotices, readAllNotices, readNotice, unreadCount } from './list.ts';
import { saveSettings, settingsOf } from './queries.ts';
import { unsubscribe } from './unsubscribe.ts';

export function notificationsRoutes(context: Context): RequestHandler[] {
  const notices = implement(
    contract.notifications,
    {
      list: ({ actor, query }, ctx) => listNotices(ctx, actor.id, query.limit),
      unreadCount: ({ actor }, ctx) => unreadCount(ctx, actor.id),
      readAll: ({ actor }, ctx) => readAllNotices(ctx, actor.id),
      read: ({ actor, params }, ctx) => readNotice(ctx, actor.id, params.id),
      remove: ({ actor, params }, ctx) => deleteNotice(ctx, actor.id, params.id),
    },
    context,
  );
  const reminders = implement(
    contract.reminders,
    {
      settings: ({ actor }, ctx) => settingsOf(ctx.db, actor.id),
      save: async ({ actor, body }, ctx) => {
        await saveSettings(ctx.db, actor.id, body);
        return settingsOf(ctx.db, actor.id);
      },
      unsubscribe: ({ query, body }, ctx) => unsubscribe(ctx, body.token ?? query.token),
    },
    context,
    { settings: true },
  );
  return [notices, reminders];
}
