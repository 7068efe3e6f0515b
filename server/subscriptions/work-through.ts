/** Rows that a job brings up to date, and how. */
export type Work<Row extends { id: string }> = {
  /** The rows that wait, most urgent first; asked again until it finds no new ones. */
  find(): Promise<Row[]>;
  work(row: Row): Promise<unknown>;
  /** A row that failed does not hold up the others; true ends the run. */
  failed(row: Row, error: unknown): Promise<boolean>;
  /** How many rows this run may take. */
  most: number;
  /** Real time, in milliseconds. */
  now(): number;
};

/** A run stops after this, in milliseconds of real time, and the next one goes on. */
const budgetMs = 20_000;
const atOnce = 5;

/** Works on rows batch by batch, some at once. */
export async function workThrough<Row extends { id: string }>({ find, work, failed, most, now }: Work<Row>) {
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
        if (outcome.status === 'rejected' && (await failed(row, outcome.reason))) return;
      }
    }
  }
}

/** So many runs, a minute apart, read every subscription once: twenty hours, so that a day has room for failed runs. */
const runsForAll = 20 * 60;
/** What a run may read at least: a small installation is read whole. */
const fewest = 50;

/** How many of `all` subscriptions one run reads again: all of them within a day, and never in a burst. */
export const shareOf = (all: number) => Math.max(fewest, Math.ceil(all / runsForAll));
