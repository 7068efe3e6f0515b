import { describe, expect, it } from 'vitest';
import { testApp } from '#server/testing/test-app.ts';

const token = 'a-token-of-the-monitoring';
const app = testApp({ METRICS_TOKEN: token, RELEASE: '1.4.0' });

const read = async () => (await app.agent().get('/metrics').set('authorization', `Bearer ${token}`).expect(200)).text;
const value = (text: string, line: string) =>
  Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length + 1),
  );

describe('GET /metrics', () => {
  it.each([
    ['no token', undefined],
    ['another token', 'Bearer another-token-of-nobody'],
    ['the token in another scheme', `Basic ${token}`],
    ['an empty one', 'Bearer '],
  ])('does not exist with %s', async (_name, authorization) => {
    const call = app.agent().get('/metrics');
    const answer = await (authorization ? call.set('authorization', authorization) : call).expect(404);
    expect(answer.body).toMatchObject({ code: 'not_found' });
  });

  it('says which release runs, as /healthz does', async () => {
    expect(value(await read(), 'adviserly_build_info{release="1.4.0"}')).toBe(1);
    await app.agent().get('/healthz').expect(200, { status: 'ok', release: '1.4.0' });
  });

  it('counts requests by method, route and status, and never labels them with an address', async () => {
    await app.agent().get('/api/tools').expect(200);
    await app.agent().get('/api/user').expect(401);
    await app.agent().get('/api/invitations/secret-token-of-a-link').expect(404);
    await app.agent().get('/api/made-up/by-a-scanner').expect(404);
    const text = await read();
    const count = (method: string, route: string, status: number) =>
      value(text, `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`);
    expect(count('GET', '/api/tools', 200)).toBe(1);
    expect(count('GET', '/api/user', 401)).toBe(1);
    expect(count('GET', 'other', 404)).toBeGreaterThanOrEqual(1);
    expect(text).not.toMatch(/secret-token|scanner/);
  });

  it('reports the event loop, the pool, the queue and the webhooks', async () => {
    const before = await read();
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'db_pool_connections', 'mails_unsent'])
      expect(value(before, name)).toBeGreaterThanOrEqual(0);
    expect(value(before, 'webhook_lag_seconds')).toBe(0);
    expect(value(before, 'queue_due')).toBe(0);
    await app.context.db.$client.query(
      `insert into stripe_events (id, type, occurred_at, received_at, status)
       values ('evt_1', 'x', now(), now() - interval '90 seconds', 'pending'), ('evt_2', 'x', now(), now(), 'parked')`,
    );
    await app.context.queue.send(app.context.db, 'follow-suspension', { userId: 'nobody' });
    const after = await read();
    expect(value(after, 'webhook_lag_seconds')).toBeGreaterThanOrEqual(90);
    expect(value(after, 'webhooks_parked')).toBe(1);
    expect(value(after, 'queue_due')).toBe(1);
  });
});
