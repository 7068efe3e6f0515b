import { and, asc, count, desc, eq, gte, inArray, isNull, lt, lte, notInArray, or, sql } from 'drizzle-orm';
import { minute, plus, sydneyDate } from '#shared/rules/dates.ts';
import { keyOfReference } from '#shared/rules/record/client-reference.ts';
import { type PackFailure, type PackFileKind, type PackState } from '#shared/rules/record/evidence.ts';
import { evidenceHeads, evidencePacks, evidencePieces, evidenceStamps } from '#shared/schema/evidence.ts';
import { referenceKey } from '#shared/schema/usage.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import { type Db, deleteSome, first, hasChanged, only } from '#server/platform/data/database.ts';

const p = evidencePacks;
const h = evidenceHeads;
const f = evidencePieces;
const s = evidenceStamps;

export type PackRow = typeof p.$inferSelect;
/** Whose list: an adviser's own packs, or a practice's. */
export type PackOwner = { userId: string } | { teamId: string };

const ownedBy = (owner: PackOwner) =>
  'teamId' in owner ? eq(p.teamId, owner.teamId) : and(isNull(p.teamId), eq(p.askedById, owner.userId));
const isLive = sql`${p.state} in ('waiting', 'reading', 'writing')`;

export const insertPack = (
  db: Db,
  values: Omit<typeof p.$inferInsert, 'id' | 'state' | 'sessionsRead' | 'attempts' | 'claimedUntil' | 'failedFor'>,
): Promise<PackRow> => only(db.insert(p).values(values).returning());

/** Newest first, each with its manifest once it is made. */
export const packPage = (db: Db, owner: PackOwner, page: { limit: number; offset: number }) =>
  db
    .select({
      pack: p,
      toolName: catalogueTool.name,
      manifest: h.manifest,
      madeAt: h.madeAt,
      authority: s.authority,
      stampedAt: s.stampedAt,
    })
    .from(p)
    .leftJoin(h, eq(h.packId, p.id))
    .leftJoin(s, eq(s.packId, p.id))
    .leftJoin(catalogueTool, eq(catalogueTool.id, p.toolId))
    .where(ownedBy(owner))
    .orderBy(desc(p.createdAt), desc(p.id))
    .limit(page.limit)
    .offset(page.offset);

export async function countPacks(db: Db, owner: PackOwner): Promise<number> {
  const [row] = await db.select({ packs: count() }).from(p).where(ownedBy(owner));
  return row?.packs ?? 0;
}

/** A finished pack, without asking who may read it. */
export const findMade = (db: Db, id: string) =>
  first(
    db
      .select({ pack: p, manifest: h.manifest, stamp: s.reply })
      .from(p)
      .innerJoin(h, eq(h.packId, p.id))
      .leftJoin(s, eq(s.packId, p.id))
      .where(eq(p.id, id)),
  );

type Line = {
  teamId: string;
  toolId: string;
  madeAt: Date;
  /** Null where the line is about the tool alone. */
  session: { userId: string; createdAt: Date } | null;
  /** The client reference that it said. */
  clientReference: string | null;
};

/** A pack is dated when its making begins; a line may have come in this time before it was read. */
const longestReading = 15 * minute;

/**
 * Withdraws every pack that may hold this line, or is being made, of the practice or the adviser: in doubt, one more. Withdrawn packs of
 * theirs no longer name the client reference that it said.
 */
export async function withdrawPacks(tx: Db, { teamId, toolId, madeAt, session, clientReference }: Line): Promise<void> {
  const ofPractice = eq(p.teamId, teamId);
  const theirs = session ? or(ofPractice, and(isNull(p.teamId), eq(p.askedById, session.userId))) : ofPractice;
  const ofSession = session && [
    or(isNull(p.adviserId), eq(p.adviserId, session.userId)),
    or(isNull(p.fromDay), lte(p.fromDay, sydneyDate(session.createdAt))),
    or(isNull(p.toDay), gte(p.toDay, sydneyDate(session.createdAt))),
  ];
  const readSince = tx
    .select({ packId: h.packId })
    .from(h)
    .where(gte(h.madeAt, plus(madeAt, -longestReading)));
  const withdrawn = await tx
    .update(p)
    .set({ state: 'withdrawn' })
    .where(
      and(
        or(isLive, and(eq(p.state, 'made'), inArray(p.id, readSince))),
        or(isNull(p.toolId), eq(p.toolId, toolId)),
        theirs,
        ...(ofSession ?? []),
      ),
    )
    .returning({ id: p.id });
  for (const { id } of withdrawn) {
    await tx.execute(sql`select set_config('record.redacting', ${id}, true)`);
    await tx.delete(f).where(eq(f.packId, id));
  }
  if (clientReference === null) return;
  const names = sql`${referenceKey(p.clientReference)} = ${keyOfReference(clientReference)}`;
  await tx
    .update(p)
    .set({ clientReference: '' })
    .where(and(eq(p.state, 'withdrawn'), theirs, names));
}

/** Claims the pack for making; null where somebody else has claimed it, or it is made or gone. */
export const claimPack = (db: Db, id: string, now: Date, until: Date) =>
  first(
    db
      .update(p)
      .set({ state: 'reading', sessionsRead: 0, attempts: sql`${p.attempts} + 1`, claimedUntil: until })
      .where(and(eq(p.id, id), isLive, or(isNull(p.claimedUntil), lt(p.claimedUntil, now))))
      .returning(),
  );

/** Notes how far it is. A maker who has lost the claim to another writes nothing. */
export const noteProgress = (
  db: Db,
  { id, attempts }: Pick<PackRow, 'id' | 'attempts'>,
  progress: { state: PackState; sessionsRead?: number },
) =>
  db
    .update(p)
    .set(progress)
    .where(and(eq(p.id, id), eq(p.attempts, attempts), isLive));

/** Lets go of a pack that could not be made: it waits for another try, or has failed. False where another maker has claimed it. */
export const releasePack = (db: Db, { id, attempts }: Pick<PackRow, 'id' | 'attempts'>, failedFor?: PackFailure) => {
  const released = { sessionsRead: 0, claimedUntil: null, failedFor: failedFor ?? null };
  return hasChanged(
    db
      .update(p)
      .set({ state: failedFor ? 'failed' : 'waiting', ...released })
      .where(and(eq(p.id, id), eq(p.attempts, attempts), isLive)),
  );
};

/** Locks the pack if nobody has made it yet, and nobody has erased it. */
export const lockUnmade = (tx: Db, id: string) =>
  first(
    tx
      .select({ id: p.id })
      .from(p)
      .where(and(eq(p.id, id), isLive))
      .for('update'),
  );

export async function insertHead(tx: Db, head: typeof h.$inferInsert): Promise<void> {
  await tx.insert(h).values(head);
  await tx
    .update(p)
    .set({ state: 'made', claimedUntil: null, sessionsRead: sql`${p.sessionsTotal}` })
    .where(eq(p.id, head.packId));
}

/** The head of a made pack that has no time stamp yet. */
export const findUnstamped = (db: Db, packId: string) =>
  first(
    db
      .select({ head: h.head })
      .from(h)
      .leftJoin(s, eq(s.packId, h.packId))
      .where(and(eq(h.packId, packId), isNull(s.packId))),
  );

/** The first stamp stays. */
export const insertStamp = (db: Db, stamp: typeof s.$inferInsert) => db.insert(s).values(stamp).onConflictDoNothing();

const pieceBytes = 256 * 1024;

export async function insertPieces(tx: Db, packId: string, file: PackFileKind, bytes: Uint8Array): Promise<void> {
  for (let position = 0; position * pieceBytes < bytes.length; position += 1) {
    const piece = Buffer.from(bytes.subarray(position * pieceBytes, (position + 1) * pieceBytes));
    await tx.insert(f).values({ packId, file, position, bytes: piece });
  }
}

export async function* piecesOf(db: Db, packId: string, file: PackFileKind): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; position += 1) {
    const [piece] = await db
      .select({ bytes: f.bytes })
      .from(f)
      .where(and(eq(f.packId, packId), eq(f.file, file), eq(f.position, position)));
    if (!piece) return;
    yield piece.bytes;
  }
}

/** What we issued with this head of its chain, or with a PDF of this SHA-256. */
export const findIssued = (db: Db, sha256: string) =>
  first(
    db
      .select({ head: h.head, manifest: h.manifest, madeAt: h.madeAt })
      .from(h)
      .where(or(eq(h.head, sha256), eq(h.pdfSha256, sha256)))
      .limit(1),
  );

/** Packs that wait for somebody to make them, or whose maker was killed. */
export const packsToMake = async (db: Db, now: Date, limit: number): Promise<string[]> => {
  const rows = await db
    .select({ id: p.id })
    .from(p)
    .where(and(isLive, or(isNull(p.claimedUntil), lt(p.claimedUntil, now))))
    .orderBy(asc(p.createdAt))
    .limit(limit);
  return rows.map(({ id }) => id);
};

/** Deletes at most `limit` packs asked for before then, with their files, but those of practices that hold something; returns how many. */
export const deletePacksBefore = (db: Db, before: Date, holding: string[], limit: number) =>
  deleteSome(
    db,
    p,
    p.id,
    and(lt(p.createdAt, before), holding.length > 0 ? or(isNull(p.teamId), notInArray(p.teamId, holding)) : undefined),
    limit,
  );
