import { sql } from 'drizzle-orm';
import { bigint, boolean, check, integer, pgTable, varchar } from 'drizzle-orm/pg-core';

/** Business time minus real time, in milliseconds; only the development console moves it. */
export const appClock = pgTable(
  'app_clock',
  {
    id: boolean('id').primaryKey().default(true),
    offsetMs: bigint('offset_ms', { mode: 'number' }).notNull().default(0),
  },
  (t) => [check('app_clock_single_row', sql`${t.id}`)],
);

/** The table of rate-limiter-flexible; keys are hashes, never what was typed. Unlogged, so that counting doesn't wait for the disk. */
export const rateLimits = pgTable('rate_limits', {
  key: varchar('key', { length: 255 }).primaryKey(),
  points: integer('points').notNull().default(0),
  expire: bigint('expire', { mode: 'number' }),
});
