import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';

/** Works on a connection of its own to a database, past the product's. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A new empty folder that the account of PostgreSQL may read, where we are root. */
export function scratchFolder(prefix: string, parent = os.tmpdir()): string {
  const folder = fs.mkdtempSync(path.join(parent, prefix));
  fs.chmodSync(folder, 0o755);
  return folder;
}
