import http from 'node:http';
import request from 'supertest';
import { createApp, finish } from '#server/app.ts';
import type { Context } from '#server/platform/context.ts';
import { password } from './newcomer.ts';
import { listenLocally } from './ports.ts';
import type { Agent } from './test-app.ts';

/** A second server on the same database, such as one whose line to Stripe can fail. */
export async function startReplica(context: Context) {
  const { url, stop } = await listenLocally(http.createServer(finish(createApp(context))));
  return {
    context,
    agent: async (email: string): Promise<Agent> => {
      const agent = request.agent(url);
      await agent.post('/api/login').send({ email, password }).expect(200);
      return agent;
    },
    stop,
  };
}
