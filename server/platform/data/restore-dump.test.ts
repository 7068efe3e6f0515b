import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { restoreDump } from './restore-dump.ts';

/** As pg_dump 18 writes it. */
const dump = `--
-- PostgreSQL database dump
--

\\restrict hUv1

SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);

CREATE FUNCTION public.shout() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.name := upper(NEW.name);
  RETURN NEW;
END $$;


ALTER FUNCTION public.shout() OWNER TO somebody_else;

CREATE TABLE public.kept (
    id integer NOT NULL,
    name text
);


ALTER TABLE public.kept OWNER TO somebody_else;

--
-- Data for Name: kept; Type: TABLE DATA; Schema: public; Owner: somebody_else
--

COPY public.kept (id, name) FROM stdin;
1\tplain
2\ttab\\tline\\nback\\\\slash
3\t\\N
4\tline separator \u2028 and \u00e9
\\.


ALTER TABLE ONLY public.kept
    ADD CONSTRAINT kept_pkey PRIMARY KEY (id);

CREATE TRIGGER shouting BEFORE INSERT ON public.kept FOR EACH ROW EXECUTE FUNCTION public.shout();

GRANT SELECT ON TABLE public.kept TO somebody_else;

--
-- PostgreSQL database dump complete
--

\\unrestrict hUv1
`;

let database: TestDatabase;
let file: string;
beforeEach(async () => {
  database = await createTestDatabase();
  file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'dump-')), 'dump');
});
afterEach(async () => {
  fs.rmSync(path.dirname(file), { recursive: true });
  await database.drop();
});

it.for<[string, string | Buffer]>([
  ['plain', dump],
  ['gzipped', gzipSync(dump)],
])('the restore brings a %s dump back: values, functions, constraints', async ([, content]) => {
  fs.writeFileSync(file, content);
  await restoreDump(file, database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`insert into kept values (5, 'loud')`);
  const { rows } = await client.query({ text: 'select id, name from kept order by id', rowMode: 'array' });
  expect(rows).toEqual([
    [1, 'plain'],
    [2, 'tab\tline\nback\\slash'],
    [3, null],
    [4, 'line separator \u2028 and \u00e9'],
    [5, 'LOUD'],
  ]);
  await expect(client.query('insert into kept values (5, null)')).rejects.toThrow('kept_pkey');
  await client.end();
});

it.each([
  ['empty, as a refused pg_dump leaves it', 0],
  ['cut short among the rows', dump.indexOf('4\tline')],
  ['cut short between two statements', dump.indexOf('CREATE TRIGGER')],
])('the restore refuses a dump that is %s', async (_what, length) => {
  fs.writeFileSync(file, dump.slice(0, length));
  await expect(restoreDump(file, database.url)).rejects.toThrow('The dump is not whole');
});

it('the restore says so where it can’t read the dump', async () => {
  fs.writeFileSync(file, 'PGDMP broken');
  await expect(restoreDump(file, database.url)).rejects.toThrow(/pg_restore/);
  fs.writeFileSync(file, 'create table kept (id integer);\ncreate tabel;\n');
  await expect(restoreDump(file, database.url)).rejects.toThrow('syntax error');
});
