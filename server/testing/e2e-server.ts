import './prepare-statements.ts';
import { openConsole } from '#server/dev/console.ts';
import { seedDemo } from '#server/dev/seed/demo.ts';
import { createLog } from '#server/platform/logs/log.ts';
import { builtPages } from '#server/site/pages.ts';
import { startProduct } from '#server/start.ts';
import { seedCatalogue } from '#server/catalogue/service.ts';
import { createTestDatabase, fillTemplate } from './database.ts';
import { withClient } from './outside.ts';
import { holdPort } from './ports.ts';
import { testEnv } from './test-env.ts';

/**
 * The product for the browser journeys: built pages, production's headers, a database of its own, the sandbox and the
 * development console. `DEMO_DATA=off` leaves it without people; `DEMO_LIFE=on` adds the demo's three months. Each journey
 * sends its own X-Forwarded-For, so that limits by address count it alone. Tells its parent its address, and ends with it.
 */
const { socket, port } = await holdPort();
const env = testEnv({
  PORT: String(port),
  TRUST_PROXY: 'loopback',
  DEMO_DATA: process.env['DEMO_DATA'] ?? 'on',
  ADMIN_SECOND_FACTOR: process.env['ADMIN_SECOND_FACTOR'] ?? 'off',
  FOUR_EYES: process.env['FOUR_EYES'] ?? 'off',
  LOG_LEVEL: 'warn',
  PARTNER_EMAIL_DOMAINS: 'partner.example',
});
const log = createLog(env);
const late = setTimeout(() => void sayWhatItWaitsFor(), 200_000);
const database = await createTestDatabase(
  env.demoData ? { name: 'template_demo', fill: (url) => fillTemplate(url, seedDemo) } : undefined,
);
const parts = await openConsole(env, log);
const product = await startProduct({
  env,
  databaseUrl: database.url,
  log,
  passwordWork: { cost: 6, deadlineMs: 30_000 },
  // A journey must not meet "busy" only because other work makes the machine slow.
  databasePatience: 8,
  socket,
  prepare: async (context) => {
    await seedCatalogue(context.db, parts.toolDomain);
    await parts.seed(context);
  },
  mount: (app, made) => parts.mount(app, made),
  pages: builtPages,
});

const stop = async () => {
  await parts.stop();
  await product.stop();
  await database.drop();
  process.exit(0);
};
if (process.env['DEMO_LIFE'] === 'on') await parts.live(product, () => false);
process.on('disconnect', () => void stop());
clearTimeout(late);
process.send?.(`http://localhost:${port}`);

/** For whoever reads why a journey's server was not there in time. If this is missing too, its modules were never loaded. */
async function sayWhatItWaitsFor(): Promise<void> {
  const busy = await withClient(process.env['TEST_POSTGRES_URL'] ?? '', (client) =>
    client.query(
      `select pid, datname, state, wait_event, now() - query_start as since, left(query, 200) as query
         from pg_stat_activity where state <> 'idle' order by query_start`,
    ),
  );
  process.stderr.write(`A journey’s server is not there after 200 seconds: ${JSON.stringify(busy.rows)}\n`);
}
