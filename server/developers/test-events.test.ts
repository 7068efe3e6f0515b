import http from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnToolDetails } from '#shared/api/developers.ts';
import { toolEvents } from '#shared/api/tool-events.ts';
import { day, minute, plus, sydneyDate } from '#shared/rules/dates.ts';
import { type OwnEventType, ownEventTypes } from '#shared/rules/tools/tools.ts';
import { runDueJobs } from '#server/jobs.ts';
import { eventServer } from '#server/testing/event-receiver.ts';
import { listenLocally } from '#server/testing/ports.ts';
import { passTo, rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { pruneToolEvents } from '#server/tools/jobs.ts';

const app = testApp();
let receiver: Awaited<ReturnType<typeof eventServer>>;
beforeAll(async () => {
  receiver = await eventServer();
  receiver.answerWith(204);
});
afterAll(() => receiver.stop());
const codeOf = (answer: { body: unknown }) => (answer.body as { code: string }).code;

async function registered(name: string) {
  const { agent } = await app.signedIn();
  const domain = 'http://localhost:5000/';
  const wanted = { name, description: 'Finds fees.', domain, eventsUrl: `${receiver.url}/events`, scopes: ['name'] };
  const { body } = await agent.post('/api/developers/tools').send(wanted).expect(201);
  const { tool, secret, signingSecret } = body as { tool: { id: string }; secret: string; signingSecret: string };
  receiver.verifyWith(signingSecret);
  return { agent, id: tool.id, secret, signingSecret, path: `/api/developers/tools/${tool.id}` };
}

/** A launch as the tool's first test adviser, and what its server learns. */
async function launched({ agent, id, secret, path }: Awaited<ReturnType<typeof registered>>) {
  const { testAdvisers } = (await agent.get(path).expect(200)).body as OwnToolDetails;
  const adviser = testAdvisers[0]!;
  const { body } = await agent.post(`${path}/test-advisers/${adviser.id}/launch`).expect(200);
  const token = new URL((body as { url: string }).url).searchParams.get('auth_token');
  const asked = app.agent().post('/api/tools/introspect').auth(id, secret).type('form').send({ token });
  return { adviser, session: (await asked.expect(200)).body as Record<string, string> };
}

describe('a test event', () => {
  it('of any kind is sent, and ends nothing', async () => {
    const made = await registered('Told Anything');
    const { adviser, session } = await launched(made);
    const send = (body: object, agent = made.agent) =>
      agent.post(`${made.path}/test-advisers/${adviser.id}/events`).send(body);
    await send({ type: 'access.ended', reason: 'suspended' }).expect(200);
    await send({ type: 'access.restored' }).expect(200);
    await send({ type: 'member.removed' }).expect(200);
    for (const type of ownEventTypes) await send({ type }).expect(200);
    expect(codeOf(await send({ type: 'member.removed' }, (await app.signedIn()).agent).expect(404))).toBe(
      'tool_not_found',
    );
    expect((await send({ type: 'made.up' }).expect(400)).body).toMatchObject({ fields: { type: expect.any(String) } });
    await app.context.queue.drain();
    expect(receiver.of(adviser.id).map(({ type, data }) => [type, data.reason])).toEqual([
      ['access.ended', 'suspended'],
      ['access.restored', undefined],
      ['member.removed', undefined],
    ]);
    expect(receiver.of(undefined).map(({ type }) => type)).toEqual([...ownEventTypes]);
    const status = `/api/tools/sessions/${session['session_id']}`;
    const answer = await app.agent().get(status).auth(made.id, made.secret).expect(200);
    expect(answer.body).toMatchObject({ access: true, sub: adviser.id });
    await made.agent.patch(made.path).send({ eventsUrl: '' }).expect(200);
    expect(codeOf(await send({ type: 'member.removed' }).expect(409))).toBe('no_events_address');
  });

  it('that a made-up person is to be erased is no incident, though nobody ever confirms it', async () => {
    const made = await registered('Never Confirms');
    const { adviser } = await launched(made);
    const of = (what: string) => made.agent.post(`${made.path}/test-advisers/${adviser.id}/${what}`);
    await of('events').send({ type: 'person.erase' }).expect(200);
    await of('access').send({ ended: 'account.closed' }).expect(200);
    await app.context.queue.drain();
    await app.clock.advance(31 * day);
    await runDueJobs(app.context);
    await app.context.queue.drain();
    const asked = receiver.of(adviser.id).filter(({ type }) => type === 'person.erase');
    expect(asked).toHaveLength(2);
    const ids = asked.map(({ id }) => id);
    const incidents = await app.context.queue.failed(50);
    expect(incidents.filter(({ data }) => ids.includes(data['eventId'] as string))).toEqual([]);
    await app.clock.advance(365 * day);
    await pruneToolEvents(app.context);
    expect(await rowsOf(app, 'select type from tool_events where id = any($1)', [ids])).toEqual([]);
  });

  it('names people by an id of this tool alone', async () => {
    const made = await registered('Pairwise');
    const { adviser, session } = await launched(made);
    const [row] = await rowsOf(app, 'select user_id as id from test_advisers where tool_id = $1', [made.id]);
    expect(session['sub']).toBe(adviser.id);
    expect(session['sub']).not.toBe(row!['id']);
    expect((await launched(made)).session['sub']).toBe(adviser.id);
  });
});

describe('an event about the tool itself', () => {
  it('tells its server, in order, of a change and of an incident that is opened, widened and closed', async () => {
    const made = await registered('Told of Itself');
    const bodies: string[] = [];
    const server = http.createServer((req, res) => {
      let body = '';
      req.on('data', (chunk) => (body += String(chunk)));
      req.on('end', () => {
        new Webhook(made.signingSecret).verify(body, req.headers as Record<string, string>);
        bodies.push(body);
        res.writeHead(204).end();
      });
    });
    const { url, stop } = await listenLocally(server);
    await made.agent.patch(made.path).send({ eventsUrl: url }).expect(200);
    await rowsOf(app, 'update tools set is_active = true where id = $1', [made.id]);
    const today = sydneyDate(app.context.now());
    const onDay = sydneyDate(plus(app.context.now(), 20 * day));
    const change = { version: '2027.1', model: '', dataLocation: '', subProcessors: '', note: 'Faster.', onDay };
    const announced = await made.agent
      .post(`${made.path}/announcements`)
      .send({ ...change, mends: false })
      .expect(201);
    const terms = { fromDay: today, untilDay: null, wrong: 'Fees doubled.', lookFor: 'Large fees.', severity: 'low' };
    const incident = { ...terms, versions: ['1.0'], stops: false };
    const { body: recall } = await made.agent.post(`${made.path}/recalls`).send(incident).expect(201);
    const { id } = recall as { id: string };
    const wider = { ...incident, versions: ['1.0', '1.1'], stops: true, reason: 'Those, too.' };
    await made.agent.put(`${made.path}/recalls/${id}`).send(wider).expect(200);
    await made.agent.post(`${made.path}/recalls/${id}/close`).send({ reason: 'It is mended.' }).expect(200);
    await app.context.queue.drain();

    const sent = bodies.map((body) => JSON.parse(body) as { type: OwnEventType; data: object });
    for (const one of sent) expect(toolEvents[one.type].body.parse(one)).toEqual(one);
    const stays = { model: null, data_location: null, sub_processors: null };
    const [tool_id, announcement_id] = [made.id, (announced.body as { id: string }).id];
    const days = { from_day: today, until_day: null };
    const words = { wrong: 'Fees doubled.', look_for: 'Large fees.', severity: 'low' };
    expect(sent.map(({ type, data }) => [type, data])).toEqual([
      [
        'tool.changed',
        { tool_id, announcement_id, version: '2027.1', ...stays, note: 'Faster.', on_day: onDay, mends_fault: false },
      ],
      [
        'incident.opened',
        { tool_id, incident_id: id, versions: ['1.0'], ...days, ...words, stops_new_sessions: false },
      ],
      [
        'incident.opened',
        { tool_id, incident_id: id, versions: ['1.0', '1.1'], ...days, ...words, stops_new_sessions: true },
      ],
      ['incident.closed', { tool_id, incident_id: id, reason: 'It is mended.' }],
    ]);
    const { deliveries } = (await made.agent.get(made.path).expect(200)).body as OwnToolDetails;
    expect(deliveries.toReversed().map(({ who, type, body, lastStatus }) => [who, type, body, lastStatus])).toEqual(
      bodies.map((body) => [null, (JSON.parse(body) as { type: string }).type, body, 204]),
    );
    await made.agent.post(`${made.path}/deliveries/${deliveries[0]!.id}/replay`).expect(200);
    await app.context.queue.drain();
    expect(bodies).toHaveLength(5);
    await stop();
  });

  it('waits where its server is away, and goes nowhere without an address', async () => {
    const made = await registered('Away for Now');
    await rowsOf(app, 'update tools set is_active = true where id = $1', [made.id]);
    const change = { version: '', model: 'Ours', dataLocation: '', subProcessors: '', note: '', mends: true };
    const announce = () =>
      made.agent
        .post(`${made.path}/announcements`)
        .send({ ...change, onDay: sydneyDate(app.context.now()) })
        .expect(201);
    const statuses = async () => {
      await runDueJobs(app.context);
      await app.context.queue.drain();
      const { deliveries } = (await made.agent.get(made.path).expect(200)).body as OwnToolDetails;
      return deliveries.map(({ type, lastStatus }) => [type, lastStatus]);
    };
    receiver.answerWith(503);
    await announce();
    expect(await statuses()).toEqual([['tool.changed', 503]]);
    receiver.answerWith(204);
    await passTo(app, plus(app.context.now(), 2 * minute));
    expect(await statuses()).toEqual([['tool.changed', 204]]);
    await made.agent.patch(made.path).send({ eventsUrl: '' }).expect(200);
    await announce();
    expect(await statuses()).toEqual([['tool.changed', 204]]);
  });
});

describe('the log', () => {
  it('shows the session and what was said, without secrets, people’s details or what may be a client’s', async () => {
    const made = await registered('Logged');
    const { adviser, session } = await launched(made);
    const { sub, session_id } = session;
    const report = (event: unknown) =>
      app
        .agent()
        .post('/api/tools/usage')
        .auth(made.id, made.secret)
        .send({ events: [event] })
        .expect(200);
    const right = { event_id: 'a', session_id, duration_seconds: 60, actions_performed: 2 };
    await report(right);
    await report({ ...right, event_id: 'b', client_reference: 'Jane Citizen', note: { of: 'Jane' } });
    await report(['Jane Citizen']);
    const detailsOf = async () => (await made.agent.get(made.path).expect(200)).body as OwnToolDetails;
    await expect.poll(async () => (await detailsOf()).refusals.length, { timeout: 20_000 }).toBe(2);
    await made.agent.post(`${made.path}/test-advisers/${adviser.id}/access`).send({ ended: 'cancelled' }).expect(200);
    await app.context.queue.drain();
    const { launches, refusals, deliveries } = await detailsOf();
    expect(launches).toMatchObject([{ sessionId: session_id }]);
    expect(launches[0]!.bodies.map((body) => JSON.parse(body) as unknown)).toEqual([
      { active: true, sub, session_id },
      { ...right, data_processed: 0 },
    ]);
    expect(refusals.map(({ body }) => body).toSorted()).toEqual([
      JSON.stringify({ ...right, event_id: 'b', client_reference: '…', note: '…' }),
      '…',
    ]);
    const [sent] = receiver.of(adviser.id);
    expect(deliveries.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { type: sent!.type, timestamp: expect.any(String), data: sent!.data },
    ]);
    const shown = JSON.stringify([launches.map(({ bodies }) => bodies), refusals, deliveries.map(({ body }) => body)]);
    expect(shown).not.toMatch(/Jane|Nguyen|@/);
    expect(shown).not.toContain(made.secret);
  });
});
