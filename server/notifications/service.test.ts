import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { mails, notifications, reminderSettings } from '#shared/schema/notifications.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import { within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { createUser } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';
import { notify, type Notice } from './service.ts';

const app = testApp();

const renewal = (userId: string, more: Partial<Notice> = {}): Notice => ({
  userId,
  type: 'subscription_renewal',
  title: 'Free trial started',
  message: 'Your free trial of Risk-Profile.ai has started.',
  actionUrl: '/subscribe/risk-profile-ai',
  dedupeKey: 'trial-started:1',
  mail: { kind: 'trial-started', subject: mailSubject`Your free trial has started`, actionLabel: 'Open the tool' },
  ...more,
});
const security: Partial<Notice> = { type: 'system_alert', dedupeKey: 'password-changed:1' };

const noticesOf = (userId: string) =>
  app.context.db.select().from(notifications).where(eq(notifications.userId, userId));
const listed = async (userId: string) =>
  (await noticesOf(userId)).filter((row) => row.expiresAt === null || row.expiresAt > app.context.now());
const mailed = (to: string) => app.context.db.select().from(mails).where(eq(mails.toAddress, to));
const prefer = (userId: string, settings: Partial<typeof reminderSettings.$inferInsert>) =>
  app.context.db.insert(reminderSettings).values({ userId, ...settings });

describe('notify', () => {
  it('writes the notice and the mail, by default on both channels', async () => {
    const user = await createUser(app.context, { firstName: 'Ana <b>' });
    expect(await notify(app.context, renewal(user.id))).toBe(true);
    const [row] = await noticesOf(user.id);
    expect(row).toMatchObject({ title: 'Free trial started', isRead: false, actionUrl: '/subscribe/risk-profile-ai' });
    const [mail] = await mailed(user.email);
    expect(mail).toMatchObject({ subject: 'Your free trial has started', kind: 'trial-started' });
    expect(mail!.textBody).toContain(`${app.context.env.appUrl}/subscribe/risk-profile-ai`);
    expect(mail!.htmlBody).toContain('Ana &lt;b&gt;');
  });

  it('notifies once: a repeat makes no second row and no second mail', async () => {
    const user = await createUser(app.context);
    await notify(app.context, renewal(user.id));
    expect(await notify(app.context, renewal(user.id, { title: 'Again' }))).toBe(false);
    expect(await noticesOf(user.id)).toHaveLength(1);
    expect(await mailed(user.email)).toHaveLength(1);
  });

  it('notifies once when twenty do at once', async () => {
    const user = await createUser(app.context);
    const results = await Promise.all(Array.from({ length: 20 }, () => notify(app.context, renewal(user.id))));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await noticesOf(user.id)).toHaveLength(1);
    expect(await mailed(user.email)).toHaveLength(1);
  });

  it('notifies two advisers, and of two occasions, each', async () => {
    const [one, two] = [await createUser(app.context), await createUser(app.context)];
    expect(await notify(app.context, renewal(one.id))).toBe(true);
    expect(await notify(app.context, renewal(two.id))).toBe(true);
    expect(await notify(app.context, renewal(one.id, { dedupeKey: 'trial-started:2' }))).toBe(true);
  });

  it('leaves nothing when the transaction around it fails, so that the next try notifies', async () => {
    const user = await createUser(app.context);
    const fault = new Error('the rest failed');
    const work = transaction(app.context.db, async (tx) => {
      await notify(within(app.context, tx), renewal(user.id));
      throw fault;
    });
    await expect(work).rejects.toBe(fault);
    expect(await noticesOf(user.id)).toHaveLength(0);
    expect(await mailed(user.email)).toHaveLength(0);
    expect(await notify(app.context, renewal(user.id))).toBe(true);
  });

  it('waits for another that notifies of the same, and does so after its rollback', async () => {
    const user = await createUser(app.context);
    let second: Promise<boolean> | undefined;
    const first = transaction(app.context.db, async (tx) => {
      await notify(within(app.context, tx), renewal(user.id));
      second = notify(app.context, renewal(user.id));
      throw new Error('the rest failed');
    });
    await expect(first).rejects.toThrow('the rest failed');
    expect(await second).toBe(true);
    expect(await mailed(user.email)).toHaveLength(1);
  });

  it('sends nothing to a closed or unknown account', async () => {
    const user = await createUser(app.context, { closedAt: new Date() });
    expect(await notify(app.context, renewal(user.id))).toBe(false);
    expect(await notify(app.context, renewal('00000000-0000-4000-8000-000000000000'))).toBe(false);
    expect(await mailed(user.email)).toHaveLength(0);
  });
});

describe('the preferences of an adviser', () => {
  it('leave the notice alone where email reminders are off', async () => {
    const user = await createUser(app.context);
    await prefer(user.id, { emailReminders: false });
    expect(await notify(app.context, renewal(user.id))).toBe(true);
    expect(await listed(user.id)).toHaveLength(1);
    expect(await mailed(user.email)).toHaveLength(0);
  });

  it('let the mail go out once where in-app notices are off', async () => {
    const user = await createUser(app.context);
    await prefer(user.id, { inAppNotifications: false });
    await notify(app.context, renewal(user.id));
    await notify(app.context, renewal(user.id));
    expect(await listed(user.id)).toHaveLength(0);
    const unread = and(eq(notifications.userId, user.id), eq(notifications.isRead, false));
    expect(await app.context.db.select().from(notifications).where(unread)).toHaveLength(0);
    expect(await mailed(user.email)).toHaveLength(1);
  });

  it('never silence a security notice', async () => {
    const user = await createUser(app.context);
    await prefer(user.id, { emailReminders: false, inAppNotifications: false });
    await notify(app.context, renewal(user.id, security));
    expect(await listed(user.id)).toHaveLength(1);
    expect(await mailed(user.email)).toHaveLength(1);
  });

  it('never silence a mail that is no reminder', async () => {
    const user = await createUser(app.context);
    await prefer(user.id, { emailReminders: false });
    const mail = { kind: 'payment-failed', subject: mailSubject`Your payment failed`, always: true };
    await notify(app.context, renewal(user.id, { mail }));
    expect(await mailed(user.email)).toHaveLength(1);
  });
});
