import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { createStripe } from '#server/platform/payments.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { eachOf } from '#server/platform/queue/each-of.ts';
import { createLog } from '#server/platform/logs/log.ts';
import { untilHeard } from '#server/stripe/ask.ts';
import { testEnv } from '#server/testing/test-env.ts';
import { readEachMinute } from './work-through.ts';

const { errors } = createStripe({ secretKey: 'sk_test_simulated' }).constructor as typeof Stripe;
const log = createLog(testEnv());
const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

/** Time that passes only where somebody waits for it. */
function simulatedTime() {
  let now = 0;
  let timers: { at: number; wake: () => void }[] = [];
  const wait = (ms: number) => new Promise<void>((wake) => void timers.push({ at: now + ms, wake }));
  /** Lets time pass until the work is done. */
  const live = async (work: Promise<unknown>) => {
    let done = false;
    void work.finally(() => (done = true));
    for (;;) {
      await new Promise(setImmediate);
      if (done) return work;
      now = Math.min(...timers.map(({ at }) => at));
      const due = timers.filter(({ at }) => at === now);
      timers = timers.filter(({ at }) => at > now);
      for (const { wake } of due) wake();
    }
  };
  return { now: () => now, wait, live, until: (at: number) => (now = Math.max(now, at)) };
}

/** A provider that takes 300 ms to answer and 25 requests a second, some of which purchases use. */
function slowProvider(time: ReturnType<typeof simulatedTime>, taken: number) {
  const counts = { most: 0, refused: 0 };
  let [current, used] = [0, 0];
  return {
    counts,
    async read() {
      const now = Math.floor(time.now() / second);
      used = now === current ? used + 1 : 1;
      current = now;
      if (used > 25 - taken) {
        counts.refused += 1;
        throw new errors.StripeRateLimitError({ message: '429', type: 'invalid_request_error' });
      }
      counts.most = Math.max(counts.most, used);
      await time.wait(300);
    },
  };
}

describe('100,000 subscriptions at a provider of 300 ms and 25 requests a second', () => {
  it.each([
    ['all to itself', 0],
    ['of which purchases take 20', 20],
  ])('are each read within a day: %s', async (_name, taken) => {
    const time = simulatedTime();
    const provider = slowProvider(time, taken);
    const rows = Array.from({ length: 100_000 }, (_, i) => ({ id: String(i), readAt: -1 }));
    const waiting = [...rows];
    let oldest = 0;
    let runs = 0;
    for (; rows[rows.length - 1]!.readAt < 0 || oldest < rows.length; runs += 1) {
      time.until(runs * minute);
      await time.live(
        eachOf(
          { log },
          {
            find: async () => waiting.slice(oldest, oldest + 50),
            async work(row) {
              await untilHeard(provider.read, time.wait).catch((cause: unknown) => {
                throw new AppError('payment_provider_unavailable', { cause });
              });
              row.readAt = time.now();
              while (oldest < rows.length && rows[oldest]!.readAt >= 0) oldest += 1;
            },
            fault: 'a row could not be read',
            most: readEachMinute,
            now: time.now,
          },
        ),
      );
    }
    expect(Math.max(...rows.map(({ readAt }) => readAt))).toBeLessThan(day);
    expect(provider.counts.most).toBeLessThanOrEqual(25 - taken);
    if (taken === 0) expect(provider.counts.refused).toBe(0);
    else expect(provider.counts.refused).toBeGreaterThan(0);
  });
});
