import { ensurePostgres } from '#server/embedded-postgres/service.ts';

/** A process of its own that starts a server, for the test that kills it. */
const home = process.argv[2] ?? '';
const { pid, dir } = await ensurePostgres({ home, database: 'app', preferredPort: 0, fast: true });
process.send?.({ pid, dir });
setInterval(() => undefined, 60_000);
