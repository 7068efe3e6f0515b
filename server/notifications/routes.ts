import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { deleteNotice, listNotices, readAllNotices, readNotice, unreadCount } from './list.ts';

export const notificationsRoutes = (context: Context) =>
  implement(
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
