import DataLoader from 'dataloader';
import type { Db } from './database.ts';
import { memoOf } from './memo.ts';

/**
 * A look-up by key whose callers share one query where they ask at the same moment. Nothing is cached, so that rights are read each
 * time. `prepare` makes the query for a database; it gets each key once, and leaves out those without a row. Where a key may
 * have hundreds of rows, `atOnce` keeps a query short.
 */
export function together<Found>(
  prepare: (db: Db) => (keys: string[]) => Promise<Iterable<readonly [string, Found]>>,
  { atOnce = 200 } = {},
) {
  const loaders = memoOf((db: Db) => {
    const find = prepare(db);
    return new DataLoader<string, Found | null>(
      async (keys) => {
        const found = new Map(await find([...new Set(keys)]));
        return keys.map((key) => found.get(key) ?? null);
      },
      { cache: false, maxBatchSize: atOnce, batchScheduleFn: setImmediate },
    );
  });
  return (db: Db, key: string): Promise<Found | null> => loaders(db).load(key);
}

/** The rows under each of their keys, as `together` wants them where a key has several. */
export function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/**
 * The same for what is one for everybody, such as the catalogue: whoever asks at the same moment gets the same rows, which nobody
 * may change.
 */
export function oneForAll<Row>(prepare: (db: Db) => () => Promise<Row[]>) {
  const find = together((db) => {
    const read = prepare(db);
    return async () => [['', await read()] as const];
  });
  return async (db: Db): Promise<Row[]> => (await find(db, '')) ?? [];
}
