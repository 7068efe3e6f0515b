import { ensurePostgres } from '#server/embedded-postgres/service.ts';

/** Starts a PostgreSQL from a process of its own, for the test that kills this process. */
const home = process.argv[2] ?? '';
const { pid, dir } = await ensurePostgres({ home, database: 'app', preferredPort: 0, fast: true });
process.send?.({ pid, dir });
setInterval(() => undefined, 60_000);
