import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, numeric, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { createInsertSchema } from 'drizzle-zod';
import { domainFault } from '../rules/tools.ts';
import { createdAt, generatedId, instant } from './columns.ts';

export const tools = pgTable(
  'tools',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description'),
    basePrice: numeric('base_price', { precision: 10, scale: 2 }).notNull(),
    domain: text('domain').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    /** Listed, but cannot be bought. */
    comingSoon: boolean('coming_soon').notNull().default(false),
    minutesSaved: integer('minutes_saved').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [check('tools_base_price', sql`${t.basePrice} >= 0`), check('tools_domain', sql`${t.domain} ~ '^https?://'`)],
);

/** A row that an operator or the catalogue may write. */
export const newTool = createInsertSchema(tools, {
  id: (id) => id.regex(/^[a-z0-9-]{1,64}$/, { error: 'must be lower-case letters, digits and hyphens' }),
  basePrice: (price) => price.regex(/^\d{1,8}\.\d{2}$/, { error: 'must be dollars and cents, such as 30.00' }),
  domain: (domain) =>
    domain.superRefine((url, context) => {
      const fault = domainFault(url);
      if (fault) context.addIssue({ code: 'custom', message: fault });
    }),
});

/** Secrets of tools' servers, as SHA-256. Two may be live, so that one can replace the other. */
export const toolSecrets = pgTable(
  'tool_secrets',
  {
    id: generatedId(),
    toolId: text('tool_id')
      .notNull()
      .references(() => tools.id),
    secretHash: text('secret_hash').notNull().unique(),
    revokedAt: instant('revoked_at'),
    createdAt: createdAt(),
  },
  (t) => [index('tool_secrets_tool').on(t.toolId)],
);

/** Launch tokens and API keys. `token` holds SHA-256, `lastFour` the end of a key, for administrators. */
export const authTokens = pgTable(
  'auth_tokens',
  {
    id: generatedId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    token: text('token').notNull().unique(),
    toolId: text('tool_id').references(() => tools.id),
    kind: text('kind', { enum: ['launch', 'api_key'] })
      .notNull()
      .default('launch'),
    lastFour: text('last_four'),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    /** SHA-256 of the Idempotency-Key that a launch token was exchanged with: its answer may be asked again for a minute. */
    exchangeKey: text('exchange_key'),
    isRevoked: boolean('is_revoked').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    index('auth_tokens_user_tool').on(t.userId, t.toolId),
    index('auth_tokens_keys')
      .on(t.createdAt.desc().nullsFirst(), t.id)
      .where(sql`${t.kind} = 'api_key' and not ${t.isRevoked}`),
    index('auth_tokens_expiry').on(t.expiresAt),
    check('auth_tokens_kind', sql`${t.kind} in ('launch', 'api_key')`),
  ],
);

/** One row per session with a tool: one launch, or one day of an API key. Tools report on it by `sessionId`. */
export const toolUsage = pgTable(
  'tool_usage',
  {
    id: generatedId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    toolId: text('tool_id')
      .notNull()
      .references(() => tools.id),
    sessionId: text('session_id'),
    /** The token that opened the session: at most one session per launch. */
    authTokenId: uuid('auth_token_id').references(() => authTokens.id, { onDelete: 'set null' }),
    lastAccessed: instant('last_accessed').notNull().defaultNow(),
    /** As reported; a session without a report gets its last sign of life, from a job 48 hours later. */
    endedAt: instant('ended_at'),
    /** Sums over the session's reports, kept by a trigger on usage_analytics. */
    reports: integer('reports').notNull().default(0),
    durationSeconds: bigint('duration_seconds', { mode: 'number' }).notNull().default(0),
    actions: bigint('actions', { mode: 'number' }).notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    scoreTotal: numeric('score_total', { precision: 14, scale: 2 }).notNull().default('0'),
    scoreCount: integer('score_count').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    index('tool_usage_user_created').on(t.userId, t.createdAt.desc().nullsFirst(), t.id),
    index('tool_usage_open')
      .on(t.lastAccessed)
      .where(sql`${t.endedAt} is null`),
    index('tool_usage_user_recent').on(t.userId, t.lastAccessed.desc().nullsFirst()),
    index('tool_usage_tool_created').on(t.toolId, t.createdAt),
    uniqueIndex('tool_usage_session').on(t.sessionId),
    uniqueIndex('tool_usage_auth_token').on(t.authTokenId),
  ],
);
