import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { seedCatalogue } from '#server/catalogue/service.ts';
import type { Context } from '#server/platform/context.ts';
import { createLog } from '#server/platform/logs/log.ts';
import { migrateDatabase } from '#server/platform/data/migrate.ts';
import { withClient } from './outside.ts';
import { holdPort } from './ports.ts';
import { testEnv } from './test-env.ts';

export type TestDatabase = { url: string; name: string; drop(): Promise<void> };

/** What test databases are copied from: who first needs it fills it, once per run. */
export type Template = { name: string; fill(databaseUrl: string): Promise<void> };

/** Works on the run's PostgreSQL (run-postgres.ts) from outside every test database. */
const maintain = <T>(work: (client: pg.Client) => Promise<T>) =>
  withClient(process.env['TEST_POSTGRES_URL'] ?? '', work);

function urlOf(name: string): string {
  const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '');
  url.pathname = `/${name}`;
  return url.href;
}

/** Migrates an empty database and starts the product on it once, which makes the catalogue, the queues and the sandbox. */
export async function fillTemplate(
  databaseUrl: string,
  more: (context: Context) => Promise<void> = async () => undefined,
) {
  await migrateDatabase(databaseUrl);
  const { startProduct } = await import('#server/start.ts'); // only the one test file in hundreds that makes the template loads it
  const { socket, port } = await holdPort();
  const env = testEnv({ PORT: String(port), JOBS: 'off' });
  const product = await startProduct({
    env,
    databaseUrl,
    log: createLog(env),
    passwordWork: { cost: 6 },
    socket,
    prepare: async (context) => {
      await seedCatalogue(context.db);
      await more(context);
    },
  });
  await product.stop();
}

const plain: Template = { name: 'template_adviserly', fill: fillTemplate };

/** Whoever first needs the template makes it; the others wait. */
async function ensureTemplate(client: pg.Client, { name: template, fill }: Template): Promise<void> {
  const isThere = async () =>
    (await client.query('select 1 from pg_database where datname = $1 and datistemplate', [template])).rowCount === 1;
  if (await isThere()) return;
  await client.query('select pg_advisory_lock(1)'); // until the connection ends
  if (await isThere()) return;
  await client.query(`drop database if exists ${template}`);
  await client.query(`create database ${template}`);
  await fill(urlOf(template));
  await client.query(`alter database ${template} is_template true`);
}

/** A new database, copied from the migrated and seeded template in some 40 ms. */
export async function createTestDatabase(template = plain): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await maintain(async (client) => {
    await ensureTemplate(client, template);
    await client.query(`create database ${name} template ${template.name} strategy file_copy`);
  });
  return {
    url: urlOf(name),
    name,
    drop: () => maintain(async (client) => void (await client.query(`drop database ${name} with (force)`))),
  };
}
