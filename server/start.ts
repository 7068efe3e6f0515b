import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Server as Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express } from 'express';
import type pino from 'pino';
import { sellAs } from '#shared/brand.ts';
import { createApp, finish } from '#server/app.ts';
import { eventTypes } from '#server/billing/service.ts';
import { defineJobs } from '#server/jobs.ts';
import { documents } from '#server/invoices/service.ts';
import { createKeptAnswers } from '#server/kept-answers/kept-answers.ts';
import { versionFrom } from '#server/kept-answers/version.ts';
import { CannotStart } from '#server/platform/cannot-start.ts';
import { createClock, type Clock } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { createDatabase, type Database } from '#server/platform/data/database.ts';
import type { Env } from '#server/platform/env.ts';
import { isPassing } from '#server/platform/http/error-handler.ts';
import { createHttpServer } from '#server/platform/http/http-server.ts';
import type { Reads } from '#server/platform/http/implement.ts';
import { demoAccounts } from '#server/people/service.ts';
import { createMailer } from '#server/platform/mailer.ts';
import { createPasswords, type PasswordOptions } from '#server/platform/crypto/passwords.ts';
import { createPayments } from '#server/platform/payments.ts';
import { openSandbox } from '#server/dev/open-sandbox.ts';
import { newestMigration } from '#server/platform/data/migrate.ts';
import { createQueue } from '#server/platform/queue/queue.ts';
import { checkMode } from '#server/stripe/queries.ts';
import type { Sandbox } from '#server/dev/payments-sandbox/index.ts';

export type Product = {
  context: Context & { db: Database };
  clock: Clock;
  sandbox: Sandbox | null;
  server: Server;
  port: number;
  /** Resolves when it has caught up with what it missed. */
  caughtUp: Promise<void>;
  /** Answers the requests in flight, then closes everything. */
  stop(): Promise<void>;
};

export type StartOptions = {
  env: Env;
  databaseUrl: string;
  log: pino.Logger;
  /** Replaces production's figures: a test wants a cheap hash, and many sign-ins from one address. */
  passwordWork?: PasswordOptions;
  /** Multiplies the waits for the database: a test beside other work must not fail because the machine is slow. */
  databasePatience?: number;
  /** A socket that already listens, from a caller that had to know the port beforehand; otherwise `env.port` is used. */
  socket?: Socket;
  /** Prepares what the first request needs, such as the catalogue. */
  prepare?: (context: Product['context']) => Promise<void>;
  /** Development routes, mounted before the pages. */
  mount?: (app: Express, product: Omit<Product, 'stop' | 'port' | 'caughtUp'>) => void;
  /** Catch-up work for once it listens; a stop waits for it, as for jobs. */
  catchUp?: (context: Product['context'], isStopping: () => boolean) => Promise<void>;
  /** Whether it may be called ready, such as once development's demo is there. */
  isPrepared?: () => boolean;
  /** Adds the pages; returns a function that stops what it started. */
  pages?: (app: Express, server: Server, context: Context, reads: Reads) => Promise<(() => Promise<void>) | undefined>;
};

/** How long a stop waits for requests in flight once the listener is closed, and then again for the catch-up work. */
const lastWorkMs = 10_000;

/** Puts the parts together on a migrated database and listens. Development, production and tests all start here. */
export async function startProduct({
  env,
  databaseUrl,
  log,
  passwordWork,
  databasePatience = 1,
  socket,
  prepare,
  mount,
  catchUp,
  isPrepared = () => true,
  pages,
}: StartOptions): Promise<Product> {
  const db = createDatabase(databaseUrl, log, env.databaseConnections, databasePatience);
  try {
    await checkMode(db, env);
    await refuseDemo(db, env);
  } catch (error) {
    await db.$client.end();
    throw error;
  }
  const movable = env.mode !== 'production' && env.sandbox;
  const clock = await createClock({ pool: db.$client, movable });
  sellAs(env.seller);
  await documents.noteSeller(db, env.seller, clock.now());
  const queue = createQueue({ databaseUrl, log, release: newestMigration() });
  const passwords = createPasswords(passwordWork);
  const mailer = createMailer({ db, env, queue, log, now: clock.now });
  let stopping = false;

  const sandbox = await openSandbox(env, {
    databaseUrl,
    now: clock.now,
    webhookUrl: () => `http://127.0.0.1:${portOf(server)}/api/webhooks/stripe`,
    webhookEvents: eventTypes,
    log,
  });
  const payments = createPayments(env, sandbox);
  const kept = createKeptAnswers(versionFrom(db), clock.now);
  const context = { db, payments, mailer, queue, passwords, log, now: clock.now, env, kept };

  await defineJobs(context);
  await queue.start();
  await prepare?.(context);

  let server!: Server;
  const { app, reads } = createApp(context, {
    standing: () => (stopping ? 'stopping' : isPrepared() ? 'ready' : 'starting'),
    mount: (express) => {
      if (sandbox) express.use('/sandbox', sandbox.browser);
      server = createHttpServer(express);
      mount?.(express, { context, clock, sandbox, server });
    },
  });
  const stopPages = await pages?.(app, server, context, reads);
  finish(app);
  await once(server.listen(socket ?? { port: env.port, ...(env.host && { host: env.host }) }), 'listening');
  if (env.jobs) await queue.work();
  const caughtUp = (catchUp?.(context, () => stopping) ?? Promise.resolve()).catch((error: unknown) =>
    log[isPassing(error) ? 'warn' : 'error']({ err: error }, 'jobs at start failed'),
  );

  return {
    context,
    clock,
    sandbox,
    server,
    port: portOf(server),
    caughtUp,
    stop: async () => {
      stopping = true;
      await sleep(env.drainSeconds * 1000);
      await stopPages?.();
      await closeServer(server);
      await Promise.race([caughtUp, sleep(lastWorkMs, undefined, { ref: false })]);
      await queue.stop();
      await sandbox?.close();
      await passwords.close();
      clock.close();
      await db.$client.end();
    },
  };
}

/** Everybody can read the demo accounts' passwords. */
async function refuseDemo(db: Database, { mode, keepsDemo }: Env): Promise<void> {
  if (mode === 'production' && !keepsDemo && (await demoAccounts.areThere(db)))
    throw new CannotStart(
      `This database has the demo accounts of development (…@${demoAccounts.domain}), whose passwords are published. Give DATABASE_URL a ` +
        'database of its own, or set DEMO_DATA=keep if they are meant to be there.',
    );
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Stops accepting, waits for requests in flight, and cuts the rest after ten seconds. */
const closeServer = (server: Server) =>
  new Promise<void>((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), lastWorkMs);
    server.keepAliveTimeout = 1; // a connection closes after the answer it waits for
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
