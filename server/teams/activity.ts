import type { FileReply } from '#shared/api/endpoint.ts';
import { activityPageSize } from '#shared/rules/people/teams.ts';
import { sydneyDate, sydneyTime } from '#shared/rules/dates.ts';
import { auditRowsOn, countAuditOn, idsIn, labelOf, sentenceOf } from '#server/audit/service.ts';
import { listTools } from '#server/catalogue/service.ts';
import { teamPayer } from '#server/payers/service.ts';
import { subscriptionIdsOf } from '#server/subscriptions/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { type Columns, csv } from '#server/platform/http/csv.ts';
import type { TeamRow } from './queries.ts';
import { nameOf } from './notices.ts';
import { whoIsWho } from './queries-record.ts';
import { requireTeamRight } from './team-right.ts';

type Row = Awaited<ReturnType<typeof auditRowsOn>>[number];

/** The rows as sentences. Whoever was never in the practice did it for the seller, or was only invited. */
async function told({ db }: Context, team: TeamRow, tools: Map<string, string>, rows: Row[]) {
  const ids = rows.flatMap(({ actorId, before, after }) => [...idsIn({ actorId }), ...idsIn(before, after)]);
  const people = await whoIsWho(db, team.id, [...new Set(ids)]);
  const names = new Map([...tools, [team.id, team.name] as const]);
  for (const person of people.values()) names.set(person.userId, nameOf(person) || 'A former member');
  return rows.map((row) => {
    const { id, createdAt, action, actorId, subjectType, subjectId, after } = row;
    const person = actorId === null ? undefined : people.get(actorId);
    const isOurs = person && (person.joinedAt !== null || person.leftAt !== null || person.userId === team.ownerId);
    const stranger = action === 'team.invitation_declined' ? 'Somebody invited' : 'Support';
    const actor = actorId === null ? null : isOurs ? (names.get(actorId) ?? null) : stranger;
    const whom = subjectType === 'subscription' ? names.get(String(after?.['toolId'])) : names.get(subjectId ?? '');
    const read = { ...row, ip: null, device: null, names, actor, whom: whom ?? team.name };
    return { id, createdAt, actor, label: labelOf(action), sentence: sentenceOf(read, { inTeam: true }) };
  });
}

async function readingFor(context: Context, actor: ActorRow, teamId: string) {
  const { team } = await requireTeamRight(context.db, teamId, actor.id, 'seeActivity');
  const tools = new Map((await listTools(context)).map(({ id, name }) => [id, name] as const));
  const subjects = [teamId, ...(await subscriptionIdsOf(context.db, teamPayer(teamId)))];
  return { team, tools, subjects };
}

/** Who did what in the team, newest first, for its owner and admins. */
export async function teamActivity(context: Context, actor: ActorRow, teamId: string, page: number) {
  const { team, tools, subjects } = await readingFor(context, actor, teamId);
  const window = { limit: activityPageSize, start: (page - 1) * activityPageSize };
  const [rows, total] = await Promise.all([
    auditRowsOn(context.db, subjects, window),
    countAuditOn(context.db, subjects),
  ]);
  const totalPages = Math.max(1, Math.ceil(total / activityPageSize));
  return { rows: await told(context, team, tools, rows), pagination: { page, total, totalPages } };
}

type Told = Awaited<ReturnType<typeof told>>[number];
const columns: Columns<Told> = {
  'When (Sydney)': ({ createdAt }) => `${sydneyDate(createdAt)} ${sydneyTime(createdAt)}`,
  Who: ({ actor }) => actor,
  What: ({ label }) => label,
  Details: ({ sentence }) => sentence,
};

/** All of it as CSV. */
export async function teamActivityCsv(context: Context, actor: ActorRow, teamId: string): Promise<FileReply> {
  const { team, tools, subjects } = await readingFor(context, actor, teamId);
  let start = 0;
  return {
    name: `adviserly-team-activity-${sydneyDate(context.now())}.csv`,
    body: csv(columns, async (limit) => {
      const rows = await auditRowsOn(context.db, subjects, { limit, start });
      start += rows.length;
      return told(context, team, tools, rows);
    }),
  };
}
