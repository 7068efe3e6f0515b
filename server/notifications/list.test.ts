import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Notification } from '#shared/api/notifications.ts';
import { day } from '#shared/rules/dates.ts';
import { notifications } from '#shared/schema/notifications.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';
import { blankOldNotices } from './list.ts';
import { notify } from './service.ts';

const app = testApp();
let agent: Agent;
let userId: string;
beforeEach(async () => {
  const signedIn = await app.signedIn();
  agent = signedIn.agent;
  userId = signedIn.user.id;
});

const notifyOf = (occasion: string, to = userId) =>
  notify(app.context, {
    userId: to,
    type: 'usage_milestone',
    title: `Title ${occasion}`,
    message: `Message ${occasion}`,
    actionUrl: '/dashboard',
    dedupeKey: occasion,
  });
const list = async (query = '', by = agent) =>
  (await by.get(`/api/notifications${query}`).expect(200)).body as Notification[];
const titles = async (query = '') => (await list(query)).map((each) => each.title);
const unread = async () => (await agent.get('/api/notifications/unread-count').expect(200)).body.count as number;
const nobody = '00000000-0000-4000-8000-000000000000';

describe('GET /api/notifications', () => {
  it('lists what is shown of a notice, newest first', async () => {
    await notifyOf('one');
    await app.clock.advance(1000);
    await notifyOf('two');
    expect(await titles()).toEqual(['Title two', 'Title one']);
    expect((await list())[0]).toEqual({
      id: expect.any(String) as string,
      type: 'usage_milestone',
      title: 'Title two',
      message: 'Message two',
      isRead: false,
      actionUrl: '/dashboard',
      createdAt: expect.stringMatching(/Z$/) as string,
    });
    expect(await titles('?limit=1')).toEqual(['Title two']);
    expect(await unread()).toBe(2);
  });

  it('shows one’s own only', async () => {
    await notifyOf('mine');
    const { agent: stranger } = await app.signedIn();
    expect(await list('', stranger)).toEqual([]);
    await app.agent().get('/api/notifications').expect(401);
  });

  it.each(['?limit=0', '?limit=1001', '?limit=x', '?limit=1.5', '?more=1', '?limit=1&limit=2'])(
    'refuses %s',
    async (query) => {
      await agent.get(`/api/notifications${query}`).expect(400);
    },
  );

  it('leaves out what has expired, from that moment on', async () => {
    await notify(app.context, {
      userId,
      type: 'system_alert',
      title: 'Soon over',
      message: 'Until tomorrow',
      dedupeKey: 'soon',
      expiresAt: new Date(app.context.now().getTime() + day),
    });
    expect(await unread()).toBe(1);
    const [{ id }] = (await list()) as [Notification];
    await app.clock.advance(day);
    expect(await list()).toEqual([]);
    expect(await unread()).toBe(0);
    await agent.patch(`/api/notifications/${id}/read`).expect(404);
    await agent.delete(`/api/notifications/${id}`).expect(404);
  });

  it('answers the newest 1,000 of 10,000, in time', async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => ({
      userId,
      type: 'system_alert' as const,
      title: `Notice ${i}`,
      message: 'A message of the usual length, of which there are many.',
      dedupeKey: `bulk:${i}`,
      createdAt: new Date(app.context.now().getTime() - i * 1000),
    }));
    for (let at = 0; at < rows.length; at += 2000)
      await app.context.db.insert(notifications).values(rows.slice(at, at + 2000));
    const all = await list();
    expect(all).toHaveLength(1000);
    expect(all[999]!.title).toBe('Notice 999');
    expect(await unread()).toBe(10_000);
    expect((await agent.post('/api/notifications/read-all').expect(200)).body).toEqual({ count: 10_000 });
    expect(await unread()).toBe(0);
  });
});

describe('PATCH /api/notifications/{id}/read', () => {
  it('unread becomes read; again changes nothing', async () => {
    await notifyOf('one');
    const [{ id }] = (await list()) as [Notification];
    const { body } = await agent.patch(`/api/notifications/${id}/read`).expect(200);
    expect(body).toMatchObject({ id, isRead: true, title: 'Title one' });
    await agent.patch(`/api/notifications/${id}/read`).expect(200);
    expect((await list())[0]!.isRead).toBe(true);
    expect(await unread()).toBe(0);
  });

  it('a foreign, an unknown and a malformed id', async () => {
    await notifyOf('one');
    const [{ id }] = (await list()) as [Notification];
    const { agent: stranger } = await app.signedIn();
    await stranger.patch(`/api/notifications/${id}/read`).expect(404);
    await agent.patch(`/api/notifications/${nobody}/read`).expect(404);
    await agent.patch('/api/notifications/1/read').expect(400);
    expect((await list())[0]!.isRead).toBe(false);
  });

  it('POST /api/notifications/read-all: one’s own only', async () => {
    const other = await app.signedIn();
    await Promise.all([notifyOf('one'), notifyOf('two'), notifyOf('one', other.user.id)]);
    expect((await agent.post('/api/notifications/read-all').expect(200)).body).toEqual({ count: 2 });
    expect((await agent.post('/api/notifications/read-all').expect(200)).body).toEqual({ count: 0 });
    expect((await list('', other.agent))[0]!.isRead).toBe(false);
  });
});

describe('DELETE /api/notifications/{id}', () => {
  it('deletion is allowed in any state', async () => {
    await Promise.all([notifyOf('one'), notifyOf('two')]);
    const [first, second] = (await list()) as [Notification, Notification];
    await agent.patch(`/api/notifications/${first.id}/read`).expect(200);
    expect((await agent.delete(`/api/notifications/${first.id}`).expect(200)).body).toEqual({
      message: 'Notification deleted',
    });
    await agent.delete(`/api/notifications/${second.id}`).expect(200);
    expect(await list()).toEqual([]);
    expect(await unread()).toBe(0);
  });

  it('two at once: one deletes, the other finds nothing; a foreign id is not found', async () => {
    await notifyOf('one');
    const [{ id }] = (await list()) as [Notification];
    const { agent: stranger } = await app.signedIn();
    await stranger.delete(`/api/notifications/${id}`).expect(404);
    const answers = await Promise.all([1, 2, 3].map(() => agent.delete(`/api/notifications/${id}`)));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 404, 404]);
    await agent.patch(`/api/notifications/${id}/read`).expect(404);
  });

  it('the same occasion is not notified again after its notice was deleted, blanked or a year old', async () => {
    await notifyOf('deleted');
    const [{ id }] = (await list()) as [Notification];
    await agent.delete(`/api/notifications/${id}`).expect(200);
    expect(await notifyOf('deleted')).toBe(false);
    await notifyOf('old');
    await app.clock.advance(31 * day);
    await blankOldNotices(app.context);
    const rows = await app.context.db.select().from(notifications).where(eq(notifications.userId, userId));
    expect(rows.find((row) => row.id === id)).toMatchObject({ title: '', message: '', actionUrl: null });
    expect(await notifyOf('deleted')).toBe(false);
    expect(await titles()).toEqual(['Title old']);
    await app.clock.advance(335 * day);
    expect(await list()).toEqual([]);
    await app.clock.advance(31 * day);
    await blankOldNotices(app.context);
    await blankOldNotices(app.context);
    expect(await notifyOf('old')).toBe(false);
    expect(await notifyOf('new')).toBe(true);
    expect(await titles()).toEqual(['Title new']);
  });
});

it('a poll does not keep the session awake', async () => {
  const seen = async () =>
    (await app.context.db.$client.query('select last_seen_at from sessions where user_id = $1', [userId]))
      .rows as object[];
  await app.context.db.$client.query(
    `update sessions set last_seen_at = now() - interval '1 hour' where user_id = $1`,
    [userId],
  );
  const before = await seen();
  await agent.get('/api/notifications/unread-count').set('x-background', '1').expect(200);
  expect(await seen()).toEqual(before);
});
