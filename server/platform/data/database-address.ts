import pg from 'pg';
import { CannotStart } from '../cannot-start.ts';

/** What the queue opens besides the requests' connections: three for its statements, and one that listens. */
export const reservedConnections = 4;

/** How many further sessions to open: a pooler may have that many idle connections before it has to share ours. */
const TRIES = 6;

export function startClient(url: string, name = 'adviserly start'): pg.Client {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, application_name: name });
  client.on('error', () => undefined);
  return client;
}

/**
 * Throws if the address leads to a pooler that lends a session's connection to others between transactions: locks, settings, prepared
 * statements and notifications would reach the wrong session. PostgreSQL itself names the process that serves us when we connect; behind
 * a pooler we check whether one session's process turns up in another, or changes.
 */
export async function refuseSharedSessions(name: string, url: string): Promise<void> {
  const open: pg.Client[] = [];
  const connect = async () => {
    const client = startClient(url);
    open.push(client);
    await client.connect();
    return client;
  };
  const backend = async (client: pg.Client) =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
  try {
    const first = await connect();
    const ours = await backend(first);
    if (ours === (first as pg.Client & { processID?: number }).processID) return;
    for (let count = 1; count <= TRIES; count += 1) {
      const other = await connect();
      await other.query('begin');
      const theirs = await backend(other);
      if (theirs === ours || (await backend(first)) !== ours) throw new CannotStart(sharedSessions(name));
    }
  } catch (error) {
    throw explained(name, error);
  } finally {
    await Promise.all(open.map((client) => client.end().catch(() => undefined)));
  }
}

const sharedSessions = (name: string) =>
  `${name} leads to a pooler that shares connections between sessions (transaction or statement mode). Adviserly needs whole sessions, ` +
  `for locks, prepared statements and LISTEN: give ${name} the address of PostgreSQL itself, or of a pool with pool_mode=session.`;

/** What keeps us from connecting, in a line with the variable's name; PgBouncer's refusal of a parameter also says what to do. */
function explained(name: string, error: unknown): unknown {
  if (error instanceof CannotStart) return error;
  const parameter =
    error instanceof Error && /unsupported startup parameter(?: in options)?: (\w+)/.exec(error.message)?.[1];
  if (!parameter) return new CannotStart(`${name} can't be reached: ${reasonOf(error)}`);
  return new CannotStart(
    `${name} leads to a pooler that refuses the parameter "${parameter}": take it out of the address, or name it in the pooler's ignore_startup_parameters.`,
  );
}

/** A refused connection to several addresses of one host has its reason in each of them. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
};

/** A sentence if PostgreSQL can't take as many connections as this server may open on top of those already open; else null. */
export async function connectionShortage(url: string, own: number): Promise<string | null> {
  const client = startClient(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ allowed: number; used: number }>(
      `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed,
         (select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()) as used`,
    );
    const { allowed, used } = rows[0]!;
    if (used + own <= allowed) return null;
    return (
      `PostgreSQL takes ${allowed} connections, ${used} are open, and this server may open ${own} more: lower DATABASE_CONNECTIONS ` +
      'on every replica, raise max_connections, or put a pooler in between.'
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
