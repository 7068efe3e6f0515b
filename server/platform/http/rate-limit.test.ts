import { describe, expect, it } from 'vitest';
import { testApp } from '#server/testing/test-app.ts';
import {
  clientAddress,
  consume,
  consumeByAddress,
  type LimitName,
  limits,
  refund,
  refundByAddress,
} from './rate-limit.ts';

const app = testApp();

const minute = 60;
const hour = 3600;
/** The limits agreed with the customer: [tries, seconds]. */
const agreed: Partial<Record<LimitName, [number, number]>> = {
  signInAddress: [10, 15 * minute],
  signInIp: [100, 15 * minute],
  registerIp: [10, hour],
  forgotAddress: [3, hour],
  tokenIp: [20, 15 * minute],
  purchaseUser: [60, minute],
  launchUserTool: [30, hour],
  invitesOwner: [40, 24 * hour],
  adminWrites: [60, minute],
};

describe.each(Object.entries(limits) as [LimitName, readonly [number, number]][])(
  'the limit %s, %j,',
  (name, [points, seconds]) => {
    const take = (who: string) => consume(app.context, name, who);

    it('is the agreed one', () => {
      expect([points, seconds]).toEqual(agreed[name] ?? [points, seconds]);
    });

    it('lets exactly that many through, also all at once, and says when to come back', async () => {
      const tries = await Promise.allSettled(Array.from({ length: points + 5 }, () => take('one')));
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(points);
      const error: unknown = await take('one').catch((fault: unknown) => fault);
      expect(error).toMatchObject({ code: 'rate_limited', status: 429 });
      const { retryAfterSeconds = 0 } = error as { retryAfterSeconds?: number };
      expect(retryAfterSeconds).toBeGreaterThan(seconds - 30);
      expect(retryAfterSeconds).toBeLessThanOrEqual(seconds);
      await take('another');
    });

    it('gives back what a success did not use, and starts again once the time is over', async () => {
      for (let i = 0; i < points; i += 1) await take('third');
      await refund(app.context, name, 'third');
      await take('third');
      await expect(take('third')).rejects.toMatchObject({ code: 'rate_limited' });
      await app.context.db.execute('update rate_limits set expire = 1');
      await take('third');
    });
  },
);

it('a key is a hash of what was typed, however long or hostile', async () => {
  await consume(app.context, 'forgotAddress', `${'x'.repeat(5000)}\0mia@practice.example`);
  const { rows } = await app.context.db.$client.query<{ key: string }>('select key from rate_limits');
  expect(rows.length).toBeGreaterThan(0);
  for (const { key } of rows) expect(key).toMatch(/^[a-zA-Z]+:[\w-]{43}$/);
});

describe('a limit', () => {
  const of = (ip: string, mode: 'development' | 'production') =>
    clientAddress({ ...app.context, env: { ...app.context.env, mode }, caller: { actorId: null, ip } });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:0DB8:0000::0001', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('counts %s in production as %s', (ip, address) => expect(of(ip, 'production')).toBe(address));

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('counts no calls of %s in development', (ip) =>
    expect(of(ip, 'development')).toBeNull(),
  );
});

describe('a limit by address, for IPv6,', () => {
  const from = (ip: string) => ({ ...app.context, caller: { actorId: null, ip } });
  const letThrough = async (addresses: string[]) => {
    let through = 0;
    for (const ip of addresses) {
      const taken = await consumeByAddress(from(ip), 'contactIp').then(
        () => 1,
        () => 0,
      );
      through += taken;
    }
    return through;
  };
  const networks = (make: (n: number) => string, many: number) => Array.from({ length: many }, (_, n) => make(n));

  it('gives the many /64 of one /56 four times the budget of one, and those of a /48 sixteen times', async () => {
    expect(await letThrough(networks((n) => `2001:db8:aaaa:${(0x100 + n).toString(16)}::1`, 60))).toBe(40);
    expect(await letThrough(networks((n) => `2001:db8:bbbb:${(n * 0x100).toString(16)}::1`, 200))).toBe(160);
    expect(await letThrough(['2001:db8:cccc::1'])).toBe(1);
  });

  it('gives back in each of them', async () => {
    const caller = from('2001:db8:dddd:1::1');
    for (let i = 0; i < 100; i += 1) {
      await consumeByAddress(caller, 'contactIp');
      await refundByAddress(caller, 'contactIp');
    }
  });
});
