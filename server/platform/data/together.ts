import DataLoader from 'dataloader';
import { sql } from 'drizzle-orm';
import { type Db, keptUsWaiting } from './database.ts';
import { memoOf } from '../memo.ts';

/** More than one, so that a slow answer does not hold the others up. */
const queriesAtOnce = 2;

/**
 * A look-up whose callers share queries, as in group commit: those who ask at the same moment share one, and those who come while
 * queries are under way share the next. Nothing is kept: each caller gets what was read after they asked.
 */
export function sharing<Found, Key = string>(
  find: (keys: readonly Key[]) => Promise<(Found | Error | null)[]>,
  { atOnce = 200 } = {},
): (key: Key) => Promise<Found | null> {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  /** Why those who are waiting are refused without a query. */
  let refusal: Error | null = null;
  const loader = new DataLoader<Key, Found | null>(
    async (keys) => {
      if (refusal) throw refusal;
      underWay += 1;
      try {
        return await find(keys);
      } catch (error) {
        // If the database kept callers waiting, those in line behind them are refused too, instead of waiting once more.
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
 * Reads by a prepared query. `prepare` makes it for a database; it gets each key once, and leaves out those without a row.
 * If a key may have hundreds of rows, `atOnce` keeps a query short.
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

/** The keys that a query of `together` was asked for, as `asked`: each with its words as columns of these types, in order. */
export const askedWith = (columns: Record<string, 'uuid' | 'date' | 'timestamptz' | 'int'>) => {
  const words = Object.entries(columns).map(
    ([name, type], index) => `nullif(split_part(key, ' ', ${index + 1}), '')::${type} as ${name}`,
  );
  return sql`(select key, ${sql.raw(words.join(', '))} from unnest(${sql.placeholder('keys')}::text[]) key offset 0) asked`;
};
export const askedKey = sql<string>`asked.key`.as('asked_key');

/** The rows grouped by key, as `together` wants them if a key has several. */
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
 * Reads what everybody shares, such as the catalogue: those who ask at the same moment get the very same rows, which nobody
 * may change.
 */
export function oneForAll<Row>(prepare: (db: Db) => () => Promise<Row[]>) {
  const find = together((db) => {
    const read = prepare(db);
    return async () => [['', await read()] as const];
  });
  return async (db: Db): Promise<Row[]> => (await find(db, '')) ?? [];
}
