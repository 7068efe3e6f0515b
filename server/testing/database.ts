import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { templateDatabase } from './global-setup.ts';

export type TestDatabase = { url: string; name: string; drop(): Promise<void> };

/** A database of one's own, copied from the migrated template in some 40 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const postgresUrl = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const maintenance = async (sql: string) => {
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await maintenance(`create database ${name} template ${templateDatabase}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return { url: url.href, name, drop: () => maintenance(`drop database ${name} with (force)`) };
}
