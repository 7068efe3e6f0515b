import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { recallsApi } from '#shared/api/recalls.ts';
import { recordPageSize } from '#shared/rules/record/record.ts';
import { toolName } from '#server/catalogue/service.ts';
import { insertStatements } from '#server/record/service.ts';
import { recordTeams, requireRecordTeam } from '#server/teams/service.ts';
import { recalled } from '#server/usage/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { type Db, transaction } from '#server/platform/data/database.ts';
import { idsOf, lockSessions, noteLooks, type Owner, pageOf, peopleIn, recallsByIds, totalsOf } from './queries.ts';
import { sessionsIn } from './queries-pack.ts';

/** Whose sessions somebody sees: their own, or those of a practice whose record they may read. */
async function ownerFor(db: Db, actor: ActorRow, teamId: string | undefined): Promise<Owner> {
  if (teamId === undefined) return { userId: actor.id };
  await requireRecordTeam(db, teamId, actor.id);
  return { teamId };
}

/** Who worked in a practice, also those who have left it or closed their account. */
async function peopleOf(db: Db, owner: Owner, userIds: string[]) {
  const known = await recordTeams.whoIsWho(db, 'teamId' in owner ? owner.teamId : null, [...new Set(userIds)]);
  return (userId: string) => {
    const who = known.get(userId);
    const { firstName = '', lastName = '', leftAt = null } = who ?? {};
    return { userId, firstName, lastName, left: leftAt !== null || firstName === '' };
  };
}

/** The recalls that touch one's own sessions, or a practice's, the newest first. */
export async function listRecalls(
  { db }: Context,
  actor: ActorRow,
  teamId: string | undefined,
): Promise<Reply<typeof recallsApi.list>> {
  const totals = await totalsOf(db, await ownerFor(db, actor, teamId));
  if (totals.length === 0) return [];
  const rows = await recallsByIds(
    db,
    totals.map(({ recallId }) => recallId),
  );
  return Promise.all(
    rows.map(async (row) => {
      const { sessions, open } = totals.find(({ recallId }) => recallId === row.id)!;
      return { ...row, toolName: await toolName(db, row.toolId), sessions, open };
    }),
  );
}

/** Of how many client files one's own sessions in a recall are, or a practice's, and of whom those are. */
export async function reachOf(
  { db }: Context,
  actor: ActorRow,
  recallId: string,
  teamId: string | undefined,
): Promise<Reply<typeof recallsApi.reach>> {
  const owner = await ownerFor(db, actor, teamId);
  const totals = await peopleIn(db, recallId, owner);
  const files = await recalled.countFiles(db, sessionsIn(recallId, owner));
  if (!('teamId' in owner)) return { files, people: [] };
  const personOf = await peopleOf(
    db,
    owner,
    totals.map(({ userId }) => userId),
  );
  return { files, people: totals.map(({ userId, sessions, open }) => ({ ...personOf(userId), sessions, open })) };
}

/** A page of the sessions that a recall touches. */
export async function recallSessions(
  { db }: Context,
  actor: ActorRow,
  recallId: string,
  { teamId, open, after }: Input<typeof recallsApi.sessions>['query'],
): Promise<Reply<typeof recallsApi.sessions>> {
  const owner = await ownerFor(db, actor, teamId);
  const rows = await pageOf(db, recallId, owner, { onlyOpen: open !== undefined, after }, recordPageSize + 1);
  const shown = rows.slice(0, recordPageSize);
  const sessions =
    shown.length > 0
      ? await recalled.sessionsById(
          db,
          shown.map(({ id }) => id),
        )
      : [];
  const personOf = await peopleOf(
    db,
    owner,
    sessions.map(({ userId }) => userId),
  );
  return {
    sessions: shown.flatMap((row) => {
      const session = sessions.find(({ id }) => id === row.id);
      return session ? [{ ...session, ...personOf(session.userId), lookedAt: row.lookedAt, fault: row.fault }] : [];
    }),
    next: rows.length > recordPageSize ? shown.at(-1)!.id : null,
  };
}

/** The practices of these sessions that this person has left; refused where one of them takes no reviews of former members. */
async function leftTeams(tx: Db, userId: string, sessions: { teamId: string | null }[]): Promise<Set<string | null>> {
  const left = new Set<string | null>();
  for (const teamId of new Set(sessions.flatMap((one) => one.teamId ?? []))) {
    const rules = await recordTeams.reviewRulesFor(tx, teamId, userId);
    if (!rules || rules.isMember) continue;
    if (rules.refusesLate) throw new AppError('review_late');
    left.add(teamId);
  }
  return left;
}

/**
 * States what was found on looking at sessions again: a line in the record of each, of all or of none. An adviser's own look counts
 * as their review of the output; somebody else's in the practice doesn't.
 */
export const lookAgain = (
  context: Context,
  actor: ActorRow,
  recallId: string,
  { teamId, sessionIds, clientReference, found, remark }: Input<typeof recallsApi.look>['body'],
): Promise<Reply<typeof recallsApi.look>> =>
  transaction(context.db, async (tx) => {
    const owner = await ownerFor(tx, actor, teamId);
    const ids = sessionIds ?? (await recalled.ofReference(tx, await idsOf(tx, recallId, owner), clientReference ?? ''));
    const chosen = [...new Set(ids)];
    const locked = chosen.length > 0 ? await lockSessions(tx, recallId, owner, chosen) : [];
    if (locked.length === 0 || locked.length < chosen.length) throw new AppError('record_not_found');
    const former = teamId === undefined ? await leftTeams(tx, actor.id, locked) : new Set();
    const at = context.now();
    const fault = found === 'fault';
    await insertStatements(
      tx,
      locked.map((one) => ({
        sessionId: one.sessionId,
        userId: actor.id,
        checked: true,
        remark: remark || null,
        madeAt: at,
        byFormer: former.has(one.teamId),
        recallId,
        recallFault: fault,
      })),
    );
    await noteLooks(tx, recallId, chosen, { lookedAt: at, lookedById: actor.id, fault });
    await recalled.noteChecked(
      tx,
      locked.flatMap((one) => (one.userId === actor.id ? one.sessionId : [])),
      at,
    );
    return { sessions: locked.length };
  });
