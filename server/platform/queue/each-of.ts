import { AppError } from '#server/platform/http/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';

/** A run stops after this, in milliseconds of real time, and the next one goes on. */
const budgetMs = 20_000;
const atOnce = 5;

/** Stripe is away or busy. */
export const isAway = (error: unknown) => error instanceof AppError && error.status === 503;

type Job<Row extends { id: string }> = {
  /** The rows that wait, most urgent first; asked again until it finds no new ones. */
  find(): Promise<Row[]>;
  work(row: Row): Promise<unknown>;
  /** What is logged of a row that failed. */
  fault: string;
  /** Looks at it last in the next run. */
  skip?: (row: Row) => Promise<unknown>;
  /** How many rows this run may take. */
  most?: number | undefined;
  /** Real time, in milliseconds. */
  now?: () => number;
};

/**
 * Works on rows as a job does, batch by batch, some at once: a failing one does not hold up the others; where Stripe is away or busy the
 * run ends.
 */
export async function eachOf<Row extends { id: string }>(
  { log }: Pick<Context, 'log'>,
  { find, work, fault, skip, most = Infinity, now = () => realNow().getTime() }: Job<Row>,
): Promise<void> {
  const until = now() + budgetMs;
  const seen = new Set<string>();
  while (now() < until && seen.size < most) {
    const rows = (await find()).filter((row) => !seen.has(row.id)).slice(0, most - seen.size);
    if (rows.length === 0) return;
    for (let i = 0; i < rows.length && now() < until; i += atOnce) {
      const some = rows.slice(i, i + atOnce);
      const outcomes = await Promise.allSettled(some.map(work));
      for (const [index, outcome] of outcomes.entries()) {
        const row = some[index]!;
        seen.add(row.id);
        if (outcome.status === 'fulfilled') continue;
        log.error({ err: outcome.reason as unknown, id: row.id }, fault);
        if (isAway(outcome.reason)) return;
        await skip?.(row);
      }
    }
  }
}
