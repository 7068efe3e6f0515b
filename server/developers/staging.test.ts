import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnToolDetails, ToolCheck } from '#shared/api/developers.ts';
import type { RequestedTool } from '#shared/api/operators/publications.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { administrator } from '#server/testing/administrator.ts';
import { makePublishable, supplierAnswers } from '#server/testing/publishable.ts';
import { rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { RightTool, startTool } from './testing/tools-under-check/right-tool.ts';

const app = testApp();
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  admin = await administrator(app);
});
const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

const base = '/api/developers/tools';
const codeOf = (answer: { body: unknown }) => (answer.body as { code: string }).code;
const us = { apiUrl: '', toolId: '', secret: '', signingSecret: '' };

/** A server of the tool, which notes the events that it is sent. */
async function serve() {
  const tool = new RightTool(us, us);
  const events: string[] = [];
  const take = tool.takeEvent.bind(tool);
  tool.takeEvent = (ask) => {
    events.push((JSON.parse(ask.body) as { type: string }).type);
    return take(ask);
  };
  const names = () => [...tool.sessions.values()].map(({ launch }) => launch.name);
  const { url, close } = await startTool(tool);
  closing.push(close);
  return { url: url.replace('127.0.0.1', 'localhost'), events, names };
}
type Server = Awaited<ReturnType<typeof serve>>;
const addressesOf = ({ url }: Server) => ({ domain: url, eventsUrl: `${url}events` });

describe('a staging twin', () => {
  it('is tried out, checked and promoted beside the published tool, whose advisers notice nothing until then', async () => {
    const [live, next] = [await serve(), await serve()];
    const { agent } = await app.signedIn();
    const settings = { name: 'Fee Finder AI', description: 'Finds fees.', scopes: ['name', 'email'] };
    const { body } = await agent.post(base).send({ ...settings, ...addressesOf(live) });
    const made = body as { tool: { id: string }; secret: string; signingSecret: string };
    const { id } = made.tool;
    Object.assign(us, { apiUrl: app.url, toolId: id, secret: made.secret, signingSecret: made.signingSecret });
    const path = `${base}/${id}`;
    const detailsOf = async () => (await agent.get(path).expect(200)).body as OwnToolDetails;
    const checked = async (): Promise<ToolCheck> => {
      await agent.post(`${path}/check`).send({ page: '', finish: '/finish' }).expect(200);
      await app.context.queue.drain();
      return (await detailsOf()).check!;
    };
    const ask = async () => {
      await agent.post(`${path}/publication`).expect(200);
      const waiting = (await admin.agent.get('/api/admin/tool-requests').expect(200)).body as RequestedTool[];
      return waiting.find((tool) => tool.id === id)!;
    };
    const decide = (how: string, values: object) => admin.post(`/api/admin/tool-requests/${id}/${how}`, values);
    const stage = (to: Server) => agent.put(`${path}/staging`).send(addressesOf(to));

    expect(codeOf(await stage(next).expect(409))).toBe('not_published');
    await makePublishable(app, { agent, id }, { domain: live.url });
    const { requestedAt } = await ask();
    await decide('approve', { priceCents: 2500, requestedAt }).expect(200);

    expect(codeOf(await agent.post(`${path}/check`).send({ page: '', finish: '' }).expect(409))).toBe('no_staging');
    expect(codeOf(await agent.post(`${path}/publication`).expect(409))).toBe('no_staging');
    const stranger = (await app.signedIn()).agent;
    expect((await stranger.put(`${path}/staging`).send(addressesOf(next))).status).toBe(404);
    await stage(next).expect(200);

    const person = await app.signedIn({ firstName: 'Mei' });
    const access = { userId: person.user.id, toolId: id, status: 'active' as const };
    await app.context.db.insert(toolSubscriptions).values(access);
    const openAsAdviser = async () =>
      (await person.agent.post('/api/auth/token').send({ toolId: id }).expect(200)).body.url as string;
    const opened = await openAsAdviser();
    expect(opened).toContain(live.url);
    await fetch(opened);
    expect([live.names(), next.names()]).toEqual([[expect.stringContaining('Mei')], []]);

    await app.context.queue.drain();
    const [alex] = (await detailsOf()).testAdvisers;
    await agent.post(`${path}/test-advisers/${alex!.id}/access`).send({ ended: null }).expect(200);
    const launch = (await agent.post(`${path}/test-advisers/${alex!.id}/launch`).expect(200)).body as { url: string };
    expect(launch.url).toContain(next.url);
    await fetch(launch.url);
    expect(next.names()).toEqual(['Alex Nguyen']);
    await agent.post(`${path}/test-advisers/${alex!.id}/access`).send({ ended: 'cancelled' }).expect(200);
    await app.context.queue.drain();
    expect([next.events, live.events]).toEqual([['access.ended'], []]);
    await agent.post(`${path}/test-advisers/${alex!.id}/access`).send({ ended: null }).expect(200);

    const early = await ask();
    expect(early).toMatchObject({ state: 'published', domain: next.url, missing: ['tool_unchecked'] });
    expect(codeOf(await decide('promote', { requestedAt: early.requestedAt }).expect(409))).toBe('tool_unchecked');
    const approval = { priceCents: 2500, requestedAt: early.requestedAt };
    expect(codeOf(await decide('approve', approval).expect(409))).toBe('not_requested');

    await agent
      .post(`${path}/staging/answers`)
      .send({ ...supplierAnswers, version: '2.1' })
      .expect(200);
    expect(codeOf(await decide('promote', { requestedAt: early.requestedAt }).expect(409))).toBe('not_requested');
    // An adviser works in the live tool meanwhile.
    const [check] = await Promise.all([checked(), openAsAdviser().then((url) => fetch(url))]);
    expect(check.findings.filter(({ result }) => result === 'wrong')).toEqual([]);
    expect(check).toMatchObject({ state: 'finished', fault: null, domain: next.url });
    expect((await detailsOf()).missing).toEqual([]);
    expect(await openAsAdviser()).toContain(live.url);

    // What an adviser's session asks meanwhile is no part of the examination.
    await rowsOf(app, 'update tool_checks set finished_at = null, started_at = now() where tool_id = $1', [id]);
    const heard = async () =>
      (await rowsOf(app, 'select calls from tool_checks where tool_id = $1', [id]))[0]!['calls'] as object[];
    await fetch(await openAsAdviser());
    expect(await heard()).toEqual([]);
    const again = (await agent.post(`${path}/test-advisers/${alex!.id}/launch`).expect(200)).body as { url: string };
    await fetch(again.url);
    expect(await heard()).toMatchObject([{ call: 'introspect', active: true }]);
    await rowsOf(app, 'update tool_checks set finished_at = now() where tool_id = $1', [id]);

    const request = await ask();
    expect((await decide('launch', {}).expect(200)).body).toMatchObject({ url: expect.stringContaining(next.url) });
    await decide('promote', { requestedAt: request.requestedAt }).expect(200);
    expect(await openAsAdviser()).toContain(next.url);
    const { tool, testAdvisers } = await detailsOf();
    expect(tool).toMatchObject({ domain: next.url, staging: { answers: null, requested: false } });
    expect(testAdvisers.some(({ ended }) => ended === null)).toBe(true);
    const stated = await rowsOf(app, 'select answers, made_by_id from tool_disclosures where tool_id = $1', [id]);
    expect(stated.map(({ answers }) => (answers as { version: string | null }).version)).toEqual(['1.0', '2.1']);
    expect(stated[1]!['made_by_id']).toBe(
      (await rowsOf(app, 'select owner_id from tools where id = $1', [id]))[0]!['owner_id'],
    );
    // The session that was opened at the old address is reported from there as before.
    const [session] = await rowsOf(app, `select id from tool_usage where user_id = $1 order by created_at limit 1`, [
      person.user.id,
    ]);
    const event = { event_id: 'old', session_id: session!['id'], duration_seconds: 60 };
    const authorization = `Basic ${Buffer.from(`${id}:${made.secret}`).toString('base64')}`;
    const report = await app
      .agent()
      .post('/api/tools/usage')
      .set('authorization', authorization)
      .send({ events: [event] })
      .expect(200);
    expect(report.body).toMatchObject({ events: [{ accepted: true, access: true }] });
  });
});
