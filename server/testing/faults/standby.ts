import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import net from 'node:net';
import { type EmbeddedPostgres, ensurePostgres } from '#server/embedded-postgres/service.ts';
import { scratchFolder, withClient } from '../outside.ts';
import { listenLocally } from '../ports.ts';
import { administer, type Cluster, type Database, openDatabase, startCluster } from './postgres.ts';

type Standby = { port: number; promote(): Promise<void>; remove(): Promise<void> };

/** A second PostgreSQL that streams from the first. Its base backup is made without pg_basebackup, which npm does not bring. */
async function startStandby(primary: EmbeddedPostgres): Promise<Standby> {
  const home = scratchFolder('adviserly-standby-');
  const data = path.join(home, 'pg-standby');
  const { rows } = await withClient(primary.url, async (client) => {
    await client.query(`select pg_create_physical_replication_slot('standby', true)`);
    await client.query(`select pg_backup_start('standby', true)`);
    execFileSync('cp', ['-a', primary.dir, data]);
    return client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  });

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
async function startAddress(port: number) {
  let target = port;
  const listening = await listenLocally(
    net.createServer((socket) => {
      const onward = net.connect(target, '127.0.0.1').on('error', () => undefined);
      socket.on('close', () => onward.destroy()).pipe(onward);
      onward.on('close', () => socket.destroy()).pipe(socket);
    }),
  );
  return { ...listening, leadTo: (other: number) => void (target = other) };
}

/** A primary, its standby, and an address that leads to the primary at first; `promoted` asks the standby. All are gone afterwards. */
export async function withStandby(
  work: (world: {
    cluster: Cluster;
    database: Database;
    standby: Standby;
    address: { leadTo(port: number): void };
    promoted: Database;
    /** The database, at the address. */
    led: Database;
  }) => Promise<string>,
): Promise<string> {
  const cluster = await startCluster();
  const database = await cluster.create('failover');
  const standby = await startStandby(cluster.server());
  const address = await startAddress(cluster.server().port);
  const at = (port: number) => database.url.replace(/:\d+\//, `:${port}/`);
  const promoted = openDatabase(at(standby.port));
  try {
    return await work({ cluster, database, standby, address, promoted, led: { ...database, url: at(address.port) } });
  } finally {
    await promoted.close();
    await address.stop();
    await standby.remove();
    await cluster.remove();
  }
}
