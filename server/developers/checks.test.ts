import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OwnToolDetails, ToolCheck } from '#shared/api/developers.ts';
import { minute, plus } from '#shared/rules/dates.ts';
import { toolChecks } from '#shared/schema/tools.ts';
import { administrator } from '#server/testing/administrator.ts';
import { listenLocally } from '#server/testing/ports.ts';
import { rowsOf } from '#server/testing/purchases.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';
import { openings } from './testing/tools-under-check/wrong-refusals.ts';
import { type Otherwise, redirect, RightTool, startTool } from './testing/tools-under-check/right-tool.ts';
import { publicLookup } from '#server/platform/http/outgoing.ts';
import { runCheck } from './run-check.ts';
import { ask } from './tool-check/http.js';

const app = testApp();
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  admin = await administrator(app);
});
const closing: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

const base = '/api/developers/tools';
type Made = { tool: { id: string }; secret: string; signingSecret: string };
const codeOf = (answer: { body: unknown }) => (answer.body as { code: string }).code;

/** A stranger's tool, registered and running. */
async function tool(otherwise: Otherwise = {}, secretOf = (secret: string) => secret) {
  const { agent } = await app.signedIn();
  const us = { apiUrl: app.url, toolId: '', secret: '', signingSecret: '' };
  const server = Object.assign(new RightTool(us, us), otherwise);
  const { url, close } = await startTool(server);
  closing.push(close);
  const domain = url.replace('127.0.0.1', 'localhost');
  const named = { name: 'Fee Finder AI', description: 'Finds fees.', scopes: ['name', 'email'] };
  const made = (
    await agent
      .post(base)
      .send({ ...named, domain, eventsUrl: `${domain}events` })
      .expect(201)
  ).body as Made;
  Object.assign(us, { toolId: made.tool.id, secret: secretOf(made.secret), signingSecret: made.signingSecret });
  return { agent, path: `${base}/${made.tool.id}`, id: made.tool.id };
}
type Tool = Awaited<ReturnType<typeof tool>>;
const detailsOf = async ({ agent, path }: { agent: Agent; path: string }) =>
  (await agent.get(path).expect(200)).body as OwnToolDetails;
const begin = ({ agent, path }: Tool, finish = '/finish') => agent.post(`${path}/check`).send({ page: '', finish });
async function checked(one: Tool, finish?: string): Promise<ToolCheck> {
  await begin(one, finish).expect(200);
  await app.context.queue.drain();
  return (await detailsOf(one)).check!;
}
const withResult = (check: ToolCheck, result: string) =>
  Object.fromEntries(check.findings.filter((one) => one.result === result).map(({ id, advice }) => [id, advice]));

describe('the check of a tool', () => {
  it('finds nothing wrong with a right one, as its test advisers, and shows that to administrators', async () => {
    const one = await tool();
    expect((await detailsOf(one)).check).toBeNull();
    const check = await checked(one);
    expect(withResult(check, 'wrong')).toEqual({});
    expect(Object.keys(withResult(check, 'unknown')).toSorted()).toEqual(['encrypted', 'expires', 'framed', 'secure']);
    expect(check).toMatchObject({ state: 'finished', fault: null, finish: '/finish', total: check.findings.length });
    const { launches, testAdvisers } = await detailsOf(one);
    expect(testAdvisers).toHaveLength(2);
    expect(launches.some(({ reports, who }) => reports === 1 && who === 'Alex Nguyen')).toBe(true);
    expect(launches.every(({ fromCheck }) => fromCheck)).toBe(true);
    await vi.waitFor(
      async () => {
        const { refusals } = await detailsOf(one);
        expect(refusals.map(({ duringCheck }) => duringCheck)).toContain(true);
      },
      { timeout: 20_000, interval: 200 },
    );
    expect(await rowsOf(app, 'select calls from tool_checks where calls <> $1', ['[]'])).toEqual([]);
    await one.agent.post(`${one.path}/publication`).expect(200);
    const requests = (await admin.agent.get('/api/admin/tool-requests').expect(200)).body as {
      id: string;
      check: ToolCheck;
    }[];
    expect(requests.find(({ id }) => id === one.id)?.check.findings).toEqual(check.findings);
  });

  it('quotes what a wrong tool was refused for, and says who gets in', async () => {
    const one = await tool({
      ...openings[0]![1],
      report({ launch: { session_id } }) {
        return this.send([{ event_id: 'one', session_id, duration_seconds: -5 }]);
      },
    });
    const wrong = withResult(await checked(one), 'wrong');
    expect(Object.keys(wrong).toSorted()).toEqual(['expired', 'foreign', 'madeUp', 'refused', 'reported', 'used']);
    expect(wrong['madeUp']).toMatch(/what only a session should show/);
    expect(wrong['refused']).toContain('out_of_range (duration_seconds). Too small: expected number to be >=0');
  });

  it('tells of a wrong secret, and so does the log of refused calls, in one row a minute', async () => {
    const one = await tool({}, () => 'of another tool');
    const wrong = withResult(await checked(one), 'wrong');
    expect(wrong['exchanged']).toMatch(/answered your introspection with 401/);
    await vi.waitFor(
      async () => {
        const { refusals } = await detailsOf(one);
        expect(refusals.length).toBeGreaterThan(0);
        expect(refusals.length).toBeLessThanOrEqual(2);
        expect(refusals[0]).toMatchObject({ kind: 'secret', message: 'The secret is none of your tool.' });
        // Whoever does not exchange the first token is asked nothing more.
        expect(refusals.reduce((sum, { times }) => sum + times, 0)).toBe(1);
      },
      { timeout: 20_000, interval: 200 },
    );
  });

  it('leaves reports open where nobody says how a session is finished', async () => {
    const check = await checked(await tool(), '');
    expect(withResult(check, 'wrong')).toEqual({});
    expect(withResult(check, 'unknown')['reported']).toMatch(/name the address that finishes one/);
    expect(check.total).toBe(check.findings.length);
  });

  it('is for the maker alone, one at a time, and for tools that are not published', async () => {
    const one = await tool();
    const stranger = (await app.signedIn()).agent;
    expect(codeOf(await begin({ ...one, agent: stranger }).expect(404))).toBe('tool_not_found');
    expect(codeOf(await begin({ ...one, agent: admin.agent }).expect(404))).toBe('tool_not_found');
    const { fields } = (await begin(one, 'https://elsewhere.example/').expect(400)).body as { fields: object };
    expect(Object.keys(fields)).toEqual(['finish']);
    const answers = await Promise.all([begin(one), begin(one), begin(one)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect((await detailsOf(one)).check).toMatchObject({ state: 'waiting', findings: [] });
    await app.context.queue.drain();
    expect((await detailsOf(one)).check).toMatchObject({ state: 'finished' });
    await rowsOf(app, 'update tools set is_active = true where id = $1', [one.id]);
    expect(codeOf(await begin(one).expect(409))).toBe('no_staging');
  });

  it('runs once at a time for each maker, also when asked at once, and says how many are before it', async () => {
    const one = await tool();
    const { id } = (
      await one.agent
        .post(base)
        .send({
          name: 'Second',
          description: 'It waits.',
          domain: 'http://localhost:1/',
          eventsUrl: '',
          scopes: ['name'],
        })
        .expect(201)
    ).body.tool as { id: string };
    const second = { ...one, id, path: `${base}/${id}` };
    const answers = await Promise.all([begin(one), begin(second)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(codeOf(answers.find(({ status }) => status === 409)!)).toBe('maker_checks');
    const other = await tool();
    await begin(other).expect(200);
    expect((await detailsOf(other)).check).toMatchObject({ state: 'waiting', ahead: 1 });
    await app.context.queue.drain();
    expect((await detailsOf(other)).check).toMatchObject({ state: 'finished', ahead: 0 });
    await begin(second).expect(200);
    await app.context.queue.drain();
  });

  it('needs a test adviser who may open the tool', async () => {
    const one = await tool();
    for (let i = 1; i < 5; i += 1) await one.agent.post(`${one.path}/test-advisers`).expect(201);
    for (const { id } of (await detailsOf(one)).testAdvisers)
      await one.agent.post(`${one.path}/test-advisers/${id}/access`).send({ ended: 'cancelled' }).expect(200);
    expect(codeOf(await begin(one).expect(409))).toBe('test_adviser_needed');
  });

  it('says so where nobody may open the tool any more once its turn comes', async () => {
    const one = await tool();
    await begin(one).expect(200);
    for (const { id } of (await detailsOf(one)).testAdvisers)
      await one.agent.post(`${one.path}/test-advisers/${id}/access`).send({ ended: 'cancelled' }).expect(200);
    await app.context.queue.drain();
    expect((await detailsOf(one)).check).toMatchObject({
      state: 'stopped',
      fault: expect.stringContaining('test adviser'),
    });
  });

  it('says so where it was cut off, and can run again', async () => {
    const one = await tool();
    const run = randomUUID();
    const ago = plus(new Date(), -minute);
    await app.context.db
      .insert(toolChecks)
      .values({ toolId: one.id, run, domain: 'http://localhost/', requestedAt: ago, startedAt: ago, aliveAt: ago });
    expect((await detailsOf(one)).check).toMatchObject({ state: 'stopped', fault: expect.stringContaining('cut off') });
    await runCheck(app.context, run);
    const [row] = await app.context.db.select().from(toolChecks).where(eq(toolChecks.toolId, one.id));
    expect(row?.finishedAt).not.toBeNull();
    expect((await checked(one)).state).toBe('finished');
  });

  it.each<[string, Otherwise, RegExp]>([
    [
      'sends the browser to an address that is none',
      { welcome: (at) => redirect(at, 'http://[') },
      /address that is none/,
    ],
    [
      'moves to an address that is none after a stranger chose one',
      { refuse: (at) => redirect(at, 'https://%') },
      /address that is none/,
    ],
    [
      'writes what is no UTF-8 into a cookie',
      { key: () => `%ff${randomUUID()}`, cookie: (key) => `sid=${key}; Path=/; HttpOnly` },
      /has no SameSite/,
    ],
  ])('ends where a tool %s', async (_what, otherwise, advice) => {
    const check = await checked(await tool(otherwise));
    expect(check).toMatchObject({ state: 'finished', fault: null });
    expect(Object.values(withResult(check, 'wrong')).join(' ')).toMatch(advice);
  });

  it('is stopped over a page that can’t be read', async () => {
    const one = await tool({
      show: ({ res }) => res.setHeader('content-type', 'text/html').end('<script '.repeat(200_000)),
    });
    const check = await checked(one);
    expect(check).toMatchObject({ state: 'stopped', fault: expect.stringContaining('takes too long to read') });
  }, 60_000);
});

describe('an address that the check calls', () => {
  it('is answered alike where its name leads into our own network and where there is no such name', async () => {
    const said = (address: string) =>
      ask(address, { method: 'GET', headers: {} }, { patienceMs: 3000, lookup: publicLookup }).catch(String);
    expect(await said('http://no-such-host.invalid/')).toBe(await said('http://localhost/'));
  });

  it.each(['http://127.0.0.1', 'http://[::1]', 'http://localhost', 'http://tool.localhost', 'http://169.254.169.254'])(
    'is never %s in production',
    async (address) => {
      let reached = 0;
      const listener = http.createServer((_req, res) => res.end()).on('connection', () => (reached += 1));
      const { url, stop } = await listenLocally(listener);
      const { port } = new URL(url);
      const call = ask(
        `${address}:${port}/`,
        { method: 'GET', headers: {} },
        { patienceMs: 3000, lookup: publicLookup },
      );
      await expect(call).rejects.toThrow('it could not be reached: the address is not a public one');
      // By then, a connection that was begun would have arrived.
      await fetch(url);
      expect(reached).toBe(1);
      await stop();
    },
  );
});
