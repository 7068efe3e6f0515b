import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { notificationTypes } from '../rules/people/notifications.ts';
import { ofUser } from './accounts.ts';
import { bytea, createdAt, generatedId, instant, oneOf, updatedAt } from './columns.ts';

export const notifications = pgTable(
  'notifications',
  {
    id: generatedId(),
    userId: ofUser(),
    type: text('type', { enum: notificationTypes }).notNull(),
    title: text('title').notNull(),
    message: text('message').notNull(),
    isRead: boolean('is_read').notNull().default(false),
    actionUrl: text('action_url'),
    /** From when it is no longer shown: a year after it was written unless set otherwise, or when it was deleted. */
    expiresAt: instant('expires_at'),
    /** Names the occasion, so that it is notified once, e.g. `trial-started:{subscription}`. */
    dedupeKey: text('dedupe_key').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('notifications_once').on(t.userId, t.dedupeKey),
    index('notifications_user_recent').on(t.userId, t.createdAt.desc().nullsFirst(), t.id),
    index('notifications_user_unread')
      .on(t.userId)
      .where(sql`not ${t.isRead}`),
    // A job blanks what has expired; the row stays, because its key records that the occasion was notified.
    index('notifications_expiry')
      .on(t.expiresAt)
      .where(sql`${t.message} <> ''`),
    oneOf('notifications_type', t.type, notificationTypes),
    check('notifications_action_url', sql`${t.actionUrl} ~ '^(/[^/]|/$|https://)'`),
  ],
);

/** Whoever has no row gets the defaults. */
export const reminderSettings = pgTable('reminder_settings', {
  userId: ofUser().primaryKey(),
  emailReminders: boolean('email_reminders').notNull().default(true),
  inAppNotifications: boolean('in_app_notifications').notNull().default(true),
  reminderDays: integer('reminder_days').array().notNull().default([7, 3, 1]),
  /** A weekly mail or notice about sessions whose output is not stated as checked. */
  weeklyStatements: boolean('weekly_statements').notNull().default(false),
  updatedAt: updatedAt(),
});

/** The mailer's outbox. With SMTP the bodies are blanked once sent; without, this is the development mailbox. */
export const mails = pgTable(
  'mails',
  {
    id: generatedId(),
    kind: text('kind').notNull(),
    toAddress: text('to_address').notNull(),
    subject: text('subject').notNull(),
    textBody: text('text_body').notNull(),
    htmlBody: text('html_body').notNull(),
    /** Extra headers, such as List-Unsubscribe and Reply-To. */
    headers: jsonb('headers').$type<Record<string, string>>(),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    sentAt: instant('sent_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('mails_to_newest').on(t.toAddress, t.createdAt.desc().nullsFirst()),
    index('mails_newest').on(t.createdAt.desc().nullsFirst()),
    index('mails_waiting')
      .on(t.createdAt)
      .where(sql`${t.sentAt} is null and ${t.textBody} <> ''`)
      .concurrently(),
  ],
);

/** Files of a mail. With SMTP they go once it is sent. */
export const mailFiles = pgTable(
  'mail_files',
  {
    id: generatedId(),
    mailId: uuid('mail_id')
      .notNull()
      .references(() => mails.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    contentType: text('content_type').notNull(),
    body: bytea('body').notNull(),
  },
  (t) => [index('mail_files_mail').on(t.mailId)],
);
