import { sql } from 'drizzle-orm';
import { check, date, index, integer, json, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { packFailures, packFiles, type PackManifest, packStates } from '../rules/record/evidence.ts';
import { users } from './accounts.ts';
import { bytea, generatedId, instant } from './columns.ts';
import { teams } from './teams.ts';
import { tools } from './tools.ts';

/** An evidence pack that was asked for: an adviser's own sessions, or a practice's (team_id), with the filters on them. */
export const evidencePacks = pgTable(
  'evidence_packs',
  {
    id: generatedId(),
    askedById: uuid('asked_by_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    teamId: uuid('team_id').references(() => teams.id, { onDelete: 'cascade' }),
    /** Whose sessions; null: everybody's in the practice. */
    adviserId: uuid('adviser_id').references(() => users.id, { onDelete: 'cascade' }),
    toolId: text('tool_id').references(() => tools.id),
    /** Empty where it was redacted. */
    clientReference: text('client_reference'),
    /** Only the sessions that this recall touches. */
    recallId: uuid('recall_id'),
    /** Sydney days, both included. */
    fromDay: date('from_day'),
    toDay: date('to_day'),
    state: text('state', { enum: packStates }).notNull().default('waiting'),
    sessionsTotal: integer('sessions_total').notNull(),
    sessionsRead: integer('sessions_read').notNull().default(0),
    failedFor: text('failed_for', { enum: packFailures }),
    attempts: integer('attempts').notNull().default(0),
    /** Until when its maker's claim holds, in real time. */
    claimedUntil: instant('claimed_until'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('evidence_packs_asked').on(t.askedById, t.createdAt),
    index('evidence_packs_team').on(t.teamId, t.createdAt),
    // One at a time for each adviser, and for each practice.
    uniqueIndex('evidence_packs_one_at_a_time')
      .on(sql`coalesce(${t.teamId}, ${t.askedById})`)
      .where(sql`${t.state} in ('waiting', 'reading', 'writing')`),
    index('evidence_packs_created').on(t.createdAt),
    check('evidence_packs_own', sql`${t.teamId} is not null or ${t.adviserId} = ${t.askedById}`),
  ],
);

/** The sums of a finished pack. Append-only, so that a file can be compared with what we issued. */
export const evidenceHeads = pgTable(
  'evidence_heads',
  {
    packId: uuid('pack_id')
      .primaryKey()
      .references(() => evidencePacks.id, { onDelete: 'cascade' }),
    /** The last sum of the chain in its CSV. */
    head: text('head').notNull(),
    pdfSha256: text('pdf_sha256').notNull(),
    manifest: json('manifest').$type<PackManifest>().notNull(),
    madeAt: instant('made_at').notNull(),
  },
  (t) => [index('evidence_heads_head').on(t.head), index('evidence_heads_pdf').on(t.pdfSha256)],
);

/** What a time-stamping authority answered about a head (RFC 3161). Append-only. */
export const evidenceStamps = pgTable('evidence_stamps', {
  packId: uuid('pack_id')
    .primaryKey()
    .references(() => evidenceHeads.packId, { onDelete: 'cascade' }),
  /** The authority's whole answer, which `openssl ts -verify` reads. */
  reply: bytea('reply').notNull(),
  /** As the authority's certificate names it. */
  authority: text('authority').notNull(),
  /** The moment that the authority vouches for. */
  stampedAt: instant('stamped_at').notNull(),
});

/** The files of a pack in pieces, so that any replica can serve them. Append-only. */
export const evidencePieces = pgTable(
  'evidence_pieces',
  {
    packId: uuid('pack_id')
      .notNull()
      .references(() => evidencePacks.id, { onDelete: 'cascade' }),
    file: text('file', { enum: packFiles }).notNull(),
    position: integer('position').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.packId, t.file, t.position] })],
);
