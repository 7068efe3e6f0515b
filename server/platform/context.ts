import type { Logger } from 'pino';
import type { Db } from './database.ts';
import type { Env } from './env.ts';
import type { Mailer } from './mailer.ts';
import type { Passwords } from './passwords.ts';
import type { Payments } from './payments.ts';
import type { Queue } from './queue.ts';

/**
 * What the product reaches outside itself through. Made once at start (or by a test) and passed to every handler, job and
 * service; `db` may be a transaction. This is the only seam. `env` and `passwords` are here, beyond the six of the
 * architecture, so that a test can run with another configuration and a cheap hash.
 */
export type Context = {
  db: Db;
  payments: Payments;
  mailer: Mailer;
  queue: Queue;
  passwords: Passwords;
  log: Logger;
  /** Business time; sessions, limits and logs use `realNow`. */
  now: () => Date;
  env: Env;
};

/** The same context inside a transaction. */
export const within = (context: Context, tx: Db): Context => ({ ...context, db: tx });
