import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { createClock, realNow, type Clock } from './clock.ts';

const day = 86_400_000;
let database: TestDatabase;
let pool: Pool;
const clocks: Clock[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url });
});
afterAll(async () => {
  for (const clock of clocks) clock.close();
  await pool.end();
  await database.drop();
});

async function clock(movable: boolean): Promise<Clock> {
  const made = await createClock({ pool, movable });
  clocks.push(made);
  return made;
}

const ahead = (one: Clock) => Math.round(Math.abs(one.now().getTime() - realNow().getTime()) / day);

test('a moved clock moves every replica’s, now and later, and the fixed one never', async () => {
  const [first, second, fixed] = [await clock(true), await clock(true), await clock(false)];
  expect([first, second, fixed].map(ahead)).toEqual([0, 0, 0]);
  const [now] = await Promise.all([first.advance(30 * day), second.advance(day)]);
  expect(now.getTime()).toBeGreaterThan(realNow().getTime() + 29 * day);
  await first.refresh();
  expect(first.offsetMs()).toBe(31 * day);
  await vi.waitFor(() => expect(ahead(second)).toBe(31), { timeout: 5000, interval: 50 });
  expect(ahead(await clock(true))).toBe(31);
  expect(ahead(fixed)).toBe(0);
  await expect(fixed.advance(day)).rejects.toThrow('development only');
});

test('an answer that was on its way during a move does not set the clock back', async () => {
  let release: () => void = () => undefined;
  let held: Promise<void> | null = null;
  const slow = {
    query: async (text: string, values?: unknown[]) => {
      const answer = await pool.query(text, values);
      if (text.startsWith('select')) await held;
      return answer;
    },
  } as unknown as Pool;
  const movable = await createClock({ pool: slow, movable: true });
  clocks.push(movable);
  const before = movable.offsetMs();
  held = new Promise((resolve) => (release = resolve));
  const refreshed = movable.refresh();
  await pool.query('select 1'); // by now the refresh has read
  await movable.advance(day);
  release();
  await refreshed;
  expect(movable.offsetMs()).toBe(before + day);
});

test('time goes forward, by whole milliseconds', async () => {
  const movable = await clock(true);
  for (const ms of [-1, 0.5, Number.NaN, Infinity]) await expect(movable.advance(ms)).rejects.toThrow(RangeError);
});
