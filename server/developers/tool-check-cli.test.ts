import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolScopes } from '#shared/rules/tools/tools.ts';
import { toolSecrets, tools } from '#shared/schema/tools.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { childEnvironment } from '#server/platform/env.ts';
import type { NewUser } from '#server/testing/factories.ts';
import { password } from '#server/testing/newcomer.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { developmentSecrets, developmentTools } from '#server/dev/seed/development-secrets.ts';
import { startSampleTool, type SampleTool } from '#server/dev/sample-tool/index.ts';
import { watchToolCalls } from '#server/dev/tool-calls.ts';
import { toolCheckRoutes } from '#server/dev/tool-check-routes.ts';

const checker = path.join(import.meta.dirname, 'tool-check');
const tool = 'file-note-ai';
let app: TestApp;
let sample: SampleTool;
beforeAll(async () => {
  app = await startTestApp({}, undefined, {
    mount: (express, { context }) => express.use(toolCheckRoutes(context, watchToolCalls(context))),
  });
  const secretsOf = (id: string) => developmentSecrets(app.context.env, id);
  sample = await startSampleTool({ port: 0, host: '127.0.0.1', apiUrl: app.url, secretsOf, log: app.context.log });
  await developmentTools(app.context, sample.url);
});
afterAll(async () => {
  await sample.close();
  await app.stop();
});

/** Runs the command, alone in its folder, as a tool's developer does. */
const check = (args: string[], variables: Record<string, string> = { APP_URL: app.url }) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    execFile(
      process.execPath,
      ['cli.js', ...args],
      { cwd: checker, env: childEnvironment({ ...variables, NODE_OPTIONS: '' }) },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, said: out + err }),
    );
  });

describe('npm run tools:check', () => {
  it('finds nothing wrong with the sample tool, and says what it could not judge', async () => {
    const { code, said } = await check([
      `${sample.url}/${tool}`,
      '--tool',
      tool,
      '--finish',
      `/${tool}`,
      '--wait',
      '5',
    ]);
    expect(said).not.toContain('WRONG');
    expect(said).toMatch(/Nothing is wrong with what was examined\. \d could not be judged\./);
    expect(said).toMatch(/unknown {2}The session’s cookie goes over https only/);
    expect(said).toMatch(/unknown {2}The tool’s addresses are encrypted\n +Not judged: the address is on this machine/);
    expect(said).toMatch(/ok {7}An event that comes twice/);
    expect(code).toBe(0);
  });

  it('says what is wrong and ends with 1', async () => {
    const { code, said } = await check([`${app.url}/healthz`, '--wait', '0'], { PORT: new URL(app.url).port });
    expect(said).toMatch(/WRONG {4}The token is exchanged\n +Your server did not ask Adviserly/);
    expect(said).toMatch(/\d+ of \d+ checks found something wrong/);
    expect(code).toBe(1);
  });

  it('examines with accounts where there is no development server', async () => {
    const { agent, user } = await app.signedIn({ freeAccessGranted: true });
    await agent.post('/api/create-subscription').send({ toolId: tool }).expect(200);
    const account = { ADVISERLY_EMAIL: user.email, ADVISERLY_PASSWORD: password };
    const url = `${sample.url}/${tool}`;
    const { code, said } = await check([url, '--adviserly', app.url, '--finish', `/${tool}`, '--wait', '5'], account);
    expect(said).not.toContain('WRONG');
    expect(said).toMatch(/ok {7}Usage is reported/);
    expect(said).toMatch(/unknown {2}No report is refused/);
    expect(code).toBe(0);
  });

  it('examines, in one file, a tool that is not published, as its test advisers', async () => {
    const { agent } = await app.signedIn();
    const wanted = {
      name: 'Built In CI',
      description: '',
      domain: 'http://localhost:9/',
      eventsUrl: '',
      scopes: [...toolScopes],
    };
    const made = (await agent.post('/api/developers/tools').send(wanted).expect(201)).body as {
      tool: { id: string };
      secret: string;
      signingSecret: string;
    };
    const { id } = made.tool;
    await agent.post(`/api/developers/tools/${id}/test-advisers`).expect(201);
    const own = { ...made, toolId: id };
    const built = await startSampleTool({
      port: 0,
      host: '127.0.0.1',
      apiUrl: app.url,
      secretsOf: () => own,
      log: app.context.log,
    });
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'check-'));
    await fs.writeFile(
      path.join(folder, 'tool-check.mjs'),
      (await app.agent().get('/api/docs/tool-check.mjs').redirects(1)).text,
    );
    const home = `${built.url}/${tool}`;
    const secrets = { TOOL_SECRET: made.secret, TOOL_SIGNING_SECRET: made.signingSecret };
    const places = ['--adviserly', app.url, '--finish', `/${tool}`, '--events', `${home}/events`];
    const { code, said } = await new Promise<{ code: number; said: string }>((resolve) => {
      const args = ['tool-check.mjs', home, '--tool', id, ...places];
      const env = childEnvironment({ ...secrets, NODE_OPTIONS: '' });
      execFile(process.execPath, args, { cwd: folder, env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, said: out + err }),
      );
    });
    await built.close();
    await fs.rm(folder, { recursive: true });
    expect(said).not.toContain('WRONG');
    expect(said).toMatch(/ok {7}An expired token opens nothing/);
    expect(said).toMatch(/ok {7}A name is text on the page/);
    expect(said).toMatch(/ok {7}An event that says so ends the session/);
    expect(said).toMatch(/unknown {2}Usage is reported/);
    expect(code).toBe(0);
  });

  it('tries a token of another tool that its advisers can open', async () => {
    const { db } = app.context;
    const open = { comingSoon: false, closedAt: null };
    await db
      .update(tools)
      .set({ ...open, closedAt: app.context.now() })
      .where(eq(tools.id, 'advice-writer-ai'));
    await db
      .update(tools)
      .set({ ...open, comingSoon: true })
      .where(eq(tools.id, 'fact-find-ai'));
    const id = 'lost-money-ai';
    const { code, said } = await check([`${sample.url}/${id}`, '--tool', id, '--finish', `/${id}`, '--wait', '5']);
    expect(said).toContain('ok       Another tool’s token opens nothing');
    expect(code).toBe(0);
  });

  it.each([
    [[], {}, /^Usage/],
    [['ftp://tool'], {}, /^Usage/],
    [['http://localhost:1/', '--adviserly', 'http://127.0.0.1:1'], {}, /does not answer/],
    [['http://localhost:1/', '--tool', 'no-such'], undefined, /A development server: /],
  ] as [string[], Record<string, string> | undefined, RegExp][])(
    'refuses to run with %j',
    async (args, variables, sentence) => {
      const { code, said } = await check(args, variables);
      expect(said).toMatch(sentence);
      expect(code).toBe(2);
    },
  );
});

it('names secrets that work, also of a tool added since the start, and none of a maker’s tool', async () => {
  const id = 'advice-writer-ai';
  const { user } = await app.signedIn();
  await app.context.db.delete(toolSecrets).where(eq(toolSecrets.toolId, id));
  await app.context.db.update(tools).set({ ownerId: user.id }).where(eq(tools.id, id));
  await app
    .agent()
    .post('/dev/tool-check')
    .send({ tool: id })
    .expect(404, /tool_not_found/);
  const stored = app.context.db.select().from(toolSecrets).where(eq(toolSecrets.toolId, id));
  expect(await stored).toEqual([]);
  await app.context.db.update(tools).set({ ownerId: null }).where(eq(tools.id, id));
  const { body } = await app.agent().post('/dev/tool-check').send({ tool: id }).expect(200);
  const asked = app.agent().post('/api/tools/introspect').auth(id, body.tool.secret).type('form').send({ token: 'x' });
  expect((await asked.expect(200)).body).toEqual({ active: false });
});

/** The samples that the guide links to, in an empty folder, as a maker saves them. */
async function copySamples(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'samples-'));
  const { text } = await app.agent().get('/api/docs/guide').expect(200);
  for (const [address, file] of text.matchAll(/\/api\/docs\/samples\/([\w./-]+)/g)) {
    await fs.mkdir(path.join(folder, path.dirname(file!)), { recursive: true });
    await fs.writeFile(path.join(folder, file!), (await app.agent().get(address).expect(200)).text);
  }
  return folder;
}

let copies: string;
beforeAll(async () => {
  copies = await copySamples();
});
afterAll(() => fs.rm(copies, { recursive: true }));

/** Node 20 can't run TypeScript by itself. */
const node = [process.execPath, '--import', import.meta.resolve('tsx')];
/** Each as a tool of its own, since a tool can be launched 30 times an hour. */
const samples = [
  { id: 'risk-profile-ai', command: [...node, 'tool.ts'], finish: '/risk-profile-ai', shows: /name|email|dealer/ },
  { id: 'pre-fill-ai', command: ['python3', 'python/tool.py'], finish: '/finish', shows: /name|email/ },
];

it('the samples import only each other and Node', async () => {
  const files = (await fs.readdir(copies)).filter((file) => file.endsWith('.ts'));
  expect(files).toEqual(expect.arrayContaining(['adviserly.ts', 'handler.ts', 'tool.ts']));
  for (const file of files) {
    const text = await fs.readFile(path.join(copies, file), 'utf8');
    const imports = [...text.matchAll(/(?:from|import) ?\(?'([^']+)'/g)].map(([, name]) => name!);
    expect(imports.filter((name) => !files.includes(name.slice(2)) && !name.startsWith('node:'))).toEqual([]);
  }
});

for (const { id, command, finish, shows } of samples)
  describe.skipIf(spawnSync(command[0]!, ['--version']).error)(`the copied ${command.at(-1)}`, () => {
    let running: ChildProcess;
    let url: string;
    beforeAll(async () => {
      const { secret, signingSecret } = developmentSecrets(app.context.env, id);
      running = spawn(command[0]!, command.slice(1), {
        cwd: copies,
        env: childEnvironment({
          ADVISERLY_URL: app.url,
          TOOL_ID: id,
          TOOL_SECRET: secret,
          TOOL_SIGNING_SECRET: signingSecret,
          PORT: '0',
          PYTHONDONTWRITEBYTECODE: '1',
          NODE_OPTIONS: '',
        }),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      url = await new Promise<string>((resolve, reject) => {
        running.stdout!.once('data', (text) => resolve(String(text).trim()));
        running.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
      });
    });
    afterAll(() => running.kill());

    it('passes the check', async () => {
      const addresses = ['--finish', finish, '--events', `${url.replace(/\/$/, '')}/events`];
      const { code, said } = await check([url, '--tool', id, '--wait', '5', ...addresses]);
      expect(said).not.toContain('WRONG');
      expect(said).toContain('Nothing is wrong');
      expect(said).toMatch(/ok {7}An event that says so ends the session/);
      expect(code).toBe(0);
    });

    /** Opens the tool as an adviser; returns their account and what their browser sends from then on. */
    async function arrive(person: NewUser) {
      const { agent, user } = await app.signedIn({ ...person, freeAccessGranted: true });
      await agent.post('/api/create-subscription').send({ toolId: id }).expect(200);
      const { body } = await agent.post('/api/auth/token').send({ toolId: id }).expect(200);
      const arrival = await fetch(`${url}?auth_token=${body.token}`, { redirect: 'manual' });
      const page = new URL(arrival.headers.get('location')!, url);
      return { user, page, headers: { cookie: arrival.headers.get('set-cookie')!.split(';')[0]! } };
    }

    it('says so when its call fails, and reports the session when asked again', async () => {
      const { user, headers } = await arrive({});
      const press = async () => {
        const form = new URLSearchParams({ minutes: '7', actions: '1' });
        const answer = await fetch(new URL(finish, url), { method: 'POST', headers, body: form, redirect: 'manual' });
        return { status: answer.status, text: await answer.text() };
      };
      const secrets = app.context.db.update(toolSecrets);
      await secrets.set({ revokedAt: app.context.now() }).where(eq(toolSecrets.toolId, id));
      expect(await press()).toMatchObject({ status: 502, text: expect.stringContaining('Adviserly did not answer') });
      await secrets.set({ revokedAt: null }).where(eq(toolSecrets.toolId, id));
      expect((await press()).status).toBeLessThan(400);
      const used = app.context.db.select({ seconds: toolUsage.durationSeconds }).from(toolUsage);
      expect(await used.where(eq(toolUsage.userId, user.id))).toEqual([{ seconds: 420 }]);
    });

    it.each([{ scopes: [] }, ...toolScopes.map((scope) => ({ scopes: [scope] })), { scopes: [...toolScopes] }])(
      'welcomes an adviser of whom it is told $scopes',
      async ({ scopes }) => {
        await app.context.db.update(tools).set({ scopes }).where(eq(tools.id, id));
        const { user, page: address, headers } = await arrive({ firstName: 'Mei <b>', dealerGroup: 'Harbour & Co' });
        const answer = await fetch(address, { headers });
        const page = await answer.text();
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
        const texts = { name: 'Welcome, Mei &lt;b&gt;', email: user.email, dealer_group: 'Harbour &amp; Co' };
        const seen = Object.entries(texts).flatMap(([scope, text]) => (page.includes(text) ? [scope] : []));
        expect(seen).toEqual(scopes.filter((scope) => shows.test(scope)));
        expect(page).not.toMatch(/undefined|None|null|, *<\//);
      },
    );
  });
