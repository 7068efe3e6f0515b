import { describe, expect, it } from 'vitest';
import { dashboardParts } from '#shared/api/dashboard.ts';
import { day, hour } from '#shared/rules/dates.ts';
import { startReplica } from '#server/testing/replica.ts';
import { rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();

type Agent = Awaited<ReturnType<typeof app.signedIn>>['agent'];
type Whole = Record<keyof typeof dashboardParts, unknown>;
const whole = async (agent: Agent) => (await agent.get('/api/dashboard').expect(200)).body as Whole;

describe('GET /api/dashboard', () => {
  it('answers each part as its own call does', async () => {
    const { agent } = await app.signedIn();
    const parts = await whole(agent);
    expect(Object.keys(parts)).toEqual(Object.keys(dashboardParts));
    for (const [part, { path }] of Object.entries(dashboardParts))
      expect(parts[part as keyof Whole], part).toEqual((await agent.get(path).expect(200)).body);
  });
});

describe('what many are answered together', () => {
  it('is each one’s own: 30 calls of six people at once, each with other figures', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => app.signedIn()));
    const tools = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai', 'pre-fill-ai', 'portfolio-ai', 'share-advice-ai'];
    for (const [index, { user }] of people.entries()) {
      for (const toolId of tools.slice(0, index))
        await rowsOf(app, 'insert into tool_subscriptions (user_id, tool_id) values ($1, $2)', [user.id, toolId]);
      await rowsOf(
        app,
        `insert into tool_usage (user_id, tool_id, session_id) select $1, $2, gen_random_uuid()::text from generate_series(1, $3)`,
        [user.id, tools[0], index],
      );
    }
    const asked = Array.from({ length: 30 }, (_, count) => count % people.length);
    const answers = await Promise.all(asked.map((index) => whole(people[index]!.agent)));
    for (const [count, answer] of answers.entries()) {
      const index = asked[count]!;
      expect(answer.user).toMatchObject({ id: people[index]!.user.id });
      expect(answer.subscriptions).toHaveLength(index);
      expect(answer.sessions).toHaveLength(index);
      expect(answer.analytics).toMatchObject({ activeSubscriptions: index, thisMonth: { sessions: index } });
    }
  });

  it('is never older than the question: a change made through one replica shows at the next call of another', async () => {
    const { agent, user } = await app.signedIn();
    const replica = await startReplica(app.context);
    const there = await replica.agent(user.email);
    for (let count = 1; count <= 5; count += 1) {
      const before = whole(there); // under way while the row is written
      const price = `${count}9.00`;
      await rowsOf(app, `update tools set base_price = $1 where id = 'pre-fill-ai'`, [price]);
      await before;
      for (const one of [agent, there]) {
        const { tools } = (await whole(one)) as { tools: { id: string; basePrice: string }[] };
        expect(tools.find(({ id }) => id === 'pre-fill-ai')?.basePrice).toBe(price);
        const quote = (await one.get('/api/pricing/quote?toolId=pre-fill-ai').expect(200)).body as {
          baseCents: number;
        };
        expect(quote.baseCents).toBe(count * 1000 + 900);
      }
    }
    await rowsOf(app, `update tools set base_price = '49.00' where id = 'pre-fill-ai'`);
    await replica.stop();
  });

  it('follows the clock without any write: access ends, a notice runs out, a month begins', async () => {
    const { agent, user } = await app.signedIn();
    await rowsOf(
      app,
      `insert into tool_subscriptions (user_id, tool_id, status, auto_renew, end_date) values ($1, 'fact-find-ai', 'active', false, $2)`,
      [user.id, new Date(app.context.now().getTime() + hour)],
    );
    await rowsOf(
      app,
      `insert into notifications (user_id, type, title, message, dedupe_key, expires_at) values ($1, 'system_alert', 'Soon over', 'Soon', 'soon', $2)`,
      [user.id, new Date(app.context.now().getTime() + hour)],
    );
    await rowsOf(
      app,
      `insert into tool_usage (user_id, tool_id, session_id, created_at, last_accessed) values ($1, 'fact-find-ai', 'clock', $2, $2)`,
      [user.id, app.context.now()],
    );
    expect(await whole(agent)).toMatchObject({
      subscriptions: [{ status: 'active', hasAccess: true }],
      unread: { count: 1 },
      analytics: { activeSubscriptions: 1, thisMonth: { sessions: 1 }, totalSessions: 1, everUsed: true },
    });
    await app.clock.advance(2 * hour);
    expect(await whole(agent)).toMatchObject({
      subscriptions: [{ status: 'expired', hasAccess: false }],
      unread: { count: 0 },
      analytics: { activeSubscriptions: 0 },
    });
    await app.clock.advance(40 * day);
    expect(await whole(agent)).toMatchObject({
      analytics: { thisMonth: { sessions: 0 }, totalSessions: 0, recentAnalytics: [], everUsed: true },
    });
  });
});
