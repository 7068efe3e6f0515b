import path from 'node:path';
import { ensurePostgres } from '#server/embedded-postgres/service.ts';
import { createDatabase, databaseErrorOf, type Db } from '#server/platform/data/database.ts';
import { loadEnv, type Env } from '#server/platform/env.ts';
import { createLog } from '#server/platform/logs/log.ts';
import { OperatorError } from './set-domain.ts';

/**
 * Runs an operator's command on this installation's database: DATABASE_URL, else the embedded Postgres, which a running
 * server may have started.
 */
export async function onOperatorDatabase<T>(work: (db: Db, env: Env, databaseUrl: string) => Promise<T>): Promise<T> {
  const env = loadEnv();
  const embedded = env.databaseUrl
    ? null
    : await ensurePostgres({ home: path.join(env.dataDir, 'postgres'), database: 'adviserly' });
  const databaseUrl = env.databaseUrl ?? embedded!.url;
  const db = createDatabase(databaseUrl, createLog({ logLevel: 'error' }), 1);
  try {
    return await work(db, env, databaseUrl);
  } catch (error) {
    const missingTable = databaseErrorOf(error)?.code === '42P01';
    throw missingTable ? new OperatorError('The database is empty: start Adviserly once, then try again.') : error;
  } finally {
    await db.$client.end();
    await embedded?.stop();
  }
}
