import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { closedRecordApi } from '#shared/api/evidence.ts';
import type { recordApi } from '#shared/api/record.ts';
import type { Inventory } from '#shared/api/recorded.ts';
import { referenceOfNoLine } from '#shared/rules/record/record.ts';
import { audit } from '#server/audit/service.ts';
import { toolRows } from '#server/catalogue/service.ts';
import { lockTeamRight, recordTeams, requireTeamRight, setRecordRules } from '#server/teams/service.ts';
import { register } from '#server/usage/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { type Db, violates } from '#server/platform/data/database.ts';
import { inventoryOf } from './inventory.ts';
import { requireClosed, withNames, withRedactors } from './practice.ts';
import {
  countStatements,
  findReview,
  findSignOff,
  findStatement,
  insertSignOffs,
  insertStatements,
  lastSignOffs,
  redactLine,
  reviewsOf,
  statementsOf,
} from './queries.ts';
import { holdsOf, holdsOne, insertHold, releaseHold } from './queries-holds.ts';
import { drawnFrom } from './samples.ts';

type Holds = Reply<typeof recordApi.holds>;

/** After how many days a review is late, whether late ones are refused, and whether everybody is reminded. */
export async function setRules(
  context: Context,
  actor: ActorRow,
  teamId: string,
  rules: Input<typeof recordApi.setRules>['body'],
): Promise<Inventory> {
  await inTransaction(context, async (inside, tx) => {
    await lockTeamRight(tx, teamId, actor, 'manage');
    await setRecordRules(inside, teamId, rules);
    await audit(inside, 'team.review_rules_set', { team: teamId, after: rules });
  });
  return inventoryOf(context, actor, teamId);
}

/** Client references of which nothing is forgotten, for those who see the record. */
export async function holdsFor({ db }: Context, actor: ActorRow, teamId: string): Promise<Holds> {
  await requireTeamRight(db, teamId, actor.id, 'seeUsage');
  return withNames(db, await holdsOf(db, teamId), teamId);
}

/** Forgets nothing of a client reference from now on. */
export async function holdReference(
  context: Context,
  actor: ActorRow,
  teamId: string,
  body: Input<typeof recordApi.hold>['body'],
): Promise<Holds> {
  await inTransaction(context, async (inside, tx) => {
    await lockTeamRight(tx, teamId, actor, 'manage');
    await insertHold(tx, { ...body, teamId, heldById: actor.id, heldAt: inside.now() });
    await audit(inside, 'team.reference_held', { team: teamId, after: { reason: body.reason } });
  }).catch((error: unknown) => {
    throw violates(error, 'record_holds_one') ? new AppError('already_held') : error;
  });
  return holdsFor(context, actor, teamId);
}

/** Lets a client reference be forgotten in its time again. */
export async function releaseReference(context: Context, actor: ActorRow, teamId: string, id: string): Promise<Holds> {
  await inTransaction(context, async (inside, tx) => {
    await lockTeamRight(tx, teamId, actor, 'manage');
    const released = await releaseHold(tx, teamId, id, { releasedById: actor.id, releasedAt: inside.now() });
    if (!released) throw new AppError('hold_not_found');
    await audit(inside, 'team.reference_released', { team: teamId, after: { hold: id } });
  });
  return holdsFor(context, actor, teamId);
}

/** How much of an adviser's record stays with each practice when they close their account, and how much is theirs alone and goes. */
export async function stayingFor({ db }: Context, { id }: ActorRow): Promise<Reply<typeof recordApi.staying>> {
  const counted = await Promise.all(
    (await register.countByTeam(db, id)).map(async ({ teamId, sessions }) => ({
      teamId,
      teamName: teamId === null ? '' : ((await recordTeams.practiceOf(db, teamId))?.name ?? ''),
      sessions,
      reviews: await countStatements(db, id, register.idsOf(id, teamId)),
    })),
  );
  const [own] = counted.filter(({ teamId }) => teamId === null);
  return {
    own: { sessions: own?.sessions ?? 0, reviews: own?.reviews ?? 0 },
    practices: counted.flatMap(({ teamId, ...count }) => (teamId === null ? [] : [{ teamId, ...count }])),
  };
}

/** What a closed practice's record holds beside its sessions, for administrators: its reviews of tools, and its holds. */
export async function keptOfClosed({ db }: Context, teamId: string): Promise<Reply<typeof closedRecordApi.kept>> {
  await requireClosed(db, teamId);
  const reviews = await withRedactors(db, teamId, await withNames(db, await reviewsOf(db, teamId), teamId));
  const tools = await toolRows.namesOf(
    db,
    reviews.map(({ toolId }) => toolId),
  );
  return {
    reviews: reviews.map((one) => ({ ...one, toolName: tools.get(one.toolId)?.name ?? one.toolId })),
    holds: await withNames(db, await holdsOf(db, teamId), teamId),
  };
}

/** An administrator releases what a closed practice holds, which its owner can't do any more. */
export const releaseAsAdmin = (context: Context, { teamId, id }: LineOfTeam, reason: string): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    await requireClosed(tx, teamId);
    if (!(await releaseHold(tx, teamId, id, { releasedById: null, releasedAt: inside.now() })))
      throw new AppError('hold_not_found');
    await audit(inside, 'admin.reference_released', { team: teamId, after: { hold: id, reason } });
  });

/** What a redacted line was about: a tool, or a session with it; when the line was made; and the client reference that it said. */
export type Redacted = {
  toolId: string;
  madeAt: Date;
  session: { userId: string; createdAt: Date } | null;
  clientReference: string | null;
};

type LineOfTeam = { teamId: string; id: string };

/** A practice's owner takes the words out of a line of its record, in the caller's transaction. */
export async function redactAsOwner(
  inside: Context,
  owner: ActorRow,
  line: LineOfTeam,
  reason: string,
): Promise<Redacted> {
  await lockTeamRight(inside.db, line.teamId, owner, 'manage');
  await audit(inside, 'team.line_redacted', { team: line.teamId, after: { line: line.id, reason } });
  return takeOut(inside, line, { redactedFor: reason, redactedById: owner.id });
}

/** An administrator takes them out of a line of a closed practice. */
export async function redactAsAdmin(inside: Context, line: LineOfTeam, reason: string): Promise<Redacted> {
  await requireClosed(inside.db, line.teamId);
  await audit(inside, 'admin.line_redacted', { team: line.teamId, after: { line: line.id, reason } });
  return takeOut(inside, line, { redactedFor: reason, redactedById: null });
}

type Redaction = { redactedFor: string; redactedById: string | null };

/** Nothing of a client reference that is held is taken out: whoever may redact may release it first, and both are on file. */
async function refuseHeld(db: Db, teamId: string, references: (string | null | undefined)[]): Promise<void> {
  const named = references.flatMap((one) => one || []);
  if (await holdsOne(db, teamId, named)) throw new AppError('reference_held');
}

async function takeOut(context: Context, { teamId, id }: LineOfTeam, redaction: Redaction): Promise<Redacted> {
  const { db, now } = context;
  const statement = await findStatement(db, id);
  const line = statement ?? (await findSignOff(db, id)) ?? (await findReview(db, teamId, id));
  if (!line) return takeReferenceOut(context, { teamId, id }, redaction);
  const session = 'sessionId' in line ? await register.lockTeamSession(db, line.sessionId, teamId) : null;
  const toolId = session ? session.toolId : 'toolId' in line ? line.toolId : null;
  if (toolId === null) throw new AppError('statement_not_found');
  await refuseHeld(db, teamId, [session?.clientReference, statement?.clientReference]);
  if (!(await redactLine(db, id, { ...redaction, redactedAt: now() }))) throw new AppError('already_redacted');
  const clientReference = statement?.clientReference || null;
  if (session && clientReference !== null && clientReference === session.clientReference)
    await register.noteStated(db, session.id, { clientReference: null });
  return { toolId, madeAt: line.madeAt, session: session ?? null, clientReference };
}

/** Takes a client reference out that came with a session, and that no line says: a new line says that it was, and the tool can't say it again. */
async function takeReferenceOut(
  { db, now }: Context,
  { teamId, id }: LineOfTeam,
  redaction: Redaction,
): Promise<Redacted> {
  const session = await register.lockTeamSession(db, id, teamId);
  if (!session || referenceOfNoLine(session, await statementsOf(db, id)) === null)
    throw new AppError('statement_not_found');
  const { userId, toolId, createdAt: madeAt, clientReference } = session;
  await refuseHeld(db, teamId, [clientReference]);
  const at = now();
  await insertStatements(db, [
    { ...redaction, sessionId: id, userId, clientReference: '', madeAt: at, redactedAt: at },
  ]);
  await register.noteStated(db, id, { clientReference: null, referenceFrom: 'adviser', fromLaunch: false });
  return { toolId, madeAt, session, clientReference };
}

/** A supervisor signs sessions of others off, in the order of their ids, so that two at once wait for each other. */
export const signOff = (
  context: Context,
  actor: ActorRow,
  teamId: string,
  { ids, remark, sampleId }: Input<typeof recordApi.signOff>['body'],
): Promise<Reply<typeof recordApi.signOff>> =>
  inTransaction(context, async (inside, tx) => {
    await lockTeamRight(tx, teamId, actor, 'review');
    const chosen = [...new Set(ids)].toSorted();
    const sampledFrom = await drawnFrom(tx, teamId, { sampleId, ids: chosen });
    const said = { remark: remark || null, sampleId, sampledFrom };
    const signed = { teamId, userId: actor.id, ...said, madeAt: inside.now() };
    const statedAt = new Map<string, Date | null>();
    for (const id of chosen) {
      const session = await orRefuse(register.lockTeamSession(tx, id, teamId), 'record_not_found');
      if (session.userId === actor.id) throw new AppError('own_sign_off');
      statedAt.set(id, session.statedAt);
    }
    const last = new Map((await lastSignOffs(tx, chosen)).map((one) => [one.sessionId, one]));
    const isSignedOff = (id: string) => {
      const before = last.get(id);
      if (before?.userId !== actor.id || before.madeAt < (statedAt.get(id) ?? before.madeAt)) return false;
      return sampleId === null || before.sampleId === sampleId;
    };
    // A second press that says nothing new adds nothing.
    const fresh = chosen.filter((id) => remark !== '' || !isSignedOff(id));
    if (fresh.length > 0) {
      await insertSignOffs(
        tx,
        fresh.map((sessionId) => ({ ...signed, sessionId })),
      );
      await audit(inside, 'team.sessions_signed_off', { team: teamId, after: { count: fresh.length } });
    }
    return { sessions: chosen.length };
  });
