import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { checkOut } from '../older-checkout.ts';
import { password } from '../newcomer.ts';
import { scratchFolder } from '../outside.ts';
import { startServer, type Server } from '../production-server.ts';
import { project } from '../source-files.ts';
import { expect, until } from '../until.ts';
import { type Adviser, call, openSession, signUp } from './people.ts';
import type { Database } from './postgres.ts';
import { buyAndPay } from './purchases.ts';
import type { Scenario } from './scenario.ts';

/** The first release whose command knows the columns of today’s packs: one before it calls them changed. */
const commit = '7c1120be';

/** Builds that release in a folder of its own. */
export function buildOlder(): { command: string[]; verify: string; remove(): void } {
  const folder = checkOut(commit);
  execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: 'ignore' });
  return {
    command: [process.execPath, '--enable-source-maps', path.join(folder, 'dist/index.js')],
    verify: path.join(folder, 'dist/evidence/verify.cli.js'),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/** Signs in anew, which rewrites what the release keeps of the password. */
async function signIn(server: Server, adviser: Adviser): Promise<void> {
  const answer = await call(server, '/api/login', { body: { email: adviser.email, password } });
  expect(answer.ok, `${adviser.email}: signing in answered ${answer.status}: ${await answer.clone().text()}`);
  const [cookie] = answer.headers.getSetCookie().flatMap((line) => /^sid=[^;]+/.exec(line) ?? []);
  expect((await call(server, '/api/user', { cookie: cookie! })).ok, 'the new session does not hold');
}

async function open(server: Server, adviser: Adviser, toolId: string): Promise<void> {
  const answer = await call(server, '/api/auth/token', { body: { toolId }, cookie: adviser.cookie });
  expect(answer.ok, `opening ${toolId} answered ${answer.status}`);
}

/** Has an evidence pack made of a session of the adviser's; answers its id. */
async function makePack(server: Server, database: Database, adviser: Adviser): Promise<string> {
  await openSession(database, adviser, 'risk-profile-ai');
  const asked = await call(server, '/api/record/packs', { body: {}, cookie: adviser.cookie });
  const { id } = (await asked.json()) as { id: string };
  await until('the pack is made', 60_000, async () => (await fileOf(server, adviser, id, 'manifest')) !== null, 200);
  return id;
}

async function fileOf(server: Server, { cookie }: Adviser, id: string, file: string): Promise<Buffer | null> {
  const answer = await call(server, `/api/record/packs/${id}/${file}`, { cookie });
  return answer.ok ? Buffer.from(await answer.arrayBuffer()) : null;
}

/** Has a release's own command check the files of a pack that a server keeps, and ask that server whether it issued them. */
async function verify(program: string, server: Server, adviser: Adviser, id: string): Promise<void> {
  const folder = scratchFolder('adviserly-pack-');
  for (const [file, name] of [
    ['csv', 'pack.csv'],
    ['manifest', 'manifest.json'],
    ['pdf', 'pack.pdf'],
  ] as const)
    fs.writeFileSync(path.join(folder, name), (await fileOf(server, adviser, id, file))!);
  const files = fs.readdirSync(folder).map((name) => path.join(folder, name));
  const said = execFileSync(process.execPath, [program, ...files, '--issued-by', server.base], { encoding: 'utf8' });
  expect(!/CHANGED|NOT/.test(said), `the pack does not hold: ${said}`);
  fs.rmSync(folder, { recursive: true });
}

/** Whatever this release stores in a new form has to have been read by the release before: a rollback must lock nobody out. */
export const rollback: Scenario = {
  name: 'rollback',
  expected: `back from this release to ${commit} and forth again: people of both sign in, open tools, buy, and their packs hold`,
  // That release counts the business in tables that were dropped on the day they were replaced.
  logs: /note_invoice/,
  run: async ({ database, say }) => {
    const older = buildOlder();
    const newest = path.join(project, 'dist/evidence/verify.cli.js');
    try {
      const everybody: Adviser[] = [];
      const packs: [Adviser, string][] = [];
      const releases = [
        { name: 'this release', verifier: newest },
        { name: `back to ${commit}`, command: older.command, verifier: older.verify },
        { name: 'this release again', verifier: newest },
      ];
      const tools = ['fact-find-ai', 'file-note-ai', 'pre-fill-ai'] as const;
      for (const [index, { name, command, verifier }] of releases.entries()) {
        const server = await startServer(database, command ? { command } : {});
        for (const adviser of everybody) {
          await signIn(server, adviser);
          await open(server, adviser, 'risk-profile-ai');
          await buyAndPay(server, database, adviser, tools[index]!);
        }
        for (const [adviser, id] of packs) await verify(verifier, server, adviser, id);
        const adviser = await signUp(server, database);
        await signIn(server, adviser);
        await buyAndPay(server, database, adviser, 'risk-profile-ai');
        packs.push([adviser, await makePack(server, database, adviser)]);
        everybody.push(adviser);
        await server.stop();
        say(`${name}: ${everybody.length} people signed in, opened and bought; ${packs.length} packs`);
      }
      return `${everybody.length} people, ${packs.length} packs, none locked out`;
    } finally {
      older.remove();
    }
  },
};
