import http from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { createApp, finish } from '#server/app.ts';
import type { Context } from '#server/platform/context.ts';
import { password } from './factories.ts';
import type { Agent } from './test-app.ts';

/** A second server on the same database, such as one whose line to the provider can fail. */
export async function startReplica(context: Context) {
  const server = http.createServer(finish(createApp(context)));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    context,
    agent: async (email: string): Promise<Agent> => {
      const agent = request.agent(url);
      await agent.post('/api/login').send({ email, password }).expect(200);
      return agent;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
