import type { Sql } from './queue-database.ts';

export type RetriedJob = { name: string; data: Record<string, unknown>; outcome: 'retried' | 'not_failed' };

export type SettledJob = { name: string; data: Record<string, unknown>; settled: boolean };

export type FailedJob = {
  id: string;
  name: string;
  data: Record<string, unknown>;
  error: string | null;
  attempts: number;
  failedAt: Date;
};

/** Jobs that failed their last attempt, newest first, without those whose work has been sent again since. */
export async function failedJobs(database: Sql, limit: number): Promise<FailedJob[]> {
  // Usually there are none, and each kind of job is a partition: planning the query below takes ten times as long as this one.
  const { rows: any } = await database.executeSql(`select 1 from pgboss.job where state = 'failed' limit 1`);
  if (any.length === 0) return [];
  const { rows } = await database.executeSql(
    `select id, name, data - 'traceparent' as data, output, retry_count, completed_on from pgboss.job as failed
     where state = 'failed' and not exists (
       select 1 from pgboss.job as later
       where later.name = failed.name and later.data - 'traceparent' = failed.data - 'traceparent' and later.created_on > failed.created_on
     )
     order by completed_on desc, id limit $1`,
    [limit],
  );
  return rows.map((row) => {
    const output = row['output'] as { message?: unknown; value?: { message?: unknown } } | null;
    const error = output?.message ?? output?.value?.message;
    return {
      id: String(row['id']),
      name: String(row['name']),
      data: (row['data'] ?? {}) as Record<string, unknown>,
      error: typeof error === 'string' ? error : null,
      attempts: Number(row['retry_count']) + 1,
      failedAt: row['completed_on'] as Date,
    };
  });
}

const dataOf = (row: Record<string, unknown>) => row['data'] as Record<string, unknown>;

/** Gives a failed job one more attempt; of two callers at once, only one succeeds. */
export async function retryFailed(database: Sql, id: string): Promise<RetriedJob | null> {
  const retried = await database.executeSql(
    `update pgboss.job set state = 'retry', retry_limit = retry_count + 1, start_after = now(), completed_on = null
     where id = $1 and state = 'failed' returning name, data`,
    [id],
  );
  const [row] = retried.rows;
  if (row) return { name: String(row['name']), data: dataOf(row), outcome: 'retried' };
  const { rows } = await database.executeSql('select name, data from pgboss.job where id = $1', [id]);
  return rows[0] ? { name: String(rows[0]['name']), data: dataOf(rows[0]), outcome: 'not_failed' } : null;
}

/** Ends a failed job without another attempt; of two callers at once, only one succeeds. */
export async function settleFailed(database: Sql, id: string): Promise<SettledJob | null> {
  const settled = await database.executeSql(
    `update pgboss.job set state = 'completed', completed_on = now() where id = $1 and state = 'failed' returning name, data`,
    [id],
  );
  const [row] = settled.rows;
  if (row) return { name: String(row['name']), data: dataOf(row), settled: true };
  const { rows } = await database.executeSql('select name, data from pgboss.job where id = $1', [id]);
  return rows[0] ? { name: String(rows[0]['name']), data: dataOf(rows[0]), settled: false } : null;
}
