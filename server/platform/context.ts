import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { ToolCall } from '#shared/rules/tools/tool-checks.ts';
import { transaction, type Db } from './data/database.ts';
import type { Env } from './env.ts';
import type { Mailer } from './mailer.ts';
import type { Passwords } from './crypto/passwords.ts';
import type { Payments } from './payments.ts';
import { tenantIn } from './http/actor.ts';
import type { Queue } from './queue/queue.ts';

/** The answer to a call as it is sent: the kept one, or what `make` writes now. */
export type KeptAnswers = (asker: Asker, call: string, make: () => Promise<string>) => Promise<string>;
export type Asker = { id: string; email: string } | null;

/**
 * Everything outside the code: database, Stripe, mail, queue, clock, configuration. Made once at start and passed to every
 * handler, job and service, so that a test can pass its own. `db` may be a transaction.
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
  /** Without it, no answer is kept. */
  kept?: KeptAnswers;
  /** Hears what tools' servers ask and are answered; only in development. */
  hearTool?: (toolId: string, call: ToolCall) => void;
  /** Who sent the request, and from where; absent in jobs. */
  caller?: Caller;
};

export type Caller = {
  actorId: string | null;
  /** The organisation with whose Microsoft account their session began. */
  tenant?: string | null;
  ip: string | undefined;
  /** The request's `Cookie` header, in which a browser shows that it is known. */
  cookies?: string | undefined;
  userAgent?: string | undefined;
  /** Whether the connection has ended, so that nobody waits for the answer. */
  hungUp?: () => boolean;
  /** For headers that go with any answer. */
  response?: Response | undefined;
};

export const calledBy = (
  context: Context,
  { user, ip, headers, socket, res, session }: Pick<Request, 'user' | 'ip' | 'headers' | 'socket' | 'res' | 'session'>,
): Context => ({
  ...context,
  caller: {
    actorId: user?.id ?? null,
    tenant: tenantIn(session),
    ip: ip?.replace(/^::ffff:/, ''),
    cookies: headers.cookie,
    userAgent: headers['user-agent'],
    hungUp: () => socket.destroyed,
    response: res,
  },
});

export const within = (context: Context, tx: Db): Context => ({ ...context, db: tx });

export const inTransaction = <T>(context: Context, work: (inside: Context, tx: Db) => Promise<T>): Promise<T> =>
  transaction(context.db, (tx) => work(within(context, tx), tx));
