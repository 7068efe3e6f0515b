import './prepare-statements.ts';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { day } from '#shared/rules/dates.ts';
import { createLog } from '#server/platform/logs/log.ts';
import { startProduct, type Product, type StartOptions } from '#server/start.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createUser, type NewUser } from './factories.ts';
import { password } from './newcomer.ts';
import { holdPort } from './ports.ts';
import { testEnv } from './test-env.ts';

export type Agent = ReturnType<typeof request.agent>;
export type TestApp = Product & {
  url: string;
  database: TestDatabase;
  /** A signed-out browser, which keeps cookies. */
  agent(): Agent;
  /** A new user and their browser, signed in through HTTP. */
  signedIn(user?: NewUser): Promise<{ agent: Agent; user: Awaited<ReturnType<typeof createUser>> }>;
  /** A browser signed in as an existing user who has the factories' password. */
  signIn(email: string): Promise<{ agent: Agent }>;
};

/** Signs an existing user who has the factories' password in through HTTP. */
export async function signInAt(url: string, email: string): Promise<Agent> {
  const agent = request.agent(url);
  await agent.post('/api/login').send({ email, password }).expect(200);
  return agent;
}

/**
 * The real product on a database of its own and a real port, without pages. Jobs run only if `JOBS` is `on`, or when a
 * test drains the queue.
 */
export async function startTestApp(
  variables: Record<string, string> = {},
  existing?: TestDatabase,
  more: Partial<Pick<StartOptions, 'mount' | 'isPrepared' | 'pages' | 'log'>> = {},
): Promise<TestApp> {
  const database = existing ?? (await createTestDatabase());
  const { socket, port } = await holdPort();
  const env = testEnv({ PORT: String(port), JOBS: 'off', ...variables });
  const log = createLog(env);
  const product = await startProduct({
    env,
    databaseUrl: database.url,
    log,
    // A cheap hash, many sign-ins from one address, and no 503 because the machine is slow.
    passwordWork: { cost: 4, share: 100, limit: 200, deadlineMs: 30_000 },
    databasePatience: 8,
    socket,
    ...more,
  });
  // Days after today on which the tests begin, so that they can be run as on the last day of a month.
  const daysAhead = Number(process.env['TEST_DAYS_AHEAD'] ?? 0);
  if (daysAhead && !existing) await product.clock.advance(daysAhead * day);
  const url = `http://127.0.0.1:${port}`;
  const agent = () => request.agent(url);
  const signIn = async (email: string) => ({ agent: await signInAt(url, email) });
  return {
    ...product,
    url,
    database,
    agent,
    signIn,
    signedIn: async (details = {}) => {
      const user = await createUser(product.context, details);
      return { ...(await signIn(user.email)), user };
    },
    stop: async () => {
      await product.stop();
      if (!existing) await database.drop();
    },
  };
}

/** One such product for all tests of a file, started before them and stopped after them. */
export function testApp(variables: Record<string, string> = {}): TestApp {
  const app = {} as TestApp;
  beforeAll(async () => {
    Object.assign(app, await startTestApp(variables));
  });
  afterAll(() => app.stop());
  return app;
}

/**
 * A new product for each test. A day that passes costs as much as there are subscriptions in the database: those left by earlier tests
 * would be read from Stripe, renewed and notified about in every later one.
 */
export function freshTestApp(variables: Record<string, string> = {}): TestApp {
  const app = {} as TestApp;
  beforeEach(async () => {
    Object.assign(app, await startTestApp(variables));
  });
  afterEach(() => app.stop());
  return app;
}
