import net, { type AddressInfo } from 'node:net';
import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { CannotStart } from '../cannot-start.ts';
import { connectionShortage, refuseSharedSessions } from './database-address.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const message = (type: string, ...parts: (string | number | Buffer)[]) => {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(`${part}\0`);
      if (Buffer.isBuffer(part)) return part;
      const number = Buffer.alloc(4);
      number.writeInt32BE(part);
      return number;
    }),
  );
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const ready = (inside: boolean) => message('Z', Buffer.from(inside ? 'T' : 'I'));

type Mode = { keeps: 'session' | 'transaction'; refuses?: string };

/** Just enough of a pooler for the check: simple queries without values, answered by one of a few PostgreSQL connections. */
async function startPooler({ keeps, refuses }: Mode) {
  const idle: pg.Client[] = [];
  const all: pg.Client[] = [];
  const take = async () => {
    const known = idle.pop();
    if (known) return known;
    const made = new pg.Client({ connectionString: database.url });
    await made.connect();
    all.push(made);
    return made;
  };
  const server = net.createServer((socket) => {
    let held: pg.Client | undefined;
    let started = false;
    let inside = false;
    const answer = async (chunk: Buffer) => {
      if (!started) {
        started = true;
        if (refuses)
          return socket.end(
            message(
              'E',
              Buffer.from('SFATAL\0C08P01\0'),
              Buffer.from('M'),
              `unsupported startup parameter: ${refuses}`,
              Buffer.from('\0'),
            ),
          );
        return socket.write(Buffer.concat([message('R', 0), message('K', 4711, 1), ready(false)]));
      }
      if (chunk.toString('latin1', 0, 1) === 'X') return socket.end();
      const text = chunk.toString('utf8', 5, chunk.length - 1);
      const client = (held ??= await take());
      const { rows } = await client.query<Record<string, unknown>>(text);
      inside ||= text === 'begin';
      if (!inside && keeps === 'transaction') {
        idle.push(client);
        held = undefined;
      }
      const [row] = rows;
      if (row) {
        const [[name, value]] = Object.entries(row) as [[string, unknown]];
        const field = Buffer.from(`${name}\0`);
        socket.write(
          message(
            'T',
            Buffer.from([0, 1]),
            field,
            0,
            Buffer.from([0, 0]),
            23,
            Buffer.from([0, 4]),
            -1,
            Buffer.from([0, 0]),
          ),
        );
        const shown = Buffer.from(String(value));
        socket.write(message('D', Buffer.from([0, 1]), shown.length, shown));
      }
      return socket.write(Buffer.concat([message('C', row ? 'SELECT 1' : 'BEGIN'), ready(inside)]));
    };
    let last: Promise<unknown> = Promise.resolve();
    socket.on('data', (chunk: Buffer) => (last = last.then(() => answer(chunk)))).on('error', () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://app:x@127.0.0.1:${port}/x`,
    stop: async () => {
      server.close();
      await Promise.all(all.map((client) => client.end()));
    },
  };
}

it('the start takes PostgreSQL itself, and a pooler that keeps sessions', async () => {
  await refuseSharedSessions('DATABASE_URL', database.url);
  const pooler = await startPooler({ keeps: 'session' });
  await refuseSharedSessions('DATABASE_URL', pooler.url);
  await pooler.stop();
});

it('the start refuses a pooler that shares connections between sessions, and says which address to give', async () => {
  const pooler = await startPooler({ keeps: 'transaction' });
  await expect(refuseSharedSessions('DATABASE_URL', pooler.url)).rejects.toThrow(
    /^DATABASE_URL leads to a pooler .* give DATABASE_URL the address of PostgreSQL itself, or of a pool with pool_mode=session\.$/,
  );
  await pooler.stop();
});

it('the start explains what a pooler refuses', async () => {
  const pooler = await startPooler({ keeps: 'session', refuses: 'statement_timeout' });
  await expect(refuseSharedSessions('MIGRATION_DATABASE_URL', pooler.url)).rejects.toThrow(
    'MIGRATION_DATABASE_URL leads to a pooler that refuses the parameter "statement_timeout": take it out of the address',
  );
  await pooler.stop();
});

it.each([
  ['another password', (url: URL) => void (url.username = 'nobody-here'), /nobody-here|authentication/],
  ['a port where nothing listens', (url: URL) => void (url.port = '1'), /ECONNREFUSED/],
  ['a database that is not there', (url: URL) => void (url.pathname = '/elsewhere'), /"elsewhere" does not exist/],
])('the start says in one line, with the variable, that it can’t connect: %s', async (_what, change, reason) => {
  const url = new URL(database.url);
  url.searchParams.delete('host'); // by TCP, as in production
  change(url);
  const refused = (await refuseSharedSessions('DATABASE_URL', url.href).catch((error: unknown) => error)) as Error;
  expect(refused).toBeInstanceOf(CannotStart);
  expect(refused.message).toMatch(/^DATABASE_URL can't be reached: [^\n]+$/);
  expect(refused.message).toMatch(reason);
});

it('the start says when PostgreSQL takes too few connections', async () => {
  expect(await connectionShortage(database.url, 4)).toBeNull();
  expect(await connectionShortage(database.url, 1000)).toMatch(
    /^PostgreSQL takes \d+ connections, \d+ are open, and this server may open 1000 more: lower DATABASE_CONNECTIONS/,
  );
});
