import { minute, plus, zoneOf } from '#shared/rules/dates.ts';
import {
  type PackFailure,
  packFailureSentences,
  packFormat,
  type PackManifest,
  type PackPerson,
  packYears,
} from '#shared/rules/record/evidence.ts';
import { closedAccount, usualChecks } from '#shared/rules/record/record.ts';
import { toolName, toolRows } from '#server/catalogue/service.ts';
import { notify } from '#server/notifications/service.ts';
import { practices } from '#server/payers/service.ts';
import {
  disclosuresOfTools,
  forPacks,
  reviewsOfTools,
  signOffsOfSessions,
  statementsOfSessions,
} from '#server/record/service.ts';
import { sessionsIn, touchedAmong, touchingRecalls } from '#server/recalls/service.ts';
import { recordTeams } from '#server/teams/service.ts';
import { packs } from '#server/usage/service.ts';
import { realNow } from '#server/platform/clock.ts';
import { type Context, inTransaction, within } from '#server/platform/context.ts';
import { atOneMoment, type Db, pick, transaction } from '#server/platform/data/database.ts';
import type { PackAbout, PackContent } from './pack-content.ts';
import { peopleOfFiles } from './people-file.ts';
import { claimPack, insertHead, insertPieces, releasePack, lockUnmade, noteProgress, type PackRow } from './queries.ts';
import { holdsOn } from './pack-holds.ts';
import { samplesWith } from './pack-samples.ts';
import { undecidedTools } from './pack-tools.ts';
import { coversOf, narrowedTo, numberOf } from './pack-words.ts';
import { stampJob } from './stamp.ts';
import { longestWritingMs, type PackPart, writePack } from './write-pack.ts';

export const makeJob = 'make-pack';
/** Longer than the thread may take. The queue waits longer still before it gives the job to another process. */
const claimMs = longestWritingMs + minute;
export const makeExpireSeconds = (claimMs + minute) / 1000;
const mostAttempts = 5;
const pageSize = 500;

type AskedPack = Pick<PackRow, 'id' | 'askedById' | 'teamId' | 'sessionsTotal'>;

const pageOf = ({ teamId }: AskedPack) => (teamId === null ? '/record/packs' : `/record/packs?team=${teamId}`);
const sessionsOf = ({ sessionsTotal }: AskedPack) =>
  sessionsTotal === 1 ? 'one session' : `${sessionsTotal.toLocaleString('en-AU')} sessions`;

const tellAsker = (context: Context, pack: AskedPack, title: string, message: string, actionLabel = 'Open the packs') =>
  notify(context, {
    userId: pack.askedById,
    title,
    message,
    actionUrl: pageOf(pack),
    dedupeKey: `pack:${pack.id}`,
    mail: { kind: 'evidence-pack', actionLabel },
  });

/** Whoever asked may have left the page: they are told, once, that the files are ready. */
async function tellMade(context: Context, pack: PackRow, practice: string | undefined): Promise<void> {
  const tool = pack.toolId === null ? null : await toolName(context.db, pack.toolId);
  const of = practice === undefined ? [] : [`of ${practice}`];
  // A notice stays for a year, also if the client reference is redacted.
  const file = pack.clientReference === null ? [] : ['for one client reference'];
  const holds = [sessionsOf(pack), ...of, ...file, ...narrowedTo({ ...pack, clientReference: null }, tool)].join(' ');
  const message = `It holds ${holds}. You can download it as a PDF and a CSV file for ${packYears} years.`;
  await tellAsker(context, pack, 'Your evidence pack is ready', message, 'Download the pack');
}

const tellFailed = (context: Context, pack: AskedPack, failedFor: PackFailure) =>
  tellAsker(context, pack, 'Your evidence pack could not be made', packFailureSentences[failedFor]);

/** A job: makes the files of a pack. A second maker finds it taken or made, so a pack is stored once. */
export async function makePack(context: Context, id: string): Promise<void> {
  const now = realNow();
  const pack = await claimPack(context.db, id, now, plus(now, claimMs));
  if (!pack) return;
  try {
    if (pack.attempts > mostAttempts) await fail(context, pack, 'fault');
    else await make(context, pack);
  } catch (error) {
    if (pack.attempts >= mostAttempts) await fail(context, pack, 'fault');
    else await releasePack(context.db, pack);
    throw error;
  }
}

/** Gives up on the pack, and tells whoever asked for it. */
const fail = (context: Context, pack: PackRow, failedFor: PackFailure): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    if (await releasePack(tx, pack, failedFor)) await tellFailed(inside, pack, failedFor);
  });

async function make(context: Context, pack: PackRow): Promise<void> {
  const { db } = context;
  const about = await aboutOf(context, pack);
  let manifestPeople: PackPerson[] = [];
  const written = await writePack(async (give) => {
    manifestPeople = await readInto(context, pack, about, give);
    await noteProgress(db, pack, { state: 'writing', sessionsRead: pack.sessionsTotal });
  });
  if (written.tooLong) return fail(context, pack, 'too_long');
  const { csv, pdf, head, lines, sessions, statements } = written;
  const named = (ending: 'csv' | 'pdf', { bytes, sha256 }: typeof csv) => ({
    name: `adviserly-evidence-${numberOf(pack.id)}.${ending}`,
    bytes: bytes.length,
    sha256,
  });
  const whose = about.practice ? { practice: about.practice, people: manifestPeople } : {};
  const manifest: PackManifest = {
    format: packFormat,
    pack: pack.id,
    covers: about.covers,
    madeAt: about.madeAt.toISOString(),
    lines,
    sessions,
    statements,
    head,
    ...whose,
    files: { csv: named('csv', csv), pdf: named('pdf', pdf), ...peopleOfFiles(pack.id, whose) },
  };
  await transaction(db, async (tx) => {
    if (!(await lockUnmade(tx, pack.id))) return;
    await insertPieces(tx, pack.id, 'csv', csv.bytes);
    await insertPieces(tx, pack.id, 'pdf', pdf.bytes);
    await insertHead(tx, { packId: pack.id, head, pdfSha256: pdf.sha256, manifest, madeAt: about.madeAt });
    if (context.env.timestampUrl) await context.queue.send(tx, stampJob, { pack: pack.id });
    await tellMade(within(context, tx), pack, about.practice?.name);
  });
}

async function aboutOf({ db, now, env }: Context, pack: PackRow): Promise<PackAbout> {
  const { id, teamId, adviserId, askedById, createdAt, toolId } = pack;
  const found = teamId === null ? null : await recordTeams.practiceOf(db, teamId);
  const practice = found && pick(found, 'id', 'name', 'abn', 'afsl', 'dealerGroup');
  const [adviser] = practice && adviserId ? await peopleOf(db, pack, [adviserId]) : [];
  const covers = coversOf(pack, {
    practice: practice?.name ?? null,
    adviser: adviser?.name ?? null,
    tool: toolId === null ? null : await toolName(db, toolId),
  });
  const verifyUrl = new URL('/record/verify', env.appUrl).href;
  const stamps = env.timestampUrl !== undefined;
  const rules = found && pick(found, 'lateAfterDays', 'refusesLate', 'needsClient', 'newToolsAllowed');
  const checks = found?.checks ?? usualChecks;
  const asked = { covers, askedById, askedAt: createdAt, madeAt: now() };
  return { id, practice, rules, checks, verifyUrl, stamps, ...asked };
}

/** Everybody whom a pack names, as they are to the practice now or were when they left it. */
async function peopleOf(db: Db, { teamId }: PackRow, ids: string[]): Promise<PackContent['people']> {
  const practice = teamId === null ? null : await recordTeams.practiceOf(db, teamId);
  const found = await recordTeams.whoIsWho(db, teamId, [...new Set(ids)]);
  return [...found.values()].map((one) => ({
    id: one.userId,
    name: `${one.firstName} ${one.lastName}`.trim() || closedAccount,
    email: one.firstName ? one.email : '',
    adviserNumber: one.adviserNumber,
    since: one.joinedAt?.toISOString() ?? null,
    until: one.leftAt?.toISOString() ?? null,
    role: one.role,
    zone: zoneOf(one.state ?? practice?.state ?? null),
  }));
}

/** What the practice decided about the tools of a pack, and says of them; in one that is narrowed by nothing but days, of all its tools. */
async function decisionsFor(
  db: Db,
  pack: PackRow,
  used: Set<string>,
): Promise<Pick<PackContent, 'decided' | 'decisions'>> {
  if (pack.teamId === null) return { decided: [], decisions: [] };
  const isWhole = [pack.toolId, pack.adviserId, pack.clientReference, pack.recallId].every((by) => by === null);
  const isOfPack = ({ toolId }: { toolId: string | null }) => isWhole || toolId === null || used.has(toolId);
  const decided = (await forPacks.decidedOf(db, pack.teamId)).filter(isOfPack);
  const decisions = (await practices.decisionsOf(db, pack.teamId)).filter(isOfPack);
  const ids = [...decided, ...decisions].flatMap(({ toolId }) => toolId ?? []);
  const names = await toolRows.namesOf(db, [...new Set(ids)]);
  const reviewed = await forPacks.reviewedTools(db, pack.teamId);
  const nameOf = (toolId: string) => names.get(toolId)?.name ?? toolId;
  return {
    decided: decided.map((one) => ({ ...one, toolName: one.toolId === null ? undecidedTools : nameOf(one.toolId) })),
    decisions: decisions
      .map((one) => ({
        ...one,
        toolName: nameOf(one.toolId),
        outside: names.get(one.toolId)?.outside ?? false,
        isReviewed: reviewed.has(one.toolId),
      }))
      .toSorted((a, b) => a.toolName.localeCompare(b.toolName)),
  };
}

/** Reads what the pack holds, all as of one moment, page by page into the thread; returns whom it names. */
const readInto = (
  context: Context,
  pack: PackRow,
  about: PackAbout,
  give: (given: PackPart) => void,
): Promise<PackPerson[]> =>
  transaction(context.db, async (tx) => {
    await atOneMoment(tx);
    give({ about });
    const sessionIds = new Set<string>();
    const toolIds = new Set<string>();
    const references = new Set<string>();
    const userIds = new Set([pack.askedById, ...(pack.adviserId ? [pack.adviserId] : [])]);
    const recallIds = new Set<string>();
    const among = pack.recallId === null ? undefined : sessionsIn(pack.recallId);
    let last: string | undefined;
    let read = 0;
    do {
      const sessions = await packs.packSessions(tx, { ...pack, among }, pageSize, last);
      const ids = sessions.map(({ id }) => id);
      const statements = await statementsOfSessions(tx, ids);
      const touches = await touchedAmong(tx, ids);
      const signOffs = pack.teamId === null ? [] : await signOffsOfSessions(tx, ids);
      give({ sessions, statements, touches, signOffs });
      for (const { recallId, lookedById } of touches) {
        recallIds.add(recallId);
        if (lookedById) userIds.add(lookedById);
      }
      for (const { userId, redactedById } of [...statements, ...signOffs])
        for (const one of [userId, redactedById]) if (one) userIds.add(one);
      for (const { id, toolId, userId, clientReference } of sessions) {
        sessionIds.add(id);
        if (clientReference !== null) references.add(clientReference);
        toolIds.add(toolId);
        userIds.add(userId);
      }
      last = sessions.length === pageSize ? sessions.at(-1)!.id : undefined;
      read += sessions.length;
      await noteProgress(context.db, pack, { state: 'reading', sessionsRead: Math.min(read, pack.sessionsTotal) });
    } while (last !== undefined);
    const used = [...toolIds];
    const disclosures = await disclosuresOfTools(tx, used);
    const reviews = pack.teamId === null ? [] : await reviewsOfTools(tx, pack.teamId, used, pack.toDay);
    const { decided, decisions } = await decisionsFor(tx, pack, toolIds);
    const announcements = await forPacks.announcementsOf(tx, used);
    const samples = pack.teamId === null ? [] : samplesWith(await forPacks.samplesOf(tx, pack.teamId), sessionIds);
    for (const { userId, adviserId } of samples) for (const id of [userId, adviserId]) if (id) userIds.add(id);
    const holds = pack.teamId === null ? [] : holdsOn(await forPacks.everyHoldOf(tx, pack.teamId), references);
    for (const { heldById } of holds) userIds.add(heldById);
    for (const { userId, redactedById } of reviews) for (const id of [userId, redactedById]) if (id) userIds.add(id);
    for (const { decidedById } of decided) if (decidedById) userIds.add(decidedById);
    for (const { accountableId } of decisions) if (accountableId) userIds.add(accountableId);
    const people = await peopleOf(tx, pack, [...userIds]);
    const recalls = await touchingRecalls(tx, [...recallIds]);
    give({ disclosures, announcements, reviews, decided, decisions, samples, holds, people, recalls });
    return people.map(({ zone: _zone, ...person }) => person);
  });
