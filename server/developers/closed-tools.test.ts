import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day } from '#shared/rules/dates.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { toolEvents } from '#shared/schema/tools.ts';
import { administrator } from '#server/testing/administrator.ts';
import { answering, makePublishable } from '#server/testing/publishable.ts';
import { buy, live, rowsOf } from '#server/testing/purchases.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';

const app = testApp();
let admin: Awaited<ReturnType<typeof administrator>>;
let server: Awaited<ReturnType<typeof answering>>;
beforeAll(async () => {
  admin = await administrator(app);
  server = await answering();
});
afterAll(() => server.stop());

const tool = 'risk-profile-ai';
const codeOf = (answer: { body: unknown }) => (answer.body as { code: string }).code;
const reason = 'Its maker asked us to.';
const close = (id = tool) => admin.post(`/api/admin/tools/${id}/close`, { reason });
const reopen = (id = tool) => admin.post(`/api/admin/tools/${id}/reopen`, { reason });
const listed = async (agent: Agent) =>
  ((await agent.get('/api/tools').expect(200)).body as { id: string; closed: boolean }[]).find(({ id }) => id === tool);
const start = (agent: Agent) => agent.post('/api/create-subscription').send({ toolId: tool, trial: true });

it('a tool that is coming soon again is sold back to whoever still may reactivate it, and to nobody else', async () => {
  const id = 'fact-find-ai';
  const { agent } = await app.signedIn();
  await buy(app, agent, id);
  await agent.post('/api/cancel-subscription').send({ toolId: id, cancelImmediately: false }).expect(200);
  await live(app, 32 * day);
  const desk = await administrator(app);
  const change = { version: 0, comingSoon: true, reason, _csrf: desk.csrfToken };
  await desk.agent.patch(`/api/admin/tools/${id}`).send(change).expect(200);
  const charge = { cents: 5000, last4: '4242' };
  await agent.post('/api/reactivate-subscription').send({ toolId: id, charge }).expect(200);
  await agent.post('/api/auth/token').send({ toolId: id }).expect(200);
  const { agent: stranger } = await app.signedIn();
  expect(codeOf(await stranger.get(`/api/pricing/quote?toolId=${id}`).expect(409))).toBe('coming_soon');
});

describe('a tool that is closed to new subscribers', () => {
  it('is not quoted, bought, tried or offered to come back to; who has it opens and keeps it, and pays', async () => {
    const { agent: has } = await app.signedIn();
    await buy(app, has, tool);
    const { agent: left } = await app.signedIn();
    await buy(app, left, tool);
    await left.post('/api/cancel-subscription').send({ toolId: tool, cancelImmediately: true }).expect(200);
    await live(app, 8 * day);
    type Offer = { offers: { offerId: string; discountPercentage: number }[] };
    const offers = async () => (await left.get('/api/winback/offers').expect(200)).body as Offer[];
    const [offered] = await offers();
    const { offerId, discountPercentage } = offered!.offers[0]!;

    await close().expect(200);
    expect(codeOf(await close().expect(409))).toBe('tool_is_closed');
    const { agent } = await app.signedIn();
    expect(await listed(agent)).toMatchObject({ closed: true });
    expect(codeOf(await agent.get(`/api/pricing/quote?toolId=${tool}`).expect(409))).toBe('tool_closed');
    expect(codeOf(await start(agent).expect(409))).toBe('tool_closed');
    expect(await offers()).toEqual([]);
    const comeback = { toolId: tool, offerId, discountPercentage };
    expect(codeOf(await left.post('/api/resubscribe').send(comeback).expect(409))).toBe('tool_closed');

    await has.post('/api/auth/token').send({ toolId: tool }).expect(200);
    await live(app, 40 * day);
    const [mine] = (await has.get('/api/user/subscriptions').expect(200)).body as { status: string }[];
    expect(mine).toMatchObject({ status: 'active' });
    await has.post('/api/cancel-subscription').send({ toolId: tool, cancelImmediately: true }).expect(200);
    // Within the grace period, a cancellation can be taken back.
    await has.post('/api/reactivate-subscription').send({ toolId: tool }).expect(200);
    await reopen().expect(200);
    expect(codeOf(await reopen().expect(409))).toBe('tool_is_open');
    expect(await listed(agent)).toMatchObject({ closed: false });
    await start(agent).expect(200);
    const rows = await app.context.db.select().from(auditLog).where(eq(auditLog.action, 'admin.tool_closed'));
    expect(rows).toMatchObject([{ after: { reason } }]);
  });

  it('goes on for who tries it: their trial can be bought', async () => {
    const { agent } = await app.signedIn();
    await start(agent).expect(200);
    await close().expect(200);
    await agent.get(`/api/pricing/quote?toolId=${tool}`).expect(200);
    await agent.post('/api/auth/token').send({ toolId: tool }).expect(200);
    await reopen().expect(200);
  });

  it('is closed by nobody but administrators, and only where it is in the catalogue', async () => {
    expect(codeOf(await close('no-such-tool').expect(404))).toBe('tool_not_found');
    const { body } = await admin.post(`/api/admin/tools/${tool}/close`).expect(400);
    expect(Object.keys((body as { fields: object }).fields)).toEqual(['reason']);
    const { agent } = await app.signedIn();
    await agent.post(`/api/admin/tools/${tool}/close`).send({ reason }).expect(403);
  });
});

describe('a maker who is suspended', () => {
  it('has what they published closed by the same act; an administrator opens it again', async () => {
    const { agent, user } = await app.signedIn();
    const wanted = {
      name: 'Fee Finder AI',
      description: 'Finds fees.',
      domain: 'http://localhost:5000/',
      eventsUrl: '',
      scopes: [],
    };
    const { tool: made, secret } = (await agent.post('/api/developers/tools').send(wanted).expect(201)).body as {
      tool: { id: string };
      secret: string;
    };
    await rowsOf(app, 'update tools set is_active = true, base_price = 25 where id = $1', [made.id]);
    const held = { userId: user.id, reason: 'Fraud.', keepCharging: false };
    const { body } = await admin.post('/api/admin/suspend', held).expect(200);
    expect(body).toEqual({ message: 'The user was suspended. Closed to new subscribers: Fee Finder AI.' });
    const offered = (await admin.agent.get('/api/admin/tools').expect(200)).body as { id: string }[];
    expect(offered.find(({ id }) => id === 'file-note-ai')).toMatchObject({
      priceCents: 2500,
      hasAddress: false,
      subscribers: expect.any(Number),
    });
    expect(offered.find(({ id }) => id === made.id)).toMatchObject({ closedFor: 'Its maker is suspended.' });
    // Its server goes on working for those who have it.
    const asked = app.agent().post('/api/tools/introspect').auth(made.id, secret).type('form').send({ token: 'x' });
    expect((await asked.expect(200)).body).toEqual({ active: false });
    await admin.post('/api/admin/reinstate', { userId: user.id, reason: 'A mistake.' }).expect(200);
    const closed = async () =>
      ((await admin.agent.get('/api/admin/tools')).body as { id: string; closedAt: string | null }[]).find(
        ({ id }) => id === made.id,
      )?.closedAt;
    expect(await closed()).not.toBeNull();
    await reopen(made.id).expect(200);
    expect(await closed()).toBeNull();
  });
});

describe('what a maker asks to be published', () => {
  const asked = async () => {
    const { agent, user } = await app.signedIn();
    const wanted = {
      name: 'Fee Finder AI',
      description: 'Finds fees.',
      domain: 'http://localhost:5000/',
      eventsUrl: '',
      scopes: [],
    };
    const made = (await agent.post('/api/developers/tools').send(wanted).expect(201)).body as { tool: { id: string } };
    const { id } = made.tool;
    await makePublishable(app, { agent, id }, { domain: server.url });
    await agent.post(`/api/developers/tools/${id}/publication`).expect(200);
    const [row] = await rowsOf(app, 'select requested_at from tools where id = $1', [id]);
    const requestedAt = (row!['requested_at'] as Date).toISOString();
    return {
      id,
      suspend: () => admin.post('/api/admin/suspend', { userId: user.id, reason: 'Fraud.', keepCharging: false }),
      approve: () => admin.post(`/api/admin/tool-requests/${id}/approve`, { priceCents: 2500, requestedAt }),
    };
  };
  const isOffered = async (id: string) =>
    (await rowsOf(app, 'select id from tools where id = $1 and is_active and closed_at is null', [id])).length > 0;

  it('is refused when they are suspended', async () => {
    const { id, suspend, approve } = await asked();
    await suspend().expect(200);
    expect(codeOf(await approve().expect(409))).toBe('not_requested');
    expect(await isOffered(id)).toBe(false);
  });

  it('is not on offer where one administrator approves it while another suspends them', async () => {
    for (let time = 0; time < 5; time += 1) {
      const { id, suspend, approve } = await asked();
      await Promise.all([approve(), suspend().expect(200)]);
      expect(await isOffered(id)).toBe(false);
    }
  });
});

describe('an erasure that a tool can’t confirm', () => {
  type Incident = { id: string; name: string; canConfirm: boolean };
  const incidents = async () =>
    ((await admin.agent.get('/api/admin/incidents').expect(200)).body as { incidents: Incident[] }).incidents.filter(
      ({ canConfirm }) => canConfirm,
    );

  it('is confirmed by an administrator, with the day and how they know; the incident is over', async () => {
    const { user } = await app.signedIn();
    const createdAt = app.context.now();
    const event = { toolId: tool, userId: user.id, type: 'person.erase' as const, createdAt, nextAttemptAt: null };
    const [row] = await app.context.db.insert(toolEvents).values(event).returning({ id: toolEvents.id });
    await live(app, 31 * day);
    const [incident] = await incidents();
    const confirm = (more: object = {}, id = incident!.id) =>
      admin.post(`/api/admin/incidents/${id}/confirm-erasure`, {
        erasedOn: '2026-01-15',
        reason: 'Their privacy officer wrote to us.',
        ...more,
      });
    expect(
      Object.keys(((await confirm({ erasedOn: '2999-01-01' }).expect(400)).body as { fields: object }).fields),
    ).toEqual(['erasedOn']);
    expect(codeOf(await confirm({}, row!.id).expect(404))).toBe('incident_not_found');
    const answers = await Promise.all([confirm(), confirm()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await app.context.queue.drain();
    expect(await incidents()).toEqual([]);
    const [settled] = await app.context.db.select().from(toolEvents).where(eq(toolEvents.id, row!.id));
    expect(settled).toMatchObject({
      confirmedFor: 'Their privacy officer wrote to us.',
      confirmedAt: new Date('2026-01-15T00:00:00Z'),
      nextAttemptAt: null,
    });
    expect(
      await app.context.db.select().from(auditLog).where(eq(auditLog.action, 'admin.erasure_confirmed')),
    ).toMatchObject([{ after: { erasedOn: '2026-01-15' } }]);
  });
});
