import DataLoader from 'dataloader';
import { type Db, keptUsWaiting } from './database.ts';
import { memoOf } from './memo.ts';

/** More than one, so that an answer that is long in coming does not hold the others up. */
const queriesAtOnce = 2;

/**
 * A look-up whose callers share one query: those who ask at the same moment, and those who come while its queries are on their way,
 * as group commit does. Nothing is kept: each caller gets what was read after they asked.
 */
export function sharing<Found, Key = string>(
  find: (keys: readonly Key[]) => Promise<(Found | Error | null)[]>,
  { atOnce = 200 } = {},
): (key: Key) => Promise<Found | null> {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  /** Why those that wait are not asked any more. */
  let refusal: Error | null = null;
  const loader = new DataLoader<Key, Found | null>(
    async (keys) => {
      if (refusal) throw refusal;
      underWay += 1;
      try {
        return await find(keys);
      } catch (error) {
        // Who waited behind others for a database that kept them waiting is told so, too, instead of waiting once more.
        if (keptUsWaiting(error)) refusal = error as Error;
        for (const begin of waiting.splice(0)) begin();
        refusal = null;
        throw error;
      } finally {
        underWay -= 1;
        waiting.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: atOnce,
      batchScheduleFn: (begin) => setImmediate(() => (underWay < queriesAtOnce ? begin() : waiting.push(begin))),
    },
  );
  return (key) => loader.load(key);
}

/**
 * The same by a prepared query. `prepare` makes it for a database; it gets each key once, and leaves out those without a row.
 * Where a key may have hundreds of rows, `atOnce` keeps a query short.
 */
export function together<Found>(
  prepare: (db: Db) => (keys: string[]) => Promise<Iterable<readonly [string, Found]>>,
  options?: { atOnce?: number },
) {
  const loaders = memoOf((db: Db) => {
    const find = prepare(db);
    return sharing<Found>(async (keys) => {
      const found = new Map(await find([...new Set(keys)]));
      return keys.map((key) => found.get(key) ?? null);
    }, options);
  });
  return (db: Db, key: string): Promise<Found | null> => loaders(db)(key);
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
