import { and, asc, desc, eq, gt, inArray, isNotNull, lte, or, sql, type SQL } from 'drizzle-orm';
import { day, plus } from '#shared/rules/dates.ts';
import { reminderDays } from '#shared/rules/billing/reminders.ts';
import { toldBills } from '#shared/schema/billing.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { columnsOf, ofPayer, type Payer, teamPayer, userPayer } from '#server/payers/service.ts';
import { type Db, first } from '#server/platform/data/database.ts';
import { dueAt } from '../queries-due.ts';

const t = toldBills;
const s = toolSubscriptions;
const batch = 100;

export type ToldRow = typeof t.$inferSelect;

type Kept = Omit<typeof t.$inferInsert, 'userId' | 'teamId' | 'lines' | 'parts'> &
  Partial<Pick<ToldRow, 'lines' | 'parts'>>;

export const insertTold = async (db: Db, payer: Payer, told: Kept) => {
  await db.insert(t).values({ lines: [], parts: [], ...columnsOf(payer), ...told });
};

const newest = (db: Db, where: SQL | undefined, limit: number, offset = 0) =>
  db.select().from(t).where(where).orderBy(desc(t.toldAt), desc(t.id)).limit(limit).offset(offset);

/** The coming bill as the payer was told it last; by mails of these kinds, where they are named. */
export const lastTold = (db: Db, payer: Payer, kinds?: readonly string[]) =>
  first(newest(db, and(ofPayer(t, payer), eq(t.tellsBill, true), kinds && inArray(t.kind, [...kinds])), 1));

export const toldPage = async (db: Db, payer: Payer, page: number, perPage: number) => ({
  told: await newest(db, ofPayer(t, payer), perPage, (page - 1) * perPage),
  total: await db.$count(t, ofPayer(t, payer)),
});

/** Payers with subscriptions, advisers before teams, by id from `after` on; at most a hundred. */
export async function payersAfter(db: Db, after: Payer | null): Promise<Payer[]> {
  const page = async (id: typeof s.userId | typeof s.teamId, last: string | null) => {
    const isNext = and(eq(s.isActive, true), isNotNull(id), last === null ? undefined : gt(id, last));
    return db
      .selectDistinct({ id: sql<string>`${id}` })
      .from(s)
      .where(isNext)
      .orderBy(asc(id))
      .limit(batch);
  };
  const users = after?.kind === 'team' ? [] : await page(s.userId, after?.userId ?? null);
  if (users.length > 0) return users.map(({ id }) => userPayer(id));
  return (await page(s.teamId, after?.kind === 'team' ? after.teamId : null)).map(({ id }) => teamPayer(id));
}

export type DueRow = { id: string; userId: string | null; teamId: string | null; at: Date };

/** Live rows whose period or trial ends within the longest reminder, by date, from `last` on. */
export const rowsDueSoon = (db: Db, now: Date, last: DueRow | null): Promise<DueRow[]> =>
  db
    .select({ id: s.id, userId: s.userId, teamId: s.teamId, at: sql<Date>`${dueAt}`.mapWith(s.createdAt) })
    .from(s)
    .where(
      and(
        eq(s.isActive, true),
        inArray(s.status, ['trial', 'active']),
        last ? or(gt(dueAt, last.at), and(eq(dueAt, last.at), gt(s.id, last.id))) : gt(dueAt, now),
        lte(dueAt, plus(now, (Math.max(...reminderDays) + 1) * day)),
      ),
    )
    .orderBy(asc(dueAt), asc(s.id))
    .limit(batch);

/** No higher price before that moment. No call to Stripe waits for this, so the row's revision stays. */
export const noteRisesFrom = async (db: Db, id: string, risesFrom: Date) => {
  await db.update(s).set({ risesFrom }).where(eq(s.id, id));
};
