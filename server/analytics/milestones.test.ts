import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { sessionMilestones } from '#shared/rules/record/analytics.ts';
import { businessZone, hour, sydneyDate } from '#shared/rules/dates.ts';
import { usageDays } from '#shared/schema/analytics.ts';
import { mails, notifications, reminderSettings } from '#shared/schema/notifications.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { runDueJobs } from '#server/jobs.ts';
import { within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { createUser } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';
import { insertSession } from '#server/usage/service.ts';
import { closeSilentSessions } from './jobs.ts';
import { reportMonth, reportPage, startMonthlyReports } from './monthly-report.ts';
import { countingSessions } from './service.ts';

const app = testApp();

const noticesOf = (userId: string) =>
  app.context.db.select().from(notifications).where(eq(notifications.userId, userId));
const mailed = (to: string) => app.context.db.select().from(mails).where(eq(mails.toAddress, to));

/** Opens a session as the exchange of a launch token does. */
const open = (userId: string, at = app.context.now(), toolId = 'fact-find-ai') =>
  transaction(app.context.db, (tx) =>
    countingSessions(within(app.context, tx), userId, () =>
      insertSession(tx, { id: randomUUID(), userId, toolId, createdAt: at, lastAccessed: at }),
    ),
  );
const had = (userId: string, count: number, at = app.context.now()) =>
  app.context.db
    .insert(toolUsage)
    .values(Array.from({ length: count }, () => ({ userId, toolId: 'file-note-ai', createdAt: at, lastAccessed: at })));

describe('usage_milestone: 10, 50, 100, 500 sessions', () => {
  it.each(sessionMilestones)('tells the adviser once: %i', async (milestone) => {
    const user = await createUser(app.context);
    await had(user.id, milestone - 2);
    await open(user.id);
    expect(await noticesOf(user.id)).toEqual([]);
    await open(user.id);
    expect(await noticesOf(user.id)).toMatchObject([
      {
        type: 'usage_milestone',
        title: `${milestone} tool sessions`,
        isRead: false,
        actionUrl: '/dashboard?tab=analytics',
      },
    ]);
    await open(user.id);
    expect(await noticesOf(user.id)).toHaveLength(1);
    expect(await mailed(user.email)).toEqual([]);
  });

  it('tells the adviser once of sessions that open at the same moment, also over several tools', async () => {
    const user = await createUser(app.context);
    await had(user.id, 5);
    const tools = ['fact-find-ai', 'risk-profile-ai', 'file-note-ai', 'pre-fill-ai'];
    await Promise.all(Array.from({ length: 48 }, (_, i) => open(user.id, undefined, tools[i % 4])));
    expect((await noticesOf(user.id)).map((row) => row.title).toSorted()).toEqual([
      '10 tool sessions',
      '50 tool sessions',
    ]);
    const { rows } = await app.context.db.$client.query(
      'select sum(sessions)::int as days from usage_days where user_id = $1',
      [user.id],
    );
    expect(rows).toEqual([{ days: 53 }]);
  });

  it('tells nobody of a session that failed', async () => {
    const user = await createUser(app.context);
    await had(user.id, 9);
    const failing = transaction(app.context.db, async (tx) => {
      await countingSessions(within(app.context, tx), user.id, () =>
        insertSession(tx, { id: randomUUID(), userId: user.id, toolId: 'fact-find-ai' }),
      );
      throw new Error('the rest failed');
    });
    await expect(failing).rejects.toThrow('the rest failed');
    expect(await noticesOf(user.id)).toEqual([]);
    await open(user.id);
    expect(await noticesOf(user.id)).toHaveLength(1);
  });

  it('follows the preference for notices in the app', async () => {
    const user = await createUser(app.context);
    await app.context.db.insert(reminderSettings).values({ userId: user.id, inAppNotifications: false });
    await had(user.id, 9);
    await open(user.id);
    const { agent } = await app.signIn(user.email);
    expect((await agent.get('/api/notifications').expect(200)).body).toEqual([]);
  });
});

describe('sessions that never end', () => {
  const endOf = async (userId: string) =>
    (await app.context.db.select().from(toolUsage).where(eq(toolUsage.userId, userId)))[0]!;

  it('end after 48 hours without news, at their last sign of life, with no length made up', async () => {
    const user = await createUser(app.context);
    await open(user.id);
    await closeSilentSessions(app.context);
    const opened = await endOf(user.id);
    expect(opened.endedAt).toBeNull();
    await app.clock.advance(48 * hour + 1000);
    await Promise.all([closeSilentSessions(app.context), closeSilentSessions(app.context)]);
    const closed = await endOf(user.id);
    expect(closed).toEqual({ ...opened, endedAt: opened.lastAccessed });
    expect(closed.reports).toBe(0);
    await closeSilentSessions(app.context);
    expect(await endOf(user.id)).toEqual(closed);
  });

  it('end, however many there are', async () => {
    const user = await createUser(app.context);
    await had(user.id, 2500, new Date(app.context.now().getTime() - 72 * hour));
    await closeSilentSessions(app.context);
    const { rows } = await app.context.db.$client.query(
      'select count(*)::int as n from tool_usage where ended_at is null',
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});

describe('performance_report: monthly', () => {
  /** Moves the clock to midnight UTC on the first of Sydney’s next month, which is the first there too; returns this month's name. */
  const toNextMonth = async () => {
    const now = app.context.now();
    const [year, month] = sydneyDate(now).split('-').map(Number) as [number, number];
    const first = new Date(Date.UTC(year, month, 1));
    await app.clock.advance(first.getTime() - now.getTime());
    return new Intl.DateTimeFormat('en-AU', { month: 'long', year: 'numeric', timeZone: businessZone }).format(now);
  };

  it('tells in the app and by mail what was done in the month, once, however often it runs', async () => {
    const user = await createUser(app.context, { firstName: 'Mia' });
    const idle = await createUser(app.context);
    await had(user.id, 2);
    const month = await toNextMonth();
    await had(user.id, 1);
    await Promise.all([startMonthlyReports(app.context), startMonthlyReports(app.context)]);
    await app.context.queue.drain();
    await runDueJobs(app.context);
    await app.context.queue.drain();
    expect(await noticesOf(user.id)).toMatchObject([
      {
        type: 'performance_report',
        title: `Your report for ${month}`,
        message: `${month}: 2 sessions with 1 tool, 0 min in all. Time saved: about 30 min.`,
      },
    ]);
    const [mail, ...more] = await mailed(user.email);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ kind: 'monthly-report', subject: `Your report for ${month}` });
    expect(mail!.textBody).toContain(`Hi Mia,\n\nIn ${month} your tools saved you about 30 min.`);
    expect(mail!.textBody).toMatch(/^Sessions +2\nTools used +1$/m);
    expect(mail!.textBody).toContain('Unsubscribe');
    expect(mail!.textBody).toContain(`${app.context.env.appUrl}/dashboard?tab=analytics`);
    expect(await noticesOf(idle.id)).toEqual([]);
  });

  it('is sent once by two replicas that take one page at once', async () => {
    const user = await createUser(app.context);
    await had(user.id, 1);
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(app.context.now());
    const page = { month: today.slice(0, 7), day: today, after: null };
    await Promise.all([1, 2, 3].map(() => reportPage(app.context, page)));
    expect((await noticesOf(user.id)).filter((row) => row.type === 'performance_report')).toHaveLength(1);
    expect(await mailed(user.email)).toHaveLength(1);
  });

  it('reaches everybody of a month of several pages, and nobody of the next month', async () => {
    const month = '2025-03';
    const used = (userId: string, day: string) =>
      app.context.db.insert(usageDays).values({ userId, day, toolId: 'file-note-ai', sessions: 1 });
    const often = [];
    for (let i = 0; i < 8; i += 1) often.push(await createUser(app.context));
    for (let day = 1; day <= 27; day += 1)
      for (const { id } of often) await used(id, `${month}-${String(day).padStart(2, '0')}`);
    await used(often[0]!.id, '2025-02-28');
    const [late, next] = [await createUser(app.context), await createUser(app.context)];
    await used(late.id, '2025-03-31');
    await used(next.id, '2025-04-01');
    await reportPage(app.context, { month, day: '2025-03-01', after: null });
    await app.context.queue.drain();
    for (const { id } of [...often, late]) expect(await noticesOf(id)).toHaveLength(1);
    expect(await noticesOf(next.id)).toEqual([]);
    const [mail] = await mailed(often[0]!.email);
    expect(mail!.textBody).toContain('saved you about 6 h 45 min, 6 h 30 min more than in February 2025.');
  });

  it('follows the preferences', async () => {
    const [noMail, noApp] = [await createUser(app.context), await createUser(app.context)];
    await app.context.db.insert(reminderSettings).values({ userId: noMail.id, emailReminders: false });
    await app.context.db.insert(reminderSettings).values({ userId: noApp.id, inAppNotifications: false });
    await Promise.all([had(noMail.id, 1), had(noApp.id, 1)]);
    const month = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' })
      .format(app.context.now())
      .slice(0, 7);
    await reportMonth(app.context, month, [noMail.id, noApp.id]);
    expect(await mailed(noMail.email)).toEqual([]);
    expect(await mailed(noApp.email)).toHaveLength(1);
    const listed = async (email: string) =>
      (await (await app.signIn(email)).agent.get('/api/notifications').expect(200)).body as unknown[];
    expect(await listed(noMail.email)).toHaveLength(1);
    expect(await listed(noApp.email)).toEqual([]);
  });

  it('is left alone after the first week of a month', async () => {
    const user = await createUser(app.context);
    await had(user.id, 1);
    await toNextMonth();
    await app.clock.advance(8 * 24 * hour);
    await startMonthlyReports(app.context);
    await app.context.queue.drain();
    expect(await noticesOf(user.id)).toEqual([]);
  });
});
