import { expect, test } from 'vitest';
import { testApp } from '#server/testing/test-app.ts';
import { limits } from './rate-limit.ts';

const app = testApp({ TRUST_PROXY: 'loopback' });

const tries = (from: (i: number) => string, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const answer = await app
        .agent()
        .post('/api/verify-email')
        .set('x-forwarded-for', from(i))
        .send({ token: 'x'.repeat(43) });
      return answer.status;
    }),
  );

test.each([
  ['with a port each time another', (i: number) => `203.0.113.4:${40_000 + i}`],
  ['IPv6 in brackets with a port', (i: number) => `[2001:db8:1:2::${i}]:${40_000 + i}`],
  ['IPv6 in brackets', (i: number) => `[2001:db8:1:3::${i}]`],
  ['behind what the caller claims itself', (i: number) => `198.51.100.${i}, 203.0.113.5:${40_000 + i}`],
])('the limits take a forwarded address for one caller: %s', async (_, from) => {
  const [most] = limits.tokenIp;
  const answers = await tries(from, most + 3);
  expect(answers.filter((status) => status === 429)).toHaveLength(3);
});
