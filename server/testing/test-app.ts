import { createServer } from 'node:net';
import request from 'supertest';
import { createLog } from '#server/platform/log.ts';
import { startProduct, type Product } from '#server/start.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createUser, type NewUser, password } from './factories.ts';
import { testEnv } from './test-env.ts';

export type Agent = ReturnType<typeof request.agent>;
export type TestApp = Product & {
  url: string;
  database: TestDatabase;
  /** A browser of nobody: keeps cookies. */
  agent(): Agent;
  /** A new user and their browser, signed in through HTTP. */
  signedIn(user?: NewUser): Promise<{ agent: Agent; user: Awaited<ReturnType<typeof createUser>> }>;
  /** The browser of an existing user with the factories' password. */
  signIn(email: string): Promise<{ agent: Agent }>;
};

/**
 * Ports of this worker's own, below those the system gives to outgoing connections: a port that was free when it was looked
 * at is still free when the product listens on it.
 */
const firstPort = 20_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 20) * 500;
let portsTaken = 0;

async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + (portsTaken++ % 500);
    const free = await new Promise<boolean>((resolve) => {
      const probe = createServer().once('error', () => resolve(false));
      probe.listen(port, () => probe.close(() => resolve(true)));
    });
    if (free) return port;
  }
}

/**
 * The real product on a database of its own and a real port, without pages. Jobs run only where `JOBS` is `on`, or when
 * a test drains the queue.
 */
export async function startTestApp(variables: Record<string, string> = {}, existing?: TestDatabase): Promise<TestApp> {
  const database = existing ?? (await createTestDatabase());
  const port = await freePort();
  const env = testEnv({ PORT: String(port), JOBS: 'off', ...variables });
  const product = await startProduct({ env, databaseUrl: database.url, log: createLog(env), passwordCost: 4 });
  const url = `http://127.0.0.1:${product.port}`;
  const agent = () => request.agent(url);
  const signIn = async (email: string) => {
    const browser = agent();
    await browser.post('/api/login').send({ email, password }).expect(200);
    return { agent: browser };
  };
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
