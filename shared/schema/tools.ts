import { sql } from 'drizzle-orm';
import {
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { ofUser, users } from './accounts.ts';
import { createInsertSchema } from 'drizzle-zod';
import {
  domainFault,
  endReasons,
  refusalKinds,
  testEndings,
  toolEventTypes,
  toolIconNames,
  toolIdPattern,
  toolScopes,
} from '../rules/tools/tools.ts';
import { purposes } from '../rules/record/record.ts';
import type { ToolCall, ToolFinding } from '../rules/tools/tool-checks.ts';
import { createdAt, disclosureAnswers, generatedId, instant, oneOf } from './columns.ts';
import { teams } from './teams.ts';

export const tools = pgTable(
  'tools',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description'),
    /** What new subscriptions cost; others have a price of their own. */
    basePrice: numeric('base_price', { precision: 10, scale: 2 }).notNull(),
    /** The number of the last price change that existing subscribers are told of. */
    priceNumber: integer('price_number').notNull().default(0),
    domain: text('domain').notNull(),
    /** Where the tool's server takes events; null where it takes none. */
    eventsUrl: text('events_url'),
    isActive: boolean('is_active').notNull().default(true),
    /** Listed, but cannot be bought. */
    comingSoon: boolean('coming_soon').notNull().default(false),
    minutesSaved: integer('minutes_saved').notNull().default(0),
    /** Null: as the release has it (shared/rules/tools/tools.ts, tool-texts.ts). */
    icon: text('icon', { enum: toolIconNames }),
    about: text('about'),
    audience: text('audience'),
    features: text('features').array(),
    benefits: text('benefits').array(),
    /** Counts the changes of its settings, which are in `tool_changes`. */
    version: integer('version').notNull().default(0),
    /** Who registered it; null for a tool of the operator's. */
    ownerId: uuid('owner_id').references(() => users.id),
    /** The practice that lists it as a tool outside Adviserly: it is never active, and no tool to anybody else. */
    teamId: uuid('team_id').references(() => teams.id),
    /** Which of a person's details it is given. */
    scopes: text('scopes', { enum: toolScopes }).array().notNull().default(['name', 'email', 'dealer_group', 'team']),
    /** When its owner asked for it to be published, or why that was refused. */
    requestedAt: instant('requested_at'),
    refusedFor: text('refused_for'),
    /** When it was closed to new users, and why; those who have it go on. */
    closedAt: instant('closed_at'),
    closedFor: text('closed_for'),
    /** Since when a recall keeps it from opening new sessions. */
    stoppedAt: instant('stopped_at'),
    /** Makes the ids under which it knows people, which are of this tool alone; null where it knows them by their account's id. */
    subjectSalt: uuid('subject_salt'),
    /** The staging twin of a published tool: where its test advisers open it, where its events about them go, and the answers for due diligence that wait with it. */
    stagingDomain: text('staging_domain'),
    stagingEventsUrl: text('staging_events_url'),
    stagingAnswers: disclosureAnswers('staging_answers'),
    createdAt: createdAt(),
  },
  (t) => [
    check('tools_base_price', sql`${t.basePrice} >= 0`),
    check('tools_domain', sql`${t.domain} ~ '^https?://'`),
    index('tools_owner').on(t.ownerId),
  ],
);

export const ofTool = () =>
  text('tool_id')
    .notNull()
    .references(() => tools.id);

/** A row that an operator or the catalogue may write. */
export const newTool = createInsertSchema(tools, {
  id: (id) => id.regex(toolIdPattern, { error: 'must be lower-case letters, digits and hyphens' }),
  basePrice: (price) => price.regex(/^\d{1,8}\.\d{2}$/, { error: 'must be dollars and cents, such as 30.00' }),
  domain: (domain) =>
    domain.superRefine((url, context) => {
      const fault = domainFault(url);
      if (fault) context.addIssue({ code: 'custom', message: fault });
    }),
}).omit({ stagingAnswers: true });

/**
 * Secrets of tools' servers, as SHA-256: those they call us with, and those we sign our events with, which are also kept sealed.
 * Two of a kind may be live, so that one can replace the other.
 */
export const toolSecrets = pgTable(
  'tool_secrets',
  {
    id: generatedId(),
    toolId: ofTool(),
    kind: text('kind', { enum: ['call', 'signing'] })
      .notNull()
      .default('call'),
    secretHash: text('secret_hash').notNull().unique(),
    sealed: text('sealed'),
    /** What its owner calls it. */
    name: text('name'),
    /** Accurate to five minutes. */
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('tool_secrets_tool').on(t.toolId),
    check('tool_secrets_sealed', sql`(${t.kind} = 'signing') = (${t.sealed} is not null)`),
  ],
);

const tokenKinds = ['launch', 'api_key'] as const;

/** Launch tokens and API keys. `token` holds SHA-256, `lastFour` the end of a key, for administrators. */
export const authTokens = pgTable(
  'auth_tokens',
  {
    id: generatedId(),
    userId: ofUser(),
    token: text('token').notNull().unique(),
    toolId: text('tool_id').references(() => tools.id),
    kind: text('kind', { enum: tokenKinds }).notNull().default('launch'),
    lastFour: text('last_four'),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    /** SHA-256 of the Idempotency-Key that a launch token was exchanged with: the same answer is given again for a minute. */
    exchangeKey: text('exchange_key'),
    isRevoked: boolean('is_revoked').notNull().default(false),
    /** One of our own launches, made to examine the tool. */
    fromCheck: boolean('from_check').notNull().default(false),
    /** The file number that a launch is for, and what it is for. */
    clientReference: text('client_reference'),
    purpose: text('purpose', { enum: purposes }),
    createdAt: createdAt(),
  },
  (t) => [
    index('auth_tokens_user_tool').on(t.userId, t.toolId),
    index('auth_tokens_tool').on(t.toolId, t.createdAt.desc()),
    index('auth_tokens_keys')
      .on(t.createdAt.desc().nullsFirst(), t.id)
      .where(sql`${t.kind} = 'api_key' and not ${t.isRevoked}`),
    index('auth_tokens_expiry').on(t.expiresAt),
    oneOf('auth_tokens_kind', t.kind, tokenKinds),
  ],
);

/**
 * The people a tool knows: everybody who has opened it, and whether they may go on, as the tool was last told. Checked when
 * something changes, and at `checkAt`, when access may have ended by the clock.
 */
export const toolPeople = pgTable(
  'tool_people',
  {
    userId: ofUser(),
    toolId: ofTool(),
    /** The team whose subscription opened it last. */
    teamId: uuid('team_id').references(() => teams.id),
    mayUse: boolean('may_use').notNull().default(true),
    checkAt: instant('check_at'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.toolId] }), index('tool_people_check').on(t.checkAt)],
);

/** What a tool is told, in order per person, or of itself: each event waits for its next attempt, was delivered, or was given up (neither date). */
export const toolEvents = pgTable(
  'tool_events',
  {
    id: generatedId(),
    position: bigserial('position', { mode: 'number' }).notNull(),
    toolId: ofTool(),
    /** Whom it is about; null: the tool itself. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    type: text('type', { enum: toolEventTypes }).notNull(),
    /** Why access ended. */
    reason: text('reason', { enum: endReasons }),
    /** What is said besides, as it is sent. */
    details: jsonb('details').$type<Record<string, unknown>>(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    /** In real time; afterwards another process takes over. */
    claimedUntil: instant('claimed_until'),
    deliveredAt: instant('delivered_at'),
    /** What came of the last attempt: the answer's status, or why there was none. */
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    /** When the tool said that it has erased the person. */
    confirmedAt: instant('confirmed_at'),
    /** How an administrator knows, where the tool could not confirm it itself. */
    confirmedFor: text('confirmed_for'),
    /** When it had taken too long, and an incident began. */
    overdueAt: instant('overdue_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('tool_events_waiting')
      .on(t.toolId, t.userId, t.position)
      .where(sql`${t.nextAttemptAt} is not null`),
    index('tool_events_due').on(t.nextAttemptAt),
    index('tool_events_log').on(t.toolId, t.position.desc()),
    index('tool_events_user').on(t.userId),
    index('tool_events_unconfirmed')
      .on(t.createdAt)
      .where(sql`${t.type} = 'person.erase' and ${t.confirmedAt} is null and ${t.overdueAt} is null`),
  ],
);

/** What tools were refused, in brief, for their makers: at most one row a second for each reason, one a minute for wrong secrets. */
export const toolRefusals = pgTable(
  'tool_refusals',
  {
    id: generatedId(),
    toolId: ofTool(),
    kind: text('kind', { enum: refusalKinds }).notNull(),
    message: text('message').notNull(),
    /** The first refused report of these, without what may say something of a client. */
    body: text('body'),
    times: integer('times').notNull(),
    /** Happened while the tool was being examined. */
    duringCheck: boolean('during_check').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    index('tool_refusals_tool').on(t.toolId, t.createdAt.desc()),
    uniqueIndex('tool_refusals_secret')
      .on(t.toolId, t.createdAt, t.message)
      .where(sql`${t.kind} = 'secret'`),
  ],
);

/** The last examination of each tool that its maker asked for. Its times are real time. */
export const toolChecks = pgTable('tool_checks', {
  toolId: ofTool().primaryKey(),
  /** A new one for each examination. */
  run: uuid('run').notNull(),
  /** What was examined: the tool's address at the time, and those that its maker named. */
  domain: text('domain').notNull(),
  page: text('page'),
  finish: text('finish'),
  /** SHA-256 of everything that the result holds for (`examinedState`). */
  examined: text('examined'),
  /** The session of which answers to reports say that access has ended, to see whether the tool ends it. */
  shutSession: uuid('shut_session'),
  requestedAt: instant('requested_at').notNull(),
  startedAt: instant('started_at'),
  /** The last sign of life of whatever examines it. */
  aliveAt: instant('alive_at').notNull(),
  finishedAt: instant('finished_at'),
  /** Why it broke off. */
  fault: text('fault'),
  findings: jsonb('findings').$type<ToolFinding[]>().notNull().default([]),
  /** The calls that the tool's server made meanwhile; emptied at the end. */
  calls: jsonb('calls').$type<ToolCall[]>().notNull().default([]),
});

/**
 * Made-up people of one tool, with whom its maker tries it out until it is published. Their accounts are closed from the start:
 * nobody can sign in to them, and they are not charged, counted or mailed.
 */
export const testAdvisers = pgTable(
  'test_advisers',
  {
    userId: ofUser().primaryKey(),
    toolId: ofTool(),
    /** How their access ended; null while they may use the tool. */
    ended: text('ended', { enum: testEndings }),
    createdAt: createdAt(),
  },
  (t) => [index('test_advisers_tool').on(t.toolId)],
);
