import { randomUUID } from 'node:crypto';
import { and, eq, notExists, sql } from 'drizzle-orm';
import { brand } from '#shared/brand.ts';
import { monthOf } from '#shared/rules/record/analytics.ts';
import { day, hour, minute, plus, plusDays, sydneyDate } from '#shared/rules/dates.ts';
import { usualChecks } from '#shared/rules/record/record.ts';
import { reportMonth } from '#server/analytics/monthly-report.ts';
import { listNotices, readNotice } from '#server/notifications/list.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { users } from '#shared/schema/accounts.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { state } from '#server/record/service.ts';
import { sampleVersion } from '../sample-tool/handler.ts';
import { purposeOf } from '../sample-tool/index.ts';
import { countingSessions } from '#server/analytics/service.ts';
import { notify } from '#server/notifications/service.ts';
import { insertSession } from '#server/usage/service.ts';
import { reportUsage } from '#server/tools/report-usage.ts';
import { seededRandom } from '../seeded-random.ts';

/** How somebody works: with which tools, the first the most, and how many sessions on a working day. */
export type Habit = { tools: readonly [string, ...string[]]; perDay: number };

/** The product as it was then: its own services write what they would have written at that moment. */
const at = (context: Context, time: Date): Context => ({ ...context, now: () => time });

const days = 55;

/**
 * Gives sessions and notices to the demo accounts that have none. Of two servers that start together, the second leaves it
 * to the first: the transaction here holds nothing but that lock, and each session is written in its own.
 */
export const seedLife = (context: Context, people: readonly { email: string; habit: Habit }[]): Promise<void> =>
  transaction(context.db, async (tx) => {
    const { rows } = await tx.execute<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended('demo life', 0)) as mine`,
    );
    if (!rows[0]?.mine) return;
    const used = tx.select({ id: toolUsage.id }).from(toolUsage).where(eq(toolUsage.userId, users.id));
    for (const [index, { email, habit }] of people.entries()) {
      const [account] = await tx
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.email, email), notExists(used)));
      if (!account) continue;
      await seedUsage(context, account.id, habit, index);
      await seedNotices(context, account.id);
    }
  });

/** Sessions of the last eight weeks, opened and reported as a tool's server does, with the milestones they reached. */
async function seedUsage(context: Context, userId: string, habit: Habit, seed: number): Promise<void> {
  // always the same, so that a demo looks the same on every machine
  const random = seededRandom(seed);
  const stated = seededRandom(1000 + seed);
  const [membership] = await context.db.select().from(teamMembers).where(eq(teamMembers.userId, userId));
  const now = context.now();
  for (let back = days; back >= 0; back -= 1) {
    // Nine in the morning in Sydney, give or take daylight saving.
    const morning = new Date(`${plusDays(sydneyDate(plus(now, -back * day)), -1)}T22:30:00Z`);
    const working = ![5, 6].includes(morning.getUTCDay());
    const count = Math.floor(habit.perDay * (working ? 1 : 0.2) * 2 * random());
    for (let nth = 0; nth < count; nth += 1) {
      const opened = plus(morning, Math.floor((nth + random()) * (8 / count) * 60) * minute);
      const seconds = Math.floor(300 + random() * 2400);
      if (plus(opened, seconds * 1000) > now) return;
      const toolId = habit.tools[Math.floor(random() ** 2 * habit.tools.length)] ?? habit.tools[0];
      const teamId = membership && ofPractice.includes(toolId) ? membership.teamId : null;
      const id = await openSession(context, { userId, teamId, toolId, opened, seconds, random, stated });
      // Some sessions of the last few days are left to be stated.
      if (stated() < (back < 3 ? 0.3 : 0.9)) {
        const { daysLater, ...statement } = statementOf(stated());
        const later = back > daysLater ? daysLater * day : 0;
        await state(at(context, plus(opened, seconds * 1000 + 5 * minute + later)), { id: userId }, id, statement);
      }
    }
  }
}

/** What the practice pays for; see practice.ts. */
const ofPractice = ['fact-find-ai', 'file-note-ai'];

const statementOf = (chance: number) =>
  chance < 0.04
    ? { checked: false, remark: 'Draft thrown away, done by hand.', daysLater: 0 }
    : {
        checked: true,
        checks: usualChecks.slice(0, chance < 0.5 ? 2 : 3),
        ...(chance < 0.15 && { remark: 'Two figures corrected.' }),
        // A few come late.
        daysLater: chance > 0.94 ? 9 : 0,
      };

type Session = {
  userId: string;
  teamId: string | null;
  toolId: string;
  opened: Date;
  seconds: number;
  random: () => number;
  stated: () => number;
};

async function openSession(context: Context, session: Session): Promise<string> {
  const { userId, teamId, toolId, opened, seconds, random, stated } = session;
  const id = randomUUID();
  const times = { createdAt: opened, lastAccessed: opened };
  await transaction(context.db, (tx) =>
    countingSessions(at(within(context, tx), opened), userId, () =>
      insertSession(tx, { id, userId, teamId, toolId, sessionId: id, ...times }),
    ),
  );
  // Now and then somebody just closes the window.
  if (random() < 0.1) return id;
  const event = {
    event_id: `demo-${id}`,
    session_id: id,
    duration_seconds: seconds,
    actions_performed: Math.floor(1 + random() * 30),
    data_processed: Math.floor(random() * 2_000_000),
    performance_score: Math.round(650 + random() * 330) / 100,
    version: sampleVersion,
    purpose: purposeOf[toolId] ?? 'other',
    ...(stated() < 0.7 && { client_reference: `F-${10_200 + Math.floor(stated() * 60)}` }),
  };
  await reportUsage(at(context, plus(opened, seconds * 1000)), { toolId, examined: false }, [event]);
  return id;
}

/** What the bell shows at the first sign-in: a welcome, and the report of the month before. Older notices have been read. */
async function seedNotices(context: Context, userId: string): Promise<void> {
  const now = context.now();
  const first = `${sydneyDate(now).slice(0, 7)}-01`;
  const reported = new Date(`${plusDays(first, -1)}T22:30:00Z`);
  await reportMonth(at(context, reported), monthOf(plusDays(first, -1)).month, [userId]);
  await notify(at(context, plus(now, -2 * hour)), {
    userId,
    title: `Welcome to the ${brand.name} demonstration`,
    message: 'This account and its sessions are made up. Help explains what there is to try.',
    actionUrl: '/help',
    dedupeKey: 'demo:welcome',
  });
  for (const { id, createdAt } of await listNotices(context, userId, 10))
    if (createdAt < plus(reported, -day)) await readNotice(context, userId, id);
}
