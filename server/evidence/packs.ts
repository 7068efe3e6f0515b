import type { FileReply, Input, Reply } from '#shared/api/endpoint.ts';
import type { closedRecordApi, EvidencePack, evidenceApi } from '#shared/api/evidence.ts';
import { mostPackSessions, type PackFileKind } from '#shared/rules/record/evidence.ts';
import { olderPeopleColumns } from '#shared/rules/record/pack-people.ts';
import { closedAccount } from '#shared/rules/record/record.ts';
import { audit } from '#server/audit/service.ts';
import { toolName, toolRows } from '#server/catalogue/service.ts';
import { peopleByIds } from '#server/people/service.ts';
import { keeping } from '#server/record/service.ts';
import { sessionsIn } from '#server/recalls/service.ts';
import { findRecordTeam, recordTeams, requireRecordTeam } from '#server/teams/service.ts';
import { packs } from '#server/usage/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction, within } from '#server/platform/context.ts';
import { csvHeader, csvRows } from '#server/platform/http/csv.ts';
import { type Db, transaction, violates } from '#server/platform/data/database.ts';
import { consume, consumeByAddress } from '#server/platform/http/rate-limit.ts';
import { peopleIn } from './chain.ts';
import { makeJob } from './make.ts';
import {
  countPacks,
  findIssued,
  findMade,
  insertPack,
  packPage,
  piecesOf,
  type PackOwner,
  withdrawPacks,
} from './queries.ts';
import { numberOf } from './pack-words.ts';
import { peopleFile, peopleFileName } from './people-file.ts';

const pageSize = 20;

/** Whose packs these are; a practice's are for those who may read its record. */
async function ownerOf(db: Db, actor: ActorRow, teamId: string | undefined): Promise<PackOwner> {
  if (teamId === undefined) return { userId: actor.id };
  await requireRecordTeam(db, teamId, actor.id);
  return { teamId };
}

const everything = { toolId: null, clientReference: null, fromDay: null, toDay: null } as const;
const allOf = (owner: PackOwner): packs.PackScope =>
  'teamId' in owner
    ? { ...everything, teamId: owner.teamId, adviserId: null }
    : { ...everything, teamId: null, adviserId: owner.userId };

/** The names of these people, for their practice also of those who have closed their account. */
async function peopleOf(
  db: Db,
  ids: string[],
  owner: PackOwner,
): Promise<Map<string, { name: string; email: string }>> {
  const people =
    'teamId' in owner
      ? [...(await recordTeams.whoIsWho(db, owner.teamId, ids)).values()]
      : (ids.length > 0 ? await peopleByIds(db, ids) : []).map((one) => ({ ...one, userId: one.id }));
  return new Map(
    people.map(({ userId, firstName, lastName, email }) => {
      const name = `${firstName} ${lastName}`.trim();
      return [userId, name ? { name, email } : { name: closedAccount, email: '' }];
    }),
  );
}

export async function listPacks(
  { db }: Context,
  actor: ActorRow,
  { teamId, page }: Input<typeof evidenceApi.list>['query'],
): Promise<Reply<typeof evidenceApi.list>> {
  const owner = await ownerOf(db, actor, teamId);
  const [rows, total] = await Promise.all([
    packPage(db, owner, { limit: pageSize, offset: (page - 1) * pageSize }),
    countPacks(db, owner),
  ]);
  const ids = rows.flatMap(({ pack }) => [pack.askedById, ...(pack.adviserId ? [pack.adviserId] : [])]);
  const people = await peopleOf(db, [...new Set(ids)], owner);
  const packs = rows.map(({ pack, toolName, manifest, madeAt, authority, stampedAt }): EvidencePack => ({
    ...pack,
    toolName,
    askedBy: people.get(pack.askedById)?.name ?? '',
    adviserName: pack.adviserId === null ? null : (people.get(pack.adviserId)?.name ?? ''),
    made:
      manifest && madeAt
        ? {
            at: madeAt,
            head: manifest.head,
            lines: manifest.lines,
            csvBytes: manifest.files.csv.bytes,
            pdfBytes: manifest.files.pdf.bytes,
            stamp: authority !== null && stampedAt !== null ? { authority, at: stampedAt } : null,
          }
        : null,
  }));
  return { packs, pagination: { page, total, totalPages: Math.max(1, Math.ceil(total / pageSize)) } };
}

export async function choicesFor(
  { db }: Context,
  actor: ActorRow,
  teamId: string | undefined,
): Promise<Reply<typeof evidenceApi.choices>> {
  const owner = await ownerOf(db, actor, teamId);
  const { toolIds, userIds } = await packs.inPack(db, allOf(owner));
  const people = await peopleOf(db, teamId === undefined ? [] : userIds, owner);
  const tools = await Promise.all(toolIds.map(async (id) => ({ id, name: await toolName(db, id) })));
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
  return {
    tools: tools.toSorted(byName),
    advisers: [...people].map(([id, { name }]) => ({ id, name })).toSorted(byName),
  };
}

/** Asks for a pack, which a job makes. */
export async function askForPack(
  context: Context,
  actor: ActorRow,
  body: Input<typeof evidenceApi.ask>['body'],
): Promise<{ id: string }> {
  const { db } = context;
  await consume(context, 'packs', actor.id);
  const owner = await ownerOf(db, actor, body.teamId);
  const all = allOf(owner);
  const adviserId = body.adviserId || null;
  if (all.teamId === null && adviserId !== null && adviserId !== actor.id)
    throw fieldError('adviserId', 'A pack of your own holds your sessions only');
  if (body.toolId && !(await toolRows.toolsAmong(db, [body.toolId])).has(body.toolId))
    throw fieldError('toolId', 'There is no such tool');
  const scope: packs.PackScope = {
    teamId: all.teamId,
    adviserId: all.adviserId ?? adviserId,
    toolId: body.toolId || null,
    clientReference: body.clientReference || null,
    fromDay: body.fromDay || null,
    toDay: body.toDay || null,
  };
  const recallId = body.recallId || null;
  const among = recallId === null ? undefined : sessionsIn(recallId);
  const sessionsTotal = await packs.countPackSessions(db, { ...scope, among }, mostPackSessions + 1);
  if (sessionsTotal === 0) throw new AppError('pack_empty');
  if (sessionsTotal > mostPackSessions) throw new AppError('pack_too_large');
  return transaction(db, async (tx) => {
    const values = { ...scope, recallId, askedById: actor.id, sessionsTotal, createdAt: context.now() };
    const { id } = await insertPack(tx, values);
    await audit(within(context, tx), 'record.pack_asked', {
      ...(scope.teamId === null ? { user: actor.id } : { team: scope.teamId }),
      after: { pack: id },
    });
    await context.queue.send(tx, makeJob, { pack: id }, { singletonKey: id });
    return { id };
  }).catch((error: unknown) => {
    throw violates(error, 'evidence_packs_one_at_a_time') ? new AppError('pack_being_made') : error;
  });
}

/** A finished pack, for whoever may see its sessions; for others it doesn't exist. */
async function requireMade({ db }: Context, actor: ActorRow, id: string) {
  const found = await orRefuse(findMade(db, id), 'pack_not_found');
  const { teamId, askedById, state } = found.pack;
  const mayRead = teamId === null ? askedById === actor.id : await findRecordTeam(db, teamId, actor.id);
  if (!mayRead) throw new AppError('pack_not_found');
  if (state === 'withdrawn') throw new AppError('pack_withdrawn');
  return found;
}

export async function packFile(context: Context, actor: ActorRow, id: string, kind: PackFileKind): Promise<FileReply> {
  const { manifest } = await requireMade(context, actor, id);
  return { name: manifest.files[kind].name, body: piecesOf(context.db, id, kind) };
}

export async function packManifest(context: Context, actor: ActorRow, id: string): Promise<FileReply> {
  const { manifest } = await requireMade(context, actor, id);
  return { name: `adviserly-evidence-${numberOf(id)}.json`, body: `${JSON.stringify(manifest, null, 2)}\n` };
}

export async function packStamp(context: Context, actor: ActorRow, id: string): Promise<FileReply> {
  const { stamp } = await requireMade(context, actor, id);
  if (!stamp) throw new AppError('pack_not_stamped');
  return { name: `adviserly-evidence-${numberOf(id)}.tsr`, body: stamp };
}

/** Who is who in a practice's pack: frozen in its manifest and its lines; older packs name people by id only. */
export async function packPeople(context: Context, actor: ActorRow, id: string): Promise<FileReply> {
  const { db } = context;
  const { pack, manifest } = await requireMade(context, actor, id);
  if (pack.teamId === null) throw new AppError('pack_not_found');
  const name = peopleFileName(id);
  const frozen = peopleFile(manifest);
  if (frozen !== null) return { name, body: frozen };
  const team = await findRecordTeam(db, pack.teamId, actor.id);
  // From the file, since the sessions may have changed; whom a pack is narrowed to stands in it even without a session.
  const named = await peopleIn(piecesOf(db, id, 'csv'));
  const people = await peopleOf(db, [...named.add(pack.adviserId ?? pack.askedById)], { teamId: pack.teamId });
  const rows = [
    ['Practice', numberOf(pack.teamId), pack.teamId, team?.name ?? '', ''],
    ...[...people].map(([userId, { name, email }]) => ['Person', numberOf(userId), userId, name, email]),
  ];
  return {
    name,
    body: csvHeader(olderPeopleColumns) + csvRows(rows),
  };
}

/** For people verifying a file: only somebody who has it can ask. */
export async function issuedAs(context: Context, sha256: string): Promise<Reply<typeof evidenceApi.issued>> {
  await consumeByAddress(context, 'issuedIp');
  const found = await findIssued(context.db, sha256);
  if (!found) return { issued: null };
  const { head, manifest, madeAt } = found;
  const file = head === sha256 ? 'csv' : 'pdf';
  return { issued: { pack: manifest.pack, file, madeAt, lines: manifest.lines, head } };
}

type Line = { teamId: string; id: string };

/** Withdraws the packs that may hold a line that is redacted with them: their files go, their heads stay. */
const withPacks = (context: Context, { teamId }: Line, take: (inside: Context) => Promise<keeping.Redacted>) =>
  inTransaction(context, async (inside, tx) => {
    const line = await take(inside);
    await withdrawPacks(tx, { ...line, teamId });
    return line;
  });

/** The owner redacts a line of a practice's record. */
export const redact = (
  context: Context,
  actor: ActorRow,
  line: Line,
  { reason }: Input<typeof evidenceApi.redact>['body'],
) => withPacks(context, line, (inside) => keeping.redactAsOwner(inside, actor, line, reason));

/** An administrator redacts a line of a closed practice's record. */
export const redactClosed = (context: Context, line: Line, { reason }: Input<typeof closedRecordApi.redact>['body']) =>
  withPacks(context, line, (inside) => keeping.redactAsAdmin(inside, line, reason));
