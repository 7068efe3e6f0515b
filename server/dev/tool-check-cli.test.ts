import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childEnvironment } from '#server/platform/env.ts';
import { password } from '#server/testing/newcomer.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { developmentSecrets, developmentTools } from './seed/secrets.ts';
import { startSampleTool, type SampleTool } from './sample-tool/index.ts';
import { watchToolCalls } from './tool-calls.ts';
import { toolCheckRoutes } from './tool-check-routes.ts';

const here = import.meta.dirname;
const tool = 'file-note-ai';
let app: TestApp;
let sample: SampleTool;
let python: ChildProcess | undefined;
beforeAll(async () => {
  app = await startTestApp({}, undefined, {
    mount: (express, { context, server }) => express.use(toolCheckRoutes(context, watchToolCalls(server))),
  });
  const secretsOf = (id: string) => developmentSecrets(app.context.env, id);
  sample = await startSampleTool({ port: 0, host: '127.0.0.1', apiUrl: app.url, secretsOf, log: app.context.log });
  await developmentTools(app.context, sample.url);
});
afterAll(async () => {
  python?.kill();
  await sample.close();
  await app.stop();
});

/** Runs the command, alone in its folder, as a tool's developer does. */
const check = (args: string[], variables: Record<string, string> = { APP_URL: app.url }) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    execFile(
      process.execPath,
      ['cli.js', ...args],
      { cwd: path.join(here, '../developers/tool-check'), env: childEnvironment({ ...variables, NODE_OPTIONS: '' }) },
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
    expect(said).toContain('Nothing is wrong with what was examined. 2 could not be judged.');
    expect(said).toMatch(/unknown {2}The session’s cookie goes over https only/);
    expect(said).toMatch(/unknown {2}The tool’s address is encrypted\n +Not judged: the address is on this machine/);
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

  it.each([
    [[], {}, /^Usage/],
    [['ftp://tool'], {}, /^Usage/],
    [['http://localhost:1/', '--adviserly', 'http://127.0.0.1:1'], {}, /does not answer/],
    [['http://localhost:1/', '--tool', 'no-such'], undefined, /A development server: /],
  ] as [string[], Record<string, string> | undefined, RegExp][])(
    'can not run with %j',
    async (args, variables, sentence) => {
      const { code, said } = await check(args, variables);
      expect(said).toMatch(sentence);
      expect(code).toBe(2);
    },
  );
});

describe('the sample in Python', () => {
  it('is a right tool', async ({ skip }) => {
    if (spawnSync('python3', ['-c', 'import http.server']).status !== 0) skip('python3 is not on this machine');
    python = spawn('python3', ['tool.py'], {
      cwd: path.join(here, 'sample-tool/python'),
      env: childEnvironment({
        ADVISERLY_URL: app.url,
        TOOL_ID: tool,
        TOOL_SECRET: developmentSecrets(app.context.env, tool).secret,
        TOOL_SIGNING_SECRET: developmentSecrets(app.context.env, tool).signingSecret,
        PORT: '0',
        PYTHONDONTWRITEBYTECODE: '1',
      }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = (
      await new Promise<string>((resolve) => python!.stdout!.once('data', (text) => resolve(String(text))))
    ).split('\n');
    const { code, said } = await check([
      url!,
      '--tool',
      tool,
      '--finish',
      '/finish',
      '--wait',
      '5',
      '--events',
      `${url}events`,
    ]);
    expect(said).not.toContain('WRONG');
    expect(said).toContain('Nothing is wrong');
    expect(said).toMatch(/ok {7}An event that says so ends the session/);
    expect(code).toBe(0);
  });
});
