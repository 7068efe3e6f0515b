import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import net, { type AddressInfo } from 'node:net';
import pg from 'pg';
import { type EmbeddedPostgres, ensurePostgres } from '#server/embedded-postgres/service.ts';
import { administer } from './postgres.ts';

export type Standby = { port: number; promote(): Promise<void>; remove(): Promise<void> };

/** A second PostgreSQL that streams from the first. Its base backup is made without pg_basebackup, which npm does not bring. */
export async function startStandby(primary: EmbeddedPostgres): Promise<Standby> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'adviserly-standby-'));
  fs.chmodSync(home, 0o755);
  const data = path.join(home, 'pg-standby');
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  await client.query(`select pg_create_physical_replication_slot('standby', true)`);
  await client.query(`select pg_backup_start('standby', true)`);
  execFileSync('cp', ['-a', primary.dir, data]);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();

  const owner = fs.statSync(data);
  const { username, password } = new URL(primary.url);
  const write = (name: string, text: string) => {
    const file = path.join(data, name);
    fs.appendFileSync(file, text);
    fs.chownSync(file, owner.uid, owner.gid);
  };
  fs.rmSync(path.join(data, 'postmaster.pid'), { force: true });
  for (const folder of ['pg_wal', 'pg_replslot'])
    for (const name of fs.readdirSync(path.join(data, folder)))
      fs.rmSync(path.join(data, folder, name), { recursive: true });
  write('backup_label', rows[0]!.labelfile);
  write('standby.signal', '');
  const from = `host=127.0.0.1 port=${primary.port} user=${username} password=${password} application_name=standby`;
  write('postgresql.auto.conf', `primary_conninfo = '${from}'\nprimary_slot_name = 'standby'\n`);

  const standby = await ensurePostgres({ home, database: 'postgres', preferredPort: 0 });
  return {
    port: standby.port,
    promote: () => administer(standby.url, 'select pg_promote()'),
    remove: async () => {
      await standby.stop();
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A database address that can be led elsewhere, as a managed database's can; connections already open stay where they are. */
export async function startAddress(port: number): Promise<{ port: number; leadTo(port: number): void; stop(): void }> {
  let target = port;
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const onward = net.connect(target, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(one);
          other.destroy();
        });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (other) => void (target = other),
    stop: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
