import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { recordApi } from '#shared/api/record.ts';
import type { ClosedSession, RecordSession } from '#shared/api/recorded.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { mostUnstated, recordPageSize, unstatedDays, usualChecks } from '#shared/rules/record/record.ts';
import { toolRefusal } from '#shared/rules/billing/subscriptions.ts';
import { listTools } from '#server/catalogue/service.ts';
import { practices } from '#server/payers/service.ts';
import { requireClosed, withNames, withRedactors } from './practice.ts';
import { recordTeams, requireTeamRight } from '#server/teams/service.ts';
import { register } from '#server/usage/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError, orRefuse } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { type Db, transaction } from '#server/platform/data/database.ts';
import { insertStatements, lastSignOffs, linesOf, signOffsOf, statementsOf } from './queries.ts';
import { requireSample } from './samples.ts';

type Page = Reply<typeof recordApi.sessions>;
type TeamQuery = Input<typeof recordApi.teamSessions>['query'];
type Query = Omit<TeamQuery, 'sample'>;

/** What the last review in a session's lines says was checked. */
const checksIn = (line: { checks: string | null } | undefined) => JSON.parse(line?.checks ?? '[]') as string[];

export async function present(db: Db, rows: register.RecordRow[]): Promise<RecordSession[]> {
  const lines = await linesOf(db, rows);
  const named = await withNames(db, rows);
  const ids = rows.map(({ id }) => id);
  const signed = new Map(
    (await withNames(db, await lastSignOffs(db, ids))).map(
      ({ sessionId, teamId: _teamId, userId: _userId, ...one }) => [sessionId, one],
    ),
  );
  const lists = await recordTeams.checkListsOf(
    db,
    rows.flatMap(({ teamId }) => teamId ?? []),
  );
  return named.map(({ reports, durationSeconds, ...row }) => ({
    ...row,
    durationSeconds: reports > 0 ? durationSeconds : null,
    remark: lines.get(row.id)?.remark ?? null,
    signedOff: signed.get(row.id) ?? null,
    checks: checksIn(lines.get(row.id)),
    checkList: [...(lists.get(row.teamId ?? '') ?? usualChecks)],
    late: lines.get(row.id)?.late ?? false,
    byFormer: lines.get(row.id)?.byFormer ?? false,
    lines: lines.get(row.id)?.lines ?? 0,
  }));
}

/** A page of a register: reading one row more than is shown tells whether there is a next page. */
async function pageOf(db: Db, filter: register.RecordFilter): Promise<Page> {
  const rows = await register.recordOf(db, filter, recordPageSize + 1);
  const shown = rows.slice(0, recordPageSize);
  return {
    sessions: await present(db, shown),
    next: rows.length > recordPageSize ? shown.at(-1)!.id : null,
    sample: null,
  };
}

/** An adviser's own register: every session, whoever paid for it, even after they have left a team. */
export const ownRegister = (context: Context, actor: ActorRow, { unstated, ...query }: Query): Promise<Page> =>
  pageOf(context.db, { ...query, unstated: unstated !== undefined, userId: actor.id });

/** A practice's register: the sessions opened through its subscriptions, including those of people who have left. */
export async function teamRegister(
  context: Context,
  actor: ActorRow,
  teamId: string,
  { sample, ...query }: TeamQuery,
): Promise<Page> {
  await requireTeamRight(context.db, teamId, actor.id, 'seeUsage');
  const filter = { ...query, unstated: query.unstated !== undefined, teamId };
  if (sample === undefined) return pageOf(context.db, filter);
  const { id, sessionIds, drawnFrom, drawnAt } = await requireSample(context.db, teamId, sample);
  const drawn = await pageOf(context.db, { teamId, only: register.among(sessionIds) });
  return { ...drawn, sample: { id, size: sessionIds.length, drawnFrom, drawnAt } };
}

/** A session with its history, for the adviser whose it was, and for the practice whose subscription opened it. */
export async function sessionOf(
  context: Context,
  actor: ActorRow,
  id: string,
): Promise<Reply<typeof recordApi.session>> {
  const row = await orRefuse(register.findRecord(context.db, id), 'record_not_found');
  if (row.userId !== actor.id) {
    if (row.teamId === null) throw new AppError('record_not_found');
    await requireTeamRight(context.db, row.teamId, actor.id, 'seeUsage').catch(() => {
      throw new AppError('record_not_found');
    });
  }
  const [session] = await present(context.db, [row]);
  return { session: session!, ...(await linesOfSession(context.db, row)) };
}

/** What was said of a session, each line with who redacted it. */
async function linesOfSession(db: Db, { id, teamId }: register.RecordRow) {
  const signOffs = await withNames(db, await signOffsOf(db, id));
  return {
    statements: await withRedactors(db, teamId, await statementsOf(db, id)),
    signOffs: await withRedactors(db, teamId, signOffs),
  };
}

/** At once, for one client reference. */
const mostFound = 50;

/** Sessions of a closed practice, for an administrator: the one with this id, or those for this client reference. */
export async function sessionsOfClosed(db: Db, teamId: string, search: string): Promise<ClosedSession[]> {
  await requireClosed(db, teamId);
  const rows = await register.teamSessionsBy(db, teamId, search, mostFound);
  return Promise.all((await withNames(db, rows)).map(async (row) => ({ ...row, ...(await linesOfSession(db, row)) })));
}

/**
 * Adds a line to what the adviser states about a session, and notes what holds now. A second press that says nothing new adds nothing.
 */
export const state = (
  context: Context,
  actor: Pick<ActorRow, 'id'>,
  id: string,
  line: Input<typeof recordApi.state>['body'],
): Promise<RecordSession> =>
  transaction(context.db, async (tx) => {
    await addLine(context, tx, actor, id, line);
    const [stated] = await present(tx, [(await register.findRecord(tx, id))!]);
    return stated!;
  });

/** States the same of several of the adviser's own sessions: of all, or of none. */
export const stateMany = (
  context: Context,
  actor: Pick<ActorRow, 'id'>,
  { ids, ...line }: Input<typeof recordApi.stateMany>['body'],
): Promise<Reply<typeof recordApi.stateMany>> =>
  transaction(context.db, async (tx) => {
    // In one order, so that two presses at once wait for each other.
    const chosen = [...new Set(ids)].toSorted();
    for (const id of chosen) await addLine(context, tx, actor, id, line);
    return { sessions: chosen.length };
  }).catch((error: unknown) => {
    const isOneOfSeveral = error instanceof AppError && error.code === 'review_late' && ids.length > 1;
    throw isOneOfSeveral ? new AppError('reviews_late') : error;
  });

/**
 * Whether a review of this session comes late by its practice's rule, or from somebody who has left it; refused where the practice says
 * so, and where something is ticked that is not on its list.
 */
async function marksOf(
  db: Db,
  { teamId, userId, createdAt, endedAt }: register.OwnSession,
  at: Date,
  ticked: readonly string[],
) {
  const asked = teamId === null ? null : await recordTeams.reviewRulesFor(db, teamId, userId);
  const list = asked?.checks ?? usualChecks;
  const strange = ticked.find((one) => !list.includes(one));
  if (strange !== undefined)
    throw fieldError('checks', `“${strange}” is not on the list any more. Please open the session again.`);
  if (asked === null) return { late: false, byFormer: false };
  const late = at > plus(endedAt ?? createdAt, asked.lateAfterDays * day);
  const byFormer = !asked.isMember;
  if (asked.refusesLate && (late || byFormer)) throw new AppError('review_late');
  return { late, byFormer };
}

/** Adds a line to what the adviser states about a session, in the caller's transaction. */
export async function addLine(
  context: Context,
  tx: Db,
  actor: Pick<ActorRow, 'id'>,
  id: string,
  { checked, checks, remark, purpose, clientReference }: Input<typeof recordApi.state>['body'],
): Promise<void> {
  const session = await orRefuse(register.lockOwnSession(tx, id, actor.id), 'record_not_found');
  const checksBefore = checks && checksIn((await linesOf(tx, [session])).get(id));
  const isNew =
    (checked !== undefined &&
      (checked !== session.checked || Boolean(remark) || String(checks) !== String(checksBefore))) ||
    (purpose !== undefined &&
      (purpose !== session.purpose || session.purposeFrom !== 'adviser' || session.fromLaunch)) ||
    (clientReference !== undefined &&
      (clientReference !== (session.clientReference ?? '') ||
        session.referenceFrom !== 'adviser' ||
        session.fromLaunch));
  if (isNew) {
    const madeAt = context.now();
    await insertStatements(tx, [
      {
        sessionId: id,
        userId: actor.id,
        checked,
        checks: checks?.length ? checks : null,
        remark: remark || null,
        purpose,
        clientReference,
        madeAt,
        ...(await marksOf(tx, session, madeAt, checks ?? [])),
      },
    ]);
    await register.noteStated(tx, id, {
      ...(checked !== undefined && { checked, statedAt: madeAt }),
      ...(purpose !== undefined && { purpose, purposeFrom: 'adviser' as const }),
      // What they state now is no longer for the tool to correct.
      ...((purpose !== undefined || clientReference !== undefined) && { fromLaunch: false }),
      ...(clientReference !== undefined && {
        clientReference: clientReference || null,
        // Once the adviser has taken it back, the tool doesn't fill it in again.
        referenceFrom: 'adviser' as const,
      }),
    });
  }
}

/** What the dashboard asks the adviser to state. */
export async function unstatedOf(context: Context, actor: ActorRow): Promise<Reply<typeof recordApi.unstated>> {
  const since = plus(context.now(), -unstatedDays * day);
  const [count, kept] = await Promise.all([
    register.countUnstated(context.db, actor.id, since, mostUnstated),
    register.keepsRecord(context.db, actor.id),
  ]);
  const [newest] = count > 0 ? await register.recordOf(context.db, { userId: actor.id, unstated: true }, 1) : [];
  return { count, kept, newest: newest ? (await present(context.db, [newest]))[0]! : null };
}

const offeredClients = 8;

/** The files that somebody opened a tool for of late. */
export const recentClientsOf = ({ db }: Context, actor: ActorRow): Promise<Reply<typeof recordApi.recentClients>> =>
  register.recentClients(db, actor.id, offeredClients);

/** Tools of the catalogue that a practice of this adviser doesn't allow. */
export async function notAllowedFor(context: Context, actor: ActorRow): Promise<Reply<typeof recordApi.notAllowed>> {
  const rules = await practices.toolRulesFor(context.db, actor.id);
  if (rules.length === 0) return [];
  return (await listTools(context)).flatMap(({ id }) => {
    const refusal = toolRefusal(rules, id);
    return refusal ? [{ toolId: id, ...refusal }] : [];
  });
}
