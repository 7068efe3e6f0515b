import request from 'supertest';
import { expect, it } from 'vitest';
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
