import http from 'node:http';
import { afterEach, beforeEach } from 'vitest';
import { createApp, finish } from '#server/app.ts';
import type { Context } from '#server/platform/context.ts';
import { type FaultyProvider, startFaultyProvider } from './faulty-provider.ts';
import { listenLocally } from './ports.ts';
import { freshTestApp, signInAt } from './test-app.ts';

/** A second server on the same database, such as one whose line to Stripe can fail. */
export async function startReplica(context: Context) {
  const { url, stop } = await listenLocally(http.createServer(finish(createApp(context).app)));
  return {
    context,
    agent: (email: string) => signInAt(url, email),
    stop,
  };
}

/** A new product for each test, and a replica whose line to Stripe can fail. */
export function faultyApp() {
  const app = freshTestApp();
  const line = {} as FaultyProvider;
  const replica = {} as Awaited<ReturnType<typeof startReplica>>;
  beforeEach(async () => {
    Object.assign(line, await startFaultyProvider(app.context.payments, app.sandbox!));
    Object.assign(replica, await startReplica({ ...app.context, payments: line.payments }));
  });
  afterEach(async () => {
    await replica.stop();
    await line.stop();
  });
  return { app, line, replica };
}
