import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isProcessAlive, readPostmaster } from './process.ts';
import { ensurePostgres, type EmbeddedPostgres } from './service.ts';

let root: string;
const running: EmbeddedPostgres[] = [];

beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'embedded-postgres-'));
  fs.chmodSync(root, 0o755);
});

afterAll(async () => {
  for (const server of running) await server.stop();
  fs.rmSync(root, { recursive: true, force: true });
});

async function ensure(name: string, log?: (line: string) => void): Promise<EmbeddedPostgres> {
  const options = { home: path.join(root, name), database: 'app', preferredPort: 0, fast: true };
  const server = await ensurePostgres({ ...options, ...(log && { log }) });
  running.push(server);
  return server;
}

async function query(server: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: 'array' });
  await client.end();
  return rows.flat();
}

test('the first start makes a cluster, the second attaches, a kill -9 of the server loses nothing', async () => {
  const first = await ensure('one');
  expect(first.started).toBe(true);
  await query(first, 'create table kept as select 42 as answer');

  const second = await ensure('one');
  expect(second).toMatchObject({ started: false, pid: first.pid, port: first.port, url: first.url });
  expect(await second.stop()).toBe(false);
  expect(await query(second, 'select answer from kept')).toEqual([42]);

  await query(first, 'checkpoint');
  process.kill(first.pid, 'SIGKILL');
  const log: string[] = [];
  const third = await ensure('one', (line) => log.push(line));
  expect(third.started).toBe(true);
  expect(third.pid).not.toBe(first.pid);
  expect(await query(third, 'select answer from kept')).toEqual([42]);
  expect(await third.stop()).toBe(true);
  expect(await third.stop()).toBe(false);
});

test('of four simultaneous first starts one starts the server and the others attach', async () => {
  const servers = await Promise.all([1, 2, 3, 4].map(() => ensure('two')));
  expect(servers.filter((server) => server.started)).toHaveLength(1);
  expect(new Set(servers.map((server) => server.url)).size).toBe(1);
  expect(fs.readdirSync(path.join(root, 'two')).filter((name) => name.startsWith('pg-'))).toHaveLength(1);
});

test('a half-made cluster, a dead owner’s lock and a stale postmaster.pid do not stop a start', async () => {
  const first = await ensure('three');
  await first.stop();
  fs.writeFileSync(path.join(first.dir, 'postmaster.pid'), `${process.pid}\n${first.dir}\n0\n${first.port}\n`);
  fs.writeFileSync(path.join(root, 'three', 'lock'), '999999999');
  fs.mkdirSync(path.join(root, 'three', 'init-pg-half'));
  const log: string[] = [];
  const second = await ensure('three', (line) => log.push(line));
  expect(second.started).toBe(true);
  expect(log.join()).toContain('stale postmaster.pid');
});

test('kill -9 of the process that started the server stops the server', async () => {
  const home = path.join(root, 'four');
  const child = fork(path.join(import.meta.dirname, '../testing/start-postgres.ts'), [home], {
    execArgv: ['--import', 'tsx'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('It ended before PostgreSQL had started')));
  const [server] = (await Promise.race([once(child, 'message'), ended])) as [{ pid: number; dir: string }];
  expect(isProcessAlive(server.pid)).toBe(true);
  child.kill('SIGKILL');
  await vi.waitFor(() => expect(readPostmaster(server.dir)).toBeNull(), { timeout: 10_000, interval: 50 });
});
