import { and, asc, eq, gt, inArray, lt, lte, notInArray, type SQL, sql } from 'drizzle-orm';
import { teamCan, teamRoles } from '#shared/rules/people/teams.ts';
import type { ToolRule } from '#shared/rules/billing/subscriptions.ts';
import { users } from '#shared/schema/accounts.ts';
import { teamTools } from '#shared/schema/record.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import type { Context } from '#server/platform/context.ts';
import { type Db, pick } from '#server/platform/data/database.ts';
import { grouped, together } from '#server/platform/data/together.ts';
import { hasSeat, type Payer, payerFor, teamPayer, userPayer } from './queries.ts';

export { findTeamRole, requireProvedRole } from './queries.ts';

const d = teamTools;

/** The live teams this person belongs to, as a list of ids within a query. */
export const liveTeamIds = (userId: string | SQL) =>
  sql`(select member.team_id from team_members member
    join teams team on team.id = member.team_id and team.is_active where member.user_id = ${userId})`;

/** Those of them whose tools are open to this person. */
export const openingTeamIds = (userId: string | SQL) =>
  sql`(select member.team_id from team_members member
    join teams team on team.id = member.team_id and team.is_active
    where member.user_id = ${userId} and ${hasSeat(sql`member.role`)})`;

/** The teams this person owns, closed ones too, as a list of ids within a query. */
const ownedTeamIds = (userId: string) => sql`(select team.id from teams team where team.owner_id = ${userId})`;

const invoiceReaders = teamRoles.filter((role) => teamCan(role, 'seeInvoices'));
/** The teams whose invoices this person may read, as a list of ids within a query. */
export const teamIdsOfInvoices = (userId: string) =>
  sql`(select team.id from teams team where team.owner_id = ${userId} union
    select member.team_id from team_members member join teams team on team.id = member.team_id and team.is_active
    join users reader on reader.id = member.user_id and reader.email_verified
    where member.user_id = ${userId} and member.role = any(${sql.param(invoiceReaders)}))`;

/** The payer whose invoices a request is about: a team for whoever may see them, and a closed one for whoever owned it last. */
export async function payerOfInvoices(context: Context, actor: { id: string }, teamId?: string): Promise<Payer> {
  if (teamId === undefined) return userPayer(actor.id);
  const [closed] = await context.db
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.id, teamId), eq(teams.ownerId, actor.id), eq(teams.isActive, false)));
  return closed ? teamPayer(closed.id) : payerFor(context, actor, teamId, 'seeInvoices');
}

/** Those of these people who own an open team. */
export const ownersAmong = async (db: Db, userIds: string[]): Promise<Set<string>> => {
  const owned = db.select({ id: teams.ownerId }).from(teams);
  const rows =
    userIds.length === 0 ? [] : await owned.where(and(inArray(teams.ownerId, userIds), eq(teams.isActive, true)));
  return new Set(rows.map(({ id }) => id));
};

/** Everybody a payer's subscriptions open tools for: the adviser, or all members of the team. */
export async function peopleOf(db: Db, payer: Payer): Promise<string[]> {
  if (payer.kind === 'user') return [payer.userId];
  const members = await db
    .select({ userId: teamMembers.userId })
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, payer.teamId), hasSeat(teamMembers.role)));
  return members.map(({ userId }) => userId);
}

const seatedAt = sql<Date>`coalesce(${teamMembers.seatedAt}, ${teamMembers.joinedAt})`.mapWith(teamMembers.joinedAt);

/** Who has a seat in the team, first come first, and what they are called; with `since`, who has taken it later than that. */
export const seatedIn = (db: Db, teamId: string, since?: Date) =>
  db
    .select({
      id: teamMembers.userId,
      name: sql<string>`trim(${users.firstName} || ' ' || ${users.lastName})`,
      role: teamMembers.role,
    })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(and(eq(teamMembers.teamId, teamId), hasSeat(teamMembers.role), since && gt(seatedAt, since)))
    .orderBy(seatedAt, teamMembers.userId);

/** Whether a payer is this person, a team of theirs, or somebody in one; read once for any number of payers. */
export async function ownPayers(db: Db, userId: string): Promise<(payer: Payer) => boolean> {
  const { teamId, userId: memberId } = teamMembers;
  const inTeams = sql`${teamId} in ${liveTeamIds(userId)} or ${teamId} in ${ownedTeamIds(userId)}`;
  const rows = await db.select({ teamId, memberId }).from(teamMembers).where(inTeams);
  const own = new Set([userId, ...rows.flatMap((row) => [row.teamId, row.memberId])]);
  return (payer) => own.has(payer.kind === 'user' ? payer.userId : payer.teamId);
}

const rulesFor = together((db) => {
  const query = db
    .select({
      userId: teamMembers.userId,
      teamId: teams.id,
      teamName: teams.name,
      newToolsAllowed: teams.newToolsAllowed,
      ...pick(d, 'toolId', 'allowed', 'reason'),
    })
    .from(teamMembers)
    .innerJoin(teams, and(eq(teams.id, teamMembers.teamId), eq(teams.isActive, true)))
    .leftJoin(d, eq(d.teamId, teams.id))
    .where(
      and(
        sql`${teamMembers.userId} = any(${sql.placeholder('userIds')}::uuid[])`,
        sql`(${d.toolId} is not null or not ${teams.newToolsAllowed})`,
      ),
    )
    .prepare('tool_rules_for');
  return async (userIds) => grouped(await query.execute({ userIds }), ({ userId }) => userId);
});

export const toolRulesFor = async (db: Db, userId: string): Promise<ToolRule[]> => (await rulesFor(db, userId)) ?? [];

export const decisionsOf = (db: Db, teamId: string) =>
  db.select().from(d).where(eq(d.teamId, teamId)).orderBy(asc(d.toolId));

/**
 * Writes what is decided about a tool; what is left out stays, and with `allowed` who decided it and when. The caller has locked the team.
 */
export async function decide(db: Db, values: typeof d.$inferInsert) {
  const { decidedById, decidedAt, ...said } = values;
  const set = values.allowed === undefined ? said : { ...said, decidedById, decidedAt };
  await db
    .insert(d)
    .values(values)
    .onConflictDoUpdate({ target: [d.teamId, d.toolId], set });
}

/** Forgets what practices had decided that closed before a moment, but those that hold something. */
export const forgetDecisions = (db: Db, before: Date, holding: string[]) =>
  db.delete(d).where(
    and(
      inArray(
        d.teamId,
        db
          .select({ id: teams.id })
          .from(teams)
          .where(and(eq(teams.isActive, false), lt(teams.updatedAt, before))),
      ),
      notInArray(d.teamId, holding),
    ),
  );

export const reviewsDue = (db: Db, day: string) =>
  db
    .select({
      teamId: d.teamId,
      teamName: teams.name,
      toolId: d.toolId,
      due: sql<string>`${d.reviewDue}::text`,
      accountableId: d.accountableId,
    })
    .from(d)
    .innerJoin(teams, and(eq(teams.id, d.teamId), eq(teams.isActive, true)))
    .where(lte(d.reviewDue, day));
