import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import pg from 'pg';
import { type EmbeddedPostgres, ensurePostgres } from '#server/embedded-postgres/service.ts';
import { scratchFolder, withClient } from '../outside.ts';

/** The run's own PostgreSQL, apart from the servers that use it, so that it can be broken while they live. */
export type Cluster = {
  /** A new database: empty, or a copy of another to which nobody is connected. */
  create(name: string, copyOf?: string): Promise<Database>;
  /** Stops it as an operator does: connections are cut. */
  stop(): Promise<void>;
  /** Starts it again, on the same data and port; resolves when it answers. */
  start(): Promise<void>;
  /** Freezes all its processes with their sockets open; returns how to thaw them. */
  freeze(): () => void;
  /** Limits its files to so many bytes, for all its processes and those of new connections; null lifts the limit. */
  limitFiles(bytes: number | null): void;
  /** Where it runs. */
  server(): EmbeddedPostgres;
  /** Kills all its processes, as if the machine were gone. */
  kill(): void;
  /** Kills one connection's process; PostgreSQL then cuts all others and recovers by itself. */
  crash(): void;
  remove(): Promise<void>;
};

export type Database = {
  url: string;
  query<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]>;
  count(text: string, values?: unknown[]): Promise<number>;
  /** Takes locks by a statement in a transaction of its own; returns how to let go of them. */
  hold(text: string, values?: unknown[]): Promise<() => Promise<void>>;
  /** How many connections wait for a lock. */
  waiting(): Promise<number>;
  close(): Promise<void>;
};

const parentOf = (pid: number): number => {
  try {
    return Number(/\) \S (\d+)/.exec(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return 0; // it has just ended
  }
};
const childrenOf = (pid: number) =>
  fs
    .readdirSync('/proc')
    .map(Number)
    .filter((child) => child > 0 && parentOf(child) === pid);

export async function startCluster(): Promise<Cluster> {
  const home = scratchFolder('adviserly-faults-');
  const ensure = (database: string, port: number) => ensurePostgres({ home, database, preferredPort: port });
  let server: EmbeddedPostgres = await ensure('postgres', 0);
  await administer(server.url, 'alter system set fsync = off', 'select pg_reload_conf()'); // processes are killed here, not machines
  let killed = false;
  const databases: Database[] = [];
  const processes = () => [server.pid, ...childrenOf(server.pid)];
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processes()) if (fs.existsSync(`/proc/${pid}`)) process.kill(pid, name);
  };

  return {
    create: async (name, copyOf) => {
      if (copyOf) await administer(server.url, `create database ${name} template ${copyOf}`);
      const { url } = await ensure(name, server.port);
      const database = openDatabase(url);
      databases.push(database);
      return database;
    },
    stop: async () => void (await server.stop()),
    start: async () => {
      const { port } = server;
      server = await ensure('postgres', port);
      killed = false;
      if (server.port !== port) throw new Error(`PostgreSQL came back on port ${server.port} instead of ${port}`);
    },
    freeze: () => {
      signal('SIGSTOP');
      return () => signal('SIGCONT');
    },
    limitFiles: (bytes) => {
      for (const pid of processes()) {
        try {
          const { uid, gid } = fs.statSync(`/proc/${pid}`); // only the owner may, even where we are root
          execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:`], {
            uid,
            gid,
            stdio: 'pipe',
          });
        } catch (error) {
          if (fs.existsSync(`/proc/${pid}`)) throw error; // else it has just ended
        }
      }
    },
    server: () => server,
    kill: () => {
      signal('SIGKILL');
      killed = true;
    },
    crash: () => {
      const connection = childrenOf(server.pid).find((pid) =>
        fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('127.0.0.1'),
      );
      if (!connection) throw new Error('nobody is connected to PostgreSQL');
      process.kill(connection, 'SIGKILL');
    },
    remove: async () => {
      for (const database of databases) await database.close();
      if (!killed) await server.stop();
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Runs statements that can't be in a transaction, one after the other. */
export const administer = (url: string, ...statements: string[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/** Opens a database of the run's PostgreSQL, or any other that exists. */
export function openDatabase(url: string): Database {
  const pool = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 5000 });
  pool.on('error', () => undefined);
  const query = async <T extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
    (await pool.query<T>(text, values)).rows;
  const count = async (text: string, values?: unknown[]) =>
    Number(Object.values((await query(text, values))[0] ?? {})[0] ?? 0);
  return {
    url,
    query,
    count,
    hold: async (text, values) => {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => undefined);
      await client.connect();
      await client.query('begin');
      await client.query(text, values);
      return () => client.end();
    },
    waiting: () =>
      count(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
    close: async () => void (pool.ending || (await pool.end())),
  };
}
