import type { Request } from 'express';
import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calledBy } from '#server/platform/context.ts';
import { knownDevice } from '#server/platform/http/known-device.ts';
import { runDueJobs } from '#server/jobs.ts';
import { stopToken } from '#server/platform/stop-links.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { password } from '#server/testing/newcomer.ts';
import { codeOf, enrolApp } from '#server/testing/second-factor.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { openSecret } from './factors/authenticator-codes.ts';

const older = 'kX9v-2mQz7_LrT4wYb8NcJ1sHd6FgPe3';
const newer = 'pF3w_8zKd1-QmV6tXs9LcB2hNj7RgYe4';

let database: TestDatabase;
const apps: TestApp[] = [];
const start = async (SESSION_SECRET: string) => {
  const app = await startTestApp({ SESSION_SECRET }, database);
  apps.push(app);
  return app;
};
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const app of apps) await app.stop();
  await database.drop();
});

const cookies = (answer: Response) => (answer.get('Set-Cookie') ?? []).map((line) => line.split(';')[0]!);
const user = (app: TestApp, cookie: string[]) => app.agent().get('/api/user').set('cookie', cookie.join('; '));
const unsubscribe = (app: TestApp, token: string) => app.agent().post(`/api/unsubscribe?token=${token}`);

describe('a new SESSION_SECRET', () => {
  it('signs nobody out and closes no link while the old one stands beside it; then the old one can go', async () => {
    const before = await start(older);
    const person = await before.signedIn();
    const { secret } = await enrolApp(person.agent);
    const login = (app: TestApp, cookie: string[] = []) =>
      app.agent().post('/api/login').set('cookie', cookie.join('; ')).send({ email: person.user.email, password });
    const code = (app: TestApp, cookie: string[], steps: number) =>
      app
        .agent()
        .post('/api/login/code')
        .set('cookie', cookie.join('; '))
        .send({ code: codeOf(secret, steps) });
    const half = cookies(await login(before).expect(200));
    const old = cookies(await code(before, half, 0).expect(200));
    const device = old.filter((cookie) => cookie.startsWith('device='));
    expect(device).toHaveLength(1);
    const oldLink = stopToken(before.context, 'unsubscribe', person.user.id);

    const between = await start(`${newer},${older}`);
    await user(between, old).expect(200);
    await unsubscribe(between, oldLink).expect(200);
    const waiting = cookies(await login(between, device).expect(200));
    const fresh = cookies(await code(between, [...waiting, ...device], 1).expect(200));
    const known = fresh.find((cookie) => cookie.startsWith('device='))!;
    expect(known.split('.')).toHaveLength(2); // the old signature is replaced, not kept beside
    expect(device).not.toContain(known);
    await runDueJobs(between.context);

    const after = await start(newer);
    await user(after, old).expect(401);
    await unsubscribe(after, oldLink).expect(400);
    await user(after, fresh).expect(200);
    await unsubscribe(after, stopToken(between.context, 'unsubscribe', person.user.id)).expect(200);
    const recognised = calledBy(after.context, { headers: { cookie: known }, socket: {}, ip: '192.0.2.1' } as Request);
    expect(knownDevice(recognised, person.user.email)).not.toBeNull();
    const factors = await after.context.db.$client.query<{ secret: string }>('select secret from second_factors');
    expect(factors.rows).toHaveLength(1);
    expect(openSecret(after.context, person.user.id, factors.rows[0]!.secret)).toBe(secret);
    expect(openSecret(before.context, person.user.id, factors.rows[0]!.secret)).toBeNull();
  });
});
