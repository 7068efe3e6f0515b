import request from 'supertest';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { createUser } from '#server/testing/factories.ts';
import { startTestApp } from '#server/testing/test-app.ts';

it('a server that is told to stop is not ready, answers for a while, and hangs up after each answer', async () => {
  const app = await startTestApp({ DRAIN_SECONDS: '5' });
  await request(app.url).get('/readyz').expect(200);
  const stopped = app.stop();
  await request(app.url).get('/readyz').expect(503, { status: 'stopping' });
  const { headers } = await request(app.url).get('/api/tools').set('connection', 'keep-alive').expect(200);
  expect(headers['connection']).toBe('close');
  await stopped;
  await expect(request(app.url).get('/healthz')).rejects.toThrow('ECONNREFUSED');
});

it('a server is not ready before it is prepared, and answers all the same', async () => {
  let isPrepared = false;
  const app = await startTestApp({}, undefined, { isPrepared: () => isPrepared });
  await request(app.url).get('/readyz').expect(503, { status: 'starting' });
  await request(app.url).get('/api/tools').expect(200);
  isPrepared = true;
  await request(app.url).get('/readyz').expect(200);
  await app.stop();
});

describe('production on a database with development’s demo accounts', () => {
  const production = {
    NODE_ENV: 'production',
    PAYMENTS: 'sandbox',
    SESSION_SECRET: 'start-0123456789-abcdefghij-klmnopqrstuv',
    LOG_LEVEL: 'silent',
    DRAIN_SECONDS: '0',
  };
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
    const app = await startTestApp({}, database);
    await createUser(app.context, { email: 'admin@demo.adviserly.example', isAdmin: true });
    await app.stop();
  });
  afterEach(() => database.drop());
  const starts = async (variables = {}) => {
    const app = await startTestApp({ ...production, ...variables }, database);
    await app.agent().get('/readyz').expect(200);
    return app;
  };

  it('does not start, and says what to do', async () => {
    await expect(startTestApp(production, database)).rejects.toThrow(/demo accounts.*DEMO_DATA=keep/);
  });

  it('starts where they are kept on purpose', async () => {
    await (await starts({ DEMO_DATA: 'keep' })).stop();
  });

  it.each([
    ['closed', `update users set closed_at = now()`],
    ['somebody else’s', `update users set email = 'demo@adviserly.example.com.au'`],
  ])('starts where they are %s', async (_what, change) => {
    const pool = new pg.Pool({ connectionString: database.url });
    await pool.query(change);
    await pool.end();
    await (await starts()).stop();
  });
});
