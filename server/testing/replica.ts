import http from 'node:http';
import { createApp, finish } from '#server/app.ts';
import type { Context } from '#server/platform/context.ts';
import { listenLocally } from './ports.ts';
import { signInAt } from './test-app.ts';

/** A second server on the same database, such as one whose line to Stripe can fail. */
export async function startReplica(context: Context) {
  const { url, stop } = await listenLocally(http.createServer(finish(createApp(context))));
  return {
    context,
    agent: (email: string) => signInAt(url, email),
    stop,
  };
}
