import * as z from 'zod';
import { notificationTypes } from '#shared/rules/people/notifications.ts';
import { defineApi } from './endpoint.ts';
import { date, wholeText } from './fields.ts';

/** The longest list: older notices are not shown. */
export const notificationsLimit = 1000;

export const notification = z.object({
  id: z.string(),
  /** A release that doesn't know a newer one's type yet shows the notice as an alert. */
  type: z.enum(notificationTypes).catch('system_alert'),
  title: z.string(),
  message: z.string(),
  isRead: z.boolean(),
  /** A path of ours, or https. */
  actionUrl: z.string().nullable(),
  createdAt: date,
});
export type Notification = z.output<typeof notification>;

const limit = wholeText(
  1,
  notificationsLimit,
  'Limit must be a whole number from 1',
  `Limit must be at most ${notificationsLimit}`,
).default(notificationsLimit);
const count = z.object({ count: z.int() });

export const notificationsApi = defineApi('member', {
  list: {
    route: 'GET /api/notifications',
    summary: 'Notices, newest first',
    query: z.strictObject({ limit }),
    response: z.array(notification),
  },
  unreadCount: {
    route: 'GET /api/notifications/unread-count',
    summary: 'How many notices are unread',
    response: count,
  },
  readAll: {
    route: 'POST /api/notifications/read-all',
    summary: 'Mark every notice as read; answers how many were not',
    response: count,
  },
  read: {
    route: 'PATCH /api/notifications/:id/read',
    summary: 'Mark a notice as read',
    response: notification,
  },
  remove: {
    route: 'DELETE /api/notifications/:id',
    summary: 'Delete a notice',
  },
});
