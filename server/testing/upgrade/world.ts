import request from 'supertest';
import { liveThrough } from '#server/dev/move-clock.ts';
import { createLog } from '#server/platform/logs/log.ts';
import { startProduct, type Product, type StartOptions } from '#server/start.ts';
import { createAdmin } from '../factories.ts';
import { password } from '../newcomer.ts';
import { holdPort } from '../ports.ts';
import { testEnv } from '../test-env.ts';

export type Agent = ReturnType<typeof request.agent>;
/** A release that runs on the tried database; its jobs run when time passes. */
export type World = Product & { url: string };

/** Starts the release that this file is part of. */
export async function openWorld(databaseUrl: string, prepare?: StartOptions['prepare']): Promise<World> {
  const { socket, port } = await holdPort();
  const env = testEnv({ PORT: String(port), JOBS: 'off', LOG_LEVEL: 'warn' });
  const product = await startProduct({
    env,
    databaseUrl,
    log: createLog(env),
    passwordWork: { cost: 4, share: 100, limit: 200 },
    databasePatience: 8,
    socket,
    ...(prepare && { prepare }),
  });
  return { ...product, url: `http://127.0.0.1:${port}` };
}

/** Lets time pass as the console's clock does. */
export const live = ({ context, clock, sandbox }: World, ms: number) => liveThrough(context, clock, sandbox!, ms);

export async function signIn({ url }: World, email: string): Promise<Agent> {
  const agent = request.agent(url);
  await agent.post('/api/login').send({ email, password }).expect(200);
  return agent;
}

/** A new administrator's write: the session of an older one would be over by now. */
export async function asAdministrator(world: World, path: string, values: object): Promise<void> {
  const { email } = await createAdmin(world.context);
  const agent = await signIn(world, email);
  const { body } = await agent.get('/api/admin/csrf-token').expect(200);
  const { csrfToken } = body as { csrfToken: string };
  const answer = await agent.post(path).send({ ...values, _csrf: csrfToken });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.text}`);
}

export const rowsOf = async ({ context }: World, sql: string, values: unknown[] = []) =>
  (await context.db.$client.query(sql, values)).rows as Record<string, unknown>[];
