import type { Sql } from './queue-database.ts';

export type ChangedJob = { name: string; data: Record<string, unknown>; changed: boolean };

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

/** Changes a failed job; of several callers at once, one gets it `changed`. Null means no such job. */
async function changeFailed(database: Sql, id: string, change: string): Promise<ChangedJob | null> {
  const changed = await database.executeSql(
    `update pgboss.job set ${change} where id = $1 and state = 'failed' returning name, data`,
    [id],
  );
  const [row] = changed.rows;
  const { rows } = row ? changed : await database.executeSql('select name, data from pgboss.job where id = $1', [id]);
  const job = rows[0] as Pick<ChangedJob, 'name' | 'data'> | undefined;
  return job ? { name: job.name, data: job.data, changed: row !== undefined } : null;
}

export const retryFailed = (database: Sql, id: string) =>
  changeFailed(
    database,
    id,
    `state = 'retry', retry_limit = retry_count + 1, start_after = now(), completed_on = null`,
  );

export const settleFailed = (database: Sql, id: string) =>
  changeFailed(database, id, `state = 'completed', completed_on = now()`);
