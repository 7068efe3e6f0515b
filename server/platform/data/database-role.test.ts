import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { startTestApp } from '#server/testing/test-app.ts';
import { embeddedServerUrl } from './database-role.ts';
import { migrateDatabase } from './migrate.ts';

let database: TestDatabase;
let url: string;
let server: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  url = await embeddedServerUrl(database.url);
  await migrateDatabase(database.url, url);
  server = new pg.Client({ connectionString: url });
  await server.connect();
});
afterAll(async () => {
  await server.end();
  await database.drop();
});

describe('the role of the server', () => {
  it.each([
    'update audit_log set ip = null',
    'delete from audit_log',
    'truncate audit_log',
    'alter table audit_log disable trigger all',
    'drop trigger audit_log_append_only on audit_log',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
    "set session_replication_role = 'replica'",
    'drop table audit_log',
  ])('can’t touch the trail: %s', (statement) =>
    expect(server.query(statement)).rejects.toMatchObject({ code: '42501' }),
  );

  it('refreshes the figures of the business, without owning them', async () => {
    await server.query('select refresh_figures()');
    await expect(server.query('drop materialized view monthly_figures')).rejects.toMatchObject({ code: '42501' });
  });

  it('runs the whole product: somebody signs up, signs in and is recorded', async () => {
    const app = await startTestApp({ JOBS: 'on' }, { ...database, url });
    const { agent, user } = await app.signedIn();
    await agent.get('/api/user').expect(200);
    const { rows } = await server.query('select action from audit_log where subject_id = $1', [user.id]);
    expect(rows).toEqual([{ action: 'account.signed_in' }]);
    await app.stop();
  });
});
