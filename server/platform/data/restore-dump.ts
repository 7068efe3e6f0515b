import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Statements about the other installation's roles, which need not exist here. */
const ofRoles = /^(ALTER .* OWNER TO .*|GRANT .*|REVOKE .*|ALTER DEFAULT PRIVILEGES .*);$/;

function startOf(file: string): string {
  const bytes = Buffer.alloc(5);
  const handle = fs.openSync(file, 'r');
  fs.readSync(handle, bytes, 0, 5, 0);
  fs.closeSync(handle);
  return bytes.toString('latin1');
}

/** The dump as SQL; to turn a custom one (`pg_dump -Fc`) into that, this machine needs pg_restore of the same version. */
function openDump(file: string): Readable {
  const start = startOf(file);
  if (start.startsWith('\x1f\x8b')) return fs.createReadStream(file).pipe(createGunzip());
  if (start !== 'PGDMP') return fs.createReadStream(file);
  const child = spawn('pg_restore', ['--no-owner', '--no-privileges', '--file=-', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const sql = new PassThrough();
  child.stdout.pipe(sql, { end: false });
  child.once('error', () =>
    sql.destroy(
      new Error('This dump needs pg_restore (package postgresql-client). One of pg_dump without -Fc needs nothing.'),
    ),
  );
  child.once('close', (code) =>
    code === 0 ? sql.end() : sql.destroy(new Error(`pg_restore ended with ${code ?? 'a signal'}`)),
  );
  return sql;
}

/** Only a line feed ends a line here; values may hold any other character. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    let begin = 0;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, begin)) {
      yield rest.toString('utf8', begin, end);
      begin = end + 1;
    }
    rest = rest.subarray(begin);
  }
  if (rest.length > 0) yield rest.toString('utf8');
}

/** With this line pg_dump and pg_restore end; a file that was cut short, or that a failed pg_dump left empty, has none. */
const lastLine = '-- PostgreSQL database dump complete';

/** Reads what pg_dump wrote (plain, gzipped or custom) into an empty database. Owners and rights are left out. */
export async function restoreDump(file: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let text = '';
  let rows: ReturnType<typeof copyFrom> | null = null;
  let isWhole = false;
  const flush = async () => {
    if (text.trim()) await client.query(text);
    text = '';
  };
  try {
    for await (const line of linesOf(openDump(file))) {
      if (rows && line === '\\.') {
        rows.end();
        await finished(rows);
        rows = null;
      } else if (rows) {
        if (!rows.write(`${line}\n`)) await once(rows, 'drain');
      } else if (/^COPY .* FROM stdin;$/.test(line)) {
        await flush();
        rows = client.query(copyFrom(line));
      } else if (line === lastLine) isWhole = true;
      else if (!line.startsWith('\\') && !ofRoles.test(line)) text += `${line}\n`; // psql's own commands begin with \
    }
    // Among its rows, the copy is still open when the connection ends.
    rows?.on('error', () => undefined);
    await flush();
    if (!isWhole) throw new Error('The dump is not whole: it does not end as pg_dump ends one. Did pg_dump fail?');
  } finally {
    await client.end();
  }
}
