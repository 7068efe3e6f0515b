import { sql } from 'drizzle-orm';
import {
  bigserial,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { askOutcomes, purposes } from '../rules/record/record.ts';
import { byUser, ofUser } from './accounts.ts';
import { disclosureAnswers, generatedId, instant, oneOf } from './columns.ts';
import { referenceKey, toolUsage } from './usage.ts';
import { ofTeam } from './teams.ts';
import { ofTool } from './tools.ts';

/** Its words were taken out, for this reason. */
const redaction = {
  redactedFor: text('redacted_for'),
  redactedAt: instant('redacted_at'),
  /** Null where an administrator did, for a closed practice. */
  redactedById: uuid('redacted_by_id'),
};

/**
 * What an adviser states about a session: whether they checked the output, what it was for, and for which client reference. Append-only
 * (triggers/append-only-record.sql): a correction is a new line. What holds now is kept in tool_usage.
 */
export const sessionStatements = pgTable(
  'session_statements',
  {
    id: generatedId(),
    /** The order of a session's lines. */
    position: bigserial('position', { mode: 'number' }).notNull(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => toolUsage.id, { onDelete: 'cascade' }),
    userId: ofUser(),
    /** Null where the line says nothing about it; likewise the three below. */
    checked: boolean('checked'),
    /** What was checked, in the words of the list at that moment. */
    checks: text('checks').array(),
    remark: text('remark'),
    purpose: text('purpose', { enum: purposes }),
    /** Empty where it was taken back. */
    clientReference: text('client_reference'),
    madeAt: instant('made_at').notNull(),
    /** By the practice's rule at that moment. */
    late: boolean('late').notNull().default(false),
    /** Made by somebody who was no longer in the practice. */
    byFormer: boolean('by_former').notNull().default(false),
    /** It says what somebody found who looked at the session again because of this recall. */
    recallId: uuid('recall_id'),
    recallFault: boolean('recall_fault'),
    ...redaction,
  },
  (t) => [
    index('session_statements_session').on(t.sessionId, t.position),
    index('session_statements_user').on(t.userId, t.madeAt),
    // A job deletes them after seven years.
    index('session_statements_made').on(t.madeAt),
    check(
      'session_statements_says',
      sql`${t.checked} is not null or ${t.purpose} is not null or ${t.clientReference} is not null`,
    ),
    check('session_statements_remark', sql`${t.remark} is null or ${t.checked} is not null`),
  ],
);

/** A maker's answers about a tool for due diligence, complete in every version; the highest version holds. Append-only. */
export const toolDisclosures = pgTable(
  'tool_disclosures',
  {
    toolId: ofTool(),
    version: integer('version').notNull(),
    answers: disclosureAnswers('answers').notNull(),
    /** The maker, or an administrator for a tool of the operator's. */
    madeById: byUser('made_by_id'),
    madeAt: instant('made_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.toolId, t.version] })],
);

/** What makers announced to change. Nobody changes or deletes one: a mistake is corrected by another. */
export const toolAnnouncements = pgTable(
  'tool_announcements',
  {
    id: generatedId(),
    toolId: ofTool(),
    /** What each will be; null: it stays. */
    version: text('version'),
    model: text('model'),
    dataLocation: text('data_location'),
    subProcessors: text('sub_processors'),
    note: text('note').notNull(),
    /** The Sydney day of the change. */
    onDay: date('on_day').notNull(),
    /** It mends a fault, so it need not wait for the days of notice. */
    mends: boolean('mends').notNull(),
    announcedById: byUser('announced_by_id'),
    announcedAt: instant('announced_at').notNull(),
    /** When everybody had been told. */
    toldAt: instant('told_at'),
  },
  (t) => [index('tool_announcements_tool').on(t.toolId, t.announcedAt)],
);

/** What a practice has decided about a tool; for a tool without a row, teams.new_tools_allowed holds. */
export const teamTools = pgTable(
  'team_tools',
  {
    teamId: ofTeam(),
    toolId: ofTool(),
    /** Null where only a review is due. */
    allowed: boolean('allowed'),
    /** When it was last allowed or stopped. */
    allowedAt: instant('allowed_at'),
    /** What members are told where it is not allowed. */
    reason: text('reason'),
    /** The Sydney day by which the tool is to be reviewed. */
    reviewDue: date('review_due'),
    /** What the practice uses it for, which data may go in, and the member who answers for it. */
    usedFor: text('used_for'),
    dataAllowed: text('data_allowed'),
    accountableId: uuid('accountable_id'),
    /** Who last allowed or stopped it, and when; who wrote the row first where nobody has. Older edits and reviews overwrote both. */
    decidedById: byUser('decided_by_id'),
    decidedAt: instant('decided_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.teamId, t.toolId] })],
);

/** Client references of which nothing is forgotten until they are released. */
export const recordHolds = pgTable(
  'record_holds',
  {
    id: generatedId(),
    teamId: ofTeam(),
    clientReference: text('client_reference').notNull(),
    reason: text('reason').notNull(),
    heldById: byUser('held_by_id'),
    heldAt: instant('held_at').notNull(),
    releasedById: uuid('released_by_id'),
    releasedAt: instant('released_at'),
  },
  (t) => [
    uniqueIndex('record_holds_one')
      .on(t.teamId, referenceKey(t.clientReference))
      .where(sql`${t.releasedAt} is null`),
  ],
);

/** Reviews of tools by a practice. Append-only. */
export const toolReviews = pgTable(
  'tool_reviews',
  {
    id: generatedId(),
    teamId: ofTeam(),
    toolId: ofTool(),
    userId: byUser('user_id'),
    /** Empty where it was redacted. */
    remark: text('remark').notNull(),
    /** The version of the maker's answers that was looked at; null where there were none. */
    disclosureVersion: integer('disclosure_version'),
    nextDue: date('next_due'),
    madeAt: instant('made_at').notNull(),
    ...redaction,
  },
  (t) => [unique('tool_reviews_order').on(t.teamId, t.toolId, t.madeAt)],
);

/** Tools that members ask their practice for. `outcome` is null until it is answered. */
export const toolAsks = pgTable(
  'tool_asks',
  {
    id: generatedId(),
    teamId: ofTeam(),
    userId: ofUser(),
    toolId: ofTool(),
    reason: text('reason').notNull(),
    /** Whether the practice allowed it then, and only lacked it. */
    wasAllowed: boolean('was_allowed').notNull(),
    askedAt: instant('asked_at').notNull(),
    outcome: text('outcome', { enum: askOutcomes }),
    answer: text('answer'),
    /** Null where a purchase answered it. */
    answeredById: uuid('answered_by_id'),
    answeredAt: instant('answered_at'),
  },
  (t) => [
    uniqueIndex('tool_asks_one_open')
      .on(t.teamId, t.userId, t.toolId)
      .where(sql`${t.outcome} is null`),
    index('tool_asks_team').on(t.teamId, t.answeredAt),
    index('tool_asks_user').on(t.userId, t.askedAt),
    oneOf('tool_asks_outcome', t.outcome, askOutcomes),
    check('tool_asks_answered', sql`(${t.outcome} is null) = (${t.answeredAt} is null)`),
  ],
);

/** A supervisor's sign-off on a session of the practice's record. Append-only. */
export const sessionSignOffs = pgTable(
  'session_sign_offs',
  {
    id: generatedId(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => toolUsage.id, { onDelete: 'cascade' }),
    teamId: ofTeam(),
    userId: byUser('user_id'),
    remark: text('remark'),
    /** The sample it was one of. Older rows, which have only a number, say what the supervisor said; null where it was chosen. */
    sampleId: uuid('sample_id'),
    /** From how many sessions the sample was drawn. */
    sampledFrom: integer('sampled_from'),
    madeAt: instant('made_at').notNull(),
    ...redaction,
  },
  (t) => [index('session_sign_offs_session').on(t.sessionId, t.madeAt)],
);

/** A sample that was drawn at random from a practice's record. Append-only. */
export const recordSamples = pgTable(
  'record_samples',
  {
    id: generatedId(),
    teamId: ofTeam(),
    /** Who had it drawn: their own sessions were left out. */
    userId: byUser('user_id'),
    /** From how many sessions. */
    drawnFrom: integer('drawn_from').notNull(),
    sessionIds: uuid('session_ids').array().notNull(),
    /** What they chose to draw from: Sydney days, both included, a tool, an adviser; null: any. */
    fromDay: date('from_day'),
    toDay: date('to_day'),
    toolId: text('tool_id'),
    adviserId: uuid('adviser_id'),
    /** Only sessions that were not reviewed then. */
    unreviewedOnly: boolean('unreviewed_only').notNull(),
    drawnAt: instant('drawn_at').notNull(),
  },
  (t) => [index('record_samples_team').on(t.teamId, t.drawnAt)],
);
