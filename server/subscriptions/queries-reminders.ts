import { and, asc, eq, gt, inArray, lte, or, sql } from 'drizzle-orm';
import { day, plus } from '#shared/rules/dates.ts';
import { reminderDays } from '#shared/rules/reminders.ts';
import { users } from '#shared/schema/accounts.ts';
import { reminderSettings } from '#shared/schema/notifications.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teams } from '#shared/schema/teams.ts';
import { tools } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';

const s = toolSubscriptions;
const batch = 500;
/** In the words of the index `tool_subscriptions_due`; here for rows that have a date ahead. */
const dueAt = sql<Date>`(case ${s.status} when 'trial' then ${s.trialEndDate} when 'active' then ${s.endDate} when 'grace_period' then ${s.gracePeriodEnd} else greatest(${s.endDate}, ${s.gracePeriodEnd}) end)`;
const horizon = (Math.max(...reminderDays) + 1) * day;

/** Live rows whose period or trial ends within the longest reminder, with who is to hear of it; in order, after `last`. */
export const rowsRenewingSoon = (db: Db, now: Date, last: { at: Date; id: string } | null) =>
  db
    .select({
      id: s.id,
      at: dueAt.mapWith(s.endDate),
      status: s.status,
      autoRenew: s.autoRenew,
      endDate: s.endDate,
      trialEndDate: s.trialEndDate,
      monthlyCents: s.monthlyCents,
      toolName: tools.name,
      teamName: teams.name,
      payerUserId: users.id,
      businessState: users.businessState,
      cardOnFile: sql<boolean>`(case when ${s.teamId} is null then ${users.cardLast4} else ${teams.cardLast4} end) is not null`,
      reminderDays: reminderSettings.reminderDays,
    })
    .from(s)
    .innerJoin(tools, eq(tools.id, s.toolId))
    .leftJoin(teams, eq(teams.id, s.teamId))
    .innerJoin(users, eq(users.id, sql`coalesce(${s.userId}, ${teams.ownerId})`))
    .leftJoin(reminderSettings, eq(reminderSettings.userId, users.id))
    .where(
      and(
        eq(s.isActive, true),
        inArray(s.status, ['trial', 'active']),
        eq(s.autoRenew, true),
        last ? or(gt(dueAt, last.at), and(eq(dueAt, last.at), gt(s.id, last.id))) : gt(dueAt, now),
        lte(dueAt, plus(now, horizon)),
      ),
    )
    .orderBy(asc(dueAt), asc(s.id))
    .limit(batch);
export type RenewingRow = Awaited<ReturnType<typeof rowsRenewingSoon>>[number];
