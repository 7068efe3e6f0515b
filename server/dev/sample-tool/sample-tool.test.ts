import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '#shared/rules/tools/tools.ts';
import { usageAnalytics } from '#shared/schema/analytics.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { toolEvents, tools } from '#shared/schema/tools.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { signed } from '#server/developers/tool-check/events.js';
import { password } from '#server/testing/factories.ts';
import { project } from '#server/testing/source-files.ts';
import { listenLocally } from '#server/testing/ports.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { until } from '#server/testing/until.ts';
import { setDomain } from '#server/commands/set-domain.ts';
import { developmentSecrets, developmentTools } from '../seed/development-secrets.ts';
import { createSampleHandler } from './handler.ts';
import { outputOf } from './outputs.ts';
import { startSampleTool, type SampleTool } from './index.ts';

const tool = 'risk-profile-ai';
const host = '127.0.0.1';
let app: TestApp;
let sample: SampleTool;
beforeAll(async () => {
  app = await startTestApp();
  const secretsOf = (toolId: string) => developmentSecrets(app.context.env, toolId);
  sample = await startSampleTool({ port: 0, host, apiUrl: app.url, secretsOf, log: app.context.log });
  for (const { id } of await app.context.db.select({ id: tools.id }).from(tools))
    await setDomain(app.context.db, id, `http://localhost:1/${id}`, app.context.now());
  await developmentTools(app.context, sample.url);
});
afterAll(async () => {
  await sample.close();
  await app.stop();
});

/** A new adviser who has the tool, and the address of their launch. */
async function launchUrl() {
  const { agent, user } = await app.signedIn({ firstName: 'Mei <b>', dealerGroup: 'Harbour & Co' });
  await app.context.db.insert(toolSubscriptions).values({ userId: user.id, toolId: tool, status: 'active' });
  const { body } = await agent.post('/api/auth/token').send({ toolId: tool }).expect(200);
  return { url: body.url as string, user };
}
const open = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } });
const cookieOf = (answer: Response) => answer.headers.get('set-cookie')?.split(';')[0] ?? '';
const finish = (cookie: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${sample.url}/${tool}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, ...headers },
    body: new URLSearchParams(form),
  });

it('each tool on offer hands over a sample, of which visitors see a picture of at most 25 kB', () => {
  const folder = path.join(project, 'client/src/features/site/outputs');
  const offered = catalogue.filter(({ comingSoon }) => !comingSoon).map(({ id }) => id);
  expect(offered.filter((id) => !outputOf(id))).toEqual([]);
  expect(fs.readdirSync(folder).toSorted()).toEqual(offered.map((id) => `${id}.webp`).toSorted());
  for (const name of fs.readdirSync(folder))
    expect(fs.statSync(path.join(folder, name)).size, name).toBeLessThan(25_000);
});

describe('sample tool', () => {
  it('exchanges the token, greets the adviser at a clean address, and reports the session once', async () => {
    const { url, user } = await launchUrl();
    expect(url).toMatch(new RegExp(`^${sample.url}/${tool}\\?auth_token=[\\w-]{43}$`));
    const arrival = await open(url);
    expect(arrival.status).toBe(303);
    expect(arrival.headers.get('location')).toBe(`/${tool}`);
    expect(arrival.headers.get('set-cookie')).toMatch(new RegExp(`; Path=/${tool}; HttpOnly; SameSite=Lax$`));
    const cookie = cookieOf(arrival);

    const page = await open(`${sample.url}/${tool}`, cookie);
    const text = await page.text();
    expect(text).toContain('Welcome, Mei &lt;b&gt;');
    expect(text).toContain('Risk Profile AI');
    expect(text).toContain('Harbour &amp; Co');
    expect(text).toContain('Active');
    expect(text).not.toContain('auth_token');
    expect(text).not.toContain('<article>');
    const style = /<style>([^]*)<\/style>/.exec(text)![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');

    const named = await finish(cookie, { minutes: '25', actions: '7', reference: 'Jane Citizen' });
    expect(named.status).toBe(400);
    expect(await named.text()).toContain('This looks like a name.');

    const work = { minutes: '25', actions: '7', reference: 'F-10234' };
    const clicks = await Promise.all([1, 2].map(() => finish(cookie, work)));
    expect(clicks.map((click) => click.status)).toEqual([303, 303]);
    const after = await (await open(`${sample.url}/${tool}`, cookie)).text();
    expect(after).toContain('Session reported');
    expect(after).toContain('25 minutes of work, 7 actions');
    expect(after).toContain('<h2>Risk profile, file F-10234</h2>');
    expect(after).not.toContain('Finish session');
    const rows = await app.context.db.select().from(usageAnalytics).where(eq(usageAnalytics.userId, user.id));
    expect(rows).toMatchObject([{ toolId: tool, sessionDuration: 1500, actionsPerformed: 7 }]);
    const [session] = await app.context.db.select().from(toolUsage).where(eq(toolUsage.userId, user.id));
    const said = { purpose: 'risk_profile', purposeFrom: 'tool', clientReference: 'F-10234', referenceFrom: 'tool' };
    expect(session).toMatchObject({ toolVersion: '2026.11', ...said, checked: null });
  });

  it('refuses a used link, an invented one, and a visit without one', async () => {
    const { url } = await launchUrl();
    await open(url);
    const invented = ['invented', '', 'x'.repeat(501)].map((token) => `${sample.url}/${tool}?auth_token=${token}`);
    for (const again of [url, ...invented]) {
      const answer = await open(again);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(answer.status).toBe(403);
    }
    expect((await open(`${sample.url}/${tool}`)).status).toBe(403);
    expect((await open(`${sample.url}/nothing`)).status).toBe(404);
    expect((await open(sample.url)).status).toBe(200);
  });

  it('ends the sessions of whoever Adviserly says, and confirms that a person is erased', async () => {
    const { url, user } = await launchUrl();
    const cookie = cookieOf(await open(url));
    const stays = cookieOf(await open((await launchUrl()).url));
    const page = `${sample.url}/${tool}`;
    expect((await open(page, cookie)).status).toBe(200);
    const forged = { method: 'POST', body: JSON.stringify({ type: 'access.ended', data: { sub: user.id } }) };
    const headers = { 'webhook-id': '1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
    for (const signature of ['', 'v1,x'])
      expect(
        (await fetch(`${page}/events`, { ...forged, headers: { ...headers, 'webhook-signature': signature } })).status,
      ).toBe(401);
    expect((await open(page, cookie)).status).toBe(200);
    const { agent } = await app.signIn(user.email);
    await app.context.db.delete(toolSubscriptions).where(eq(toolSubscriptions.userId, user.id));
    await agent.post('/api/user/close-account').send({ password }).expect(200);
    await app.context.queue.drain();
    expect((await open(page, cookie)).status).toBe(403);
    expect((await open(page, stays)).status).toBe(200);
    const told = await app.context.db
      .select()
      .from(toolEvents)
      .where(eq(toolEvents.userId, user.id))
      .orderBy(toolEvents.position);
    expect(told.map((event) => [event.type, event.lastStatus, event.confirmedAt !== null])).toEqual([
      ['account.closed', 204, false],
      ['person.erase', 204, true],
    ]);
  });

  it('keeps the session for another try when the figures are not accepted', async () => {
    const cookie = cookieOf(await open((await launchUrl()).url));
    const letters = await finish(cookie, { minutes: 'many', actions: '1' });
    expect(letters.status).toBe(400);
    expect(await letters.text()).toContain('Please enter whole numbers.');
    expect(await (await finish(cookie, { minutes: '1441', actions: '1' })).text()).toContain('more than a session');
    expect((await finish(cookie, { minutes: '5', actions: '1' }, { 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await finish(cookie, { minutes: '5', actions: '1' })).status).toBe(303);
  });

  it('takes an event whose body comes in two parts, divided within a character', async () => {
    const { secret, signingSecret } = developmentSecrets(app.context.env, tool);
    const adviserly = { apiUrl: app.url, toolId: tool, secret, signingSecret };
    const handle = createSampleHandler(
      adviserly,
      catalogue.find(({ id }) => id === tool)!,
    );
    let received: IncomingMessage | undefined;
    const server = createServer((req, res) => void handle((received = req), res));
    const { url, stop } = await listenLocally(server);
    const body = JSON.stringify({ type: 'access.ended', data: { sub: 'x', tool_id: tool, reason: 'José' } });
    const headers = signed(signingSecret, { id: '1', at: Math.floor(Date.now() / 1000), body });
    const sent = request(`${url}/${tool}/events`, { method: 'POST', headers });
    const bytes = Buffer.from(body);
    const half = bytes.indexOf('é') + 1;
    sent.write(bytes.subarray(0, half));
    await until('the first part', 5000, () => received && received.socket.bytesRead === sent.socket!.bytesWritten);
    sent.end(bytes.subarray(half));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    await stop();
    expect(answer.statusCode).toBe(204);
  });

  it('says so when Adviserly does not answer, and takes a free port when its own is taken', async () => {
    const taken: Server = createServer();
    await new Promise<void>((resolve) => taken.listen(0, host, resolve));
    const { port } = taken.address() as AddressInfo;
    const alone = await startSampleTool({
      port,
      host,
      apiUrl: 'http://127.0.0.1:1',
      secretsOf: () => ({ secret: 'x', signingSecret: 'whsec_eA==' }),
      log: app.context.log,
    });
    expect(alone.port).not.toBe(port);
    const answer = await open(`${alone.url}/${tool}?auth_token=x`);
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('Adviserly did not answer');
    await alone.close();
    await new Promise((resolve) => taken.close(resolve));
  });
});
