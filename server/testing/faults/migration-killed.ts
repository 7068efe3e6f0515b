import { setTimeout as pause } from 'node:timers/promises';
import { call } from './people.ts';
import type { Database } from './postgres.ts';
import type { Scenario } from './scenario.ts';
import { launch, ready } from '../production-server.ts';
import { expect, random, until } from '../until.ts';

const killsEach = 2;

/** The whole schema: a line for each column, index and constraint. */
async function schemaOf(database: Database): Promise<Set<string>> {
  const rows = await database.query<{ line: string }>(
    `select line from (
       select concat_ws(' ', table_schema, table_name, column_name, data_type, column_default, is_nullable) as line
         from information_schema.columns where table_schema in ('public', 'drizzle', 'sandbox', 'pgboss')
       union all select concat_ws(' ', schemaname, indexdef) from pg_indexes where schemaname in ('public', 'sandbox', 'pgboss')
       union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
     ) everything`,
  );
  return new Set(rows.map(({ line }) => line));
}

/** The queue library makes a queue of its own when it begins to work, a moment after the server is ready. */
const working = (database: Database) =>
  until('the queue works', 10_000, () =>
    database.count(`select count(*) from pgboss.queue where name like '\\_\\_pgboss%'`),
  );

/** On an empty database the first two starts are killed at random, once they have connected; the third completes. */
export const migrationKilled: Scenario = {
  name: 'migration-killed',
  expected: 'killed half-way: the rerun completes the schema',
  short: true,
  fromNothing: true,
  run: async ({ cluster, database: whole, short, say }) => {
    const rounds = short ? 2 : 6;
    const reference = await launch(whole);
    const { port } = reference;
    const startMs = await ready(reference);
    await working(whole);
    await reference.stop();
    const schema = await schemaOf(whole);
    const migrations = await whole.count('select count(*) from drizzle.__drizzle_migrations');
    let halfWay = 0;

    for (let round = 1; round <= rounds; round += 1) {
      const database = await cluster.create(`migration_${round}`);
      for (let kill = 1; kill <= killsEach; kill += 1) {
        const server = await launch(database, { port });
        const connected = `select count(*) from pg_stat_activity where datname = current_database() and application_name like 'adviserly%'`;
        await until('it is connected', 20_000, async () => (await database.count(connected)) > 0, 2);
        await pause(random(kill === 1 ? 150 : startMs / 2));
        await server.kill();
        const done = await database.count('select count(*) from drizzle.__drizzle_migrations').catch(() => 0);
        if (done < migrations) halfWay += 1;
      }
      const server = await launch(database, { port });
      await ready(server);
      await until('the catalogue is served', 20_000, async () => (await call(server, '/api/tools')).ok);
      await working(database);
      await server.stop();
      const tools = await database.count('select count(*) from tools');
      expect(tools === (await whole.count('select count(*) from tools')), `${tools} tools in the catalogue`);
      const made = await schemaOf(database);
      const difference = [...schema]
        .filter((line) => !made.has(line))
        .concat([...made].filter((line) => !schema.has(line)));
      expect(
        difference.length === 0,
        `the schema differs from an undisturbed start's: ${difference.slice(0, 4).join('; ')}`,
      );
    }
    say(`${rounds * killsEach} kills, ${halfWay} of them before the last migration was committed`);
    expect(halfWay > 0, 'no kill met the migration');
    return `${rounds * killsEach} kills in ${rounds} first starts (${halfWay} before the last commit): every rerun complete, schema equal to an undisturbed one`;
  },
};
