import * as z from 'zod';
import { reminderDays } from '#shared/rules/billing/reminders.ts';
import { defineApi } from './endpoint.ts';
import { endsMails } from './fields.ts';

export const reminderSettings = z.strictObject({
  emailReminders: z.boolean(),
  reminderDays: z
    .array(
      z.union(
        reminderDays.map((days) => z.literal(days)),
        { error: 'Please choose from 7, 3 and 1 days' },
      ),
    )
    .max(reminderDays.length, { error: 'Please choose each day once' })
    .transform((days) => reminderDays.filter((each) => days.includes(each))),
  inAppNotifications: z.boolean(),
  /** A weekly reminder of sessions that are not stated. */
  weeklyStatements: z.boolean(),
});
export type ReminderSettings = z.output<typeof reminderSettings>;

/** How an adviser hears about renewals. */
export const remindersApi = defineApi('member', {
  settings: {
    route: 'GET /api/reminder-settings',
    summary: 'How this adviser hears of renewals',
    response: reminderSettings,
  },
  save: {
    route: 'POST /api/reminder-settings',
    summary: 'Change how this adviser hears of renewals; what is left out stays as it is',
    body: reminderSettings.partial(),
    response: reminderSettings,
  },
  unsubscribe: {
    route: 'POST /api/unsubscribe',
    access: 'public',
    summary: 'End reminder mails, with the token of such a mail; also the one-click form of RFC 8058',
    ...endsMails('Invalid or expired unsubscribe link'),
  },
});
