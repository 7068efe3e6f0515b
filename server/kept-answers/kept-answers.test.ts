import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import type { Api } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { day, hour } from '#shared/rules/dates.ts';
import { trialIdentityOf } from '#server/payers/service.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { rowsOf } from '#server/testing/purchases.ts';
import { startReplica } from '#server/testing/replica.ts';
import { testApp } from '#server/testing/test-app.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { versionFrom, versionTables } from './version.ts';

const app = testApp();

const person = { id: 'a', email: 'a@practice.example' };
const other = { id: 'b', email: 'b@practice.example' };

/** Answers numbered as they are made, with version and time set by hand. */
function byHand(body = (number: number) => String(number)) {
  const now = { version: 'first', time: Date.parse('2026-03-01T10:00:10.000Z') };
  const made = { number: 0 };
  const keep = createKeptAnswers(
    (asker) => Promise.resolve(`${now.version} ${asker?.id ?? ''}`),
    () => new Date(now.time),
  );
  const make = () => Promise.resolve(body((made.number += 1)));
  return { now, keep, ask: (asker: typeof person | null = person, call = '/call') => keep(asker, call, make) };
}

describe('a kept answer', () => {
  it('belongs to one person and one call', async () => {
    const { ask } = byHand();
    const asked = [() => ask(), () => ask(other), () => ask(null), () => ask(person, '/call [query]')];
    for (const [index, one] of asked.entries()) expect(await one()).toBe(String(index + 1));
    for (const [index, one] of asked.entries()) expect(await one()).toBe(String(index + 1));
  });

  it('is made again once its rows have another version', async () => {
    const { ask, now } = byHand();
    expect(await ask()).toBe('1');
    now.version = 'second';
    expect(await ask()).toBe('2');
    now.version = 'first';
    expect(await ask()).toBe('3');
  });

  it('is made again where a row changed while it was made', async () => {
    const { keep, now } = byHand();
    const slow = async () => {
      now.version = 'second';
      return Promise.resolve('half old');
    };
    expect(await keep(person, '/call', slow)).toBe('half old');
    expect(await keep(person, '/call', () => Promise.resolve('new'))).toBe('new');
  });

  it('lasts until the minute ends, the next moment that it names, or the clock goes back', async () => {
    const { ask, now } = byHand((number) => JSON.stringify({ number, endDate: '2026-03-01T10:01:20.000Z' }));
    const at = async (time: string) => {
      now.time = Date.parse(`2026-03-01T${time}Z`);
      return (JSON.parse(await ask()) as { number: number }).number;
    };
    expect(await at('10:00:10.000')).toBe(1);
    expect(await at('10:00:59.999')).toBe(1);
    expect(await at('10:01:00.000')).toBe(2);
    expect(await at('10:01:19.999')).toBe(2);
    expect(await at('10:01:20.000')).toBe(3);
    expect(await at('10:01:59.000')).toBe(3);
    expect(await at('10:00:59.000')).toBe(4);
  });

  it('is not kept where making it fails', async () => {
    const { keep, ask } = byHand();
    await expect(keep(person, '/call', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await ask()).toBe('1');
  });
});

type Agent = Awaited<ReturnType<typeof app.signedIn>>['agent'];
const parts = {
  user: '/api/user',
  unread: '/api/notifications/unread-count',
  tools: '/api/tools',
  subscriptions: '/api/user/subscriptions',
  sessions: '/api/user/usage',
  analytics: '/api/analytics/dashboard',
};
type Whole = Record<keyof typeof parts, unknown>;
const whole = async (agent: Agent) => {
  const asked = Object.entries(parts).map(async ([part, path]) => [part, (await agent.get(path).expect(200)).body]);
  return Object.fromEntries(await Promise.all(asked)) as Whole;
};

describe('answers that many get together', () => {
  it('are each one’s own: 30 calls of six people at once, each with other figures', async () => {
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
      expect(answer.sessions).toMatchObject(index === 0 ? [] : [{ toolId: tools[0], sessions: index }]);
      expect(answer.analytics).toMatchObject({ activeSubscriptions: index, thisMonth: { sessions: index } });
    }
  });

  it('are never older than the question: a change made through one replica shows at the next call of another', async () => {
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

  it('follow the clock without any write: access ends, a notice runs out, a month begins', async () => {
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

const tableNames = Object.values(import.meta.glob<Record<string, unknown>>('../../shared/schema/*.ts', { eager: true }))
  .flatMap((exported) => Object.values(exported))
  .flatMap((value) => (is(value, PgTable) ? [getTableName(value)] : []));

/** Queries for the contract's GETs that take one. An adviser asks every GET but those for administrators and tools, and files. */
const samples: Record<string, string[]> = {
  '/api/pricing/quote': ['?toolId=pre-fill-ai', '?toolId=file-note-ai&teamId=TEAM'],
  '/api/billing/forecast': ['', '?teamId=TEAM'],
  '/api/analytics/usage': ['', '?days=90'],
};
const calls = Object.values(contract)
  .flatMap((api: Api) => Object.values(api))
  .filter(({ method, access, file }) => method === 'GET' && access !== 'admin' && access !== 'tool' && !file)
  .flatMap(({ path }) => (samples[path] ?? ['']).map((query) => path + query));

const keptCalls = [
  '/api/analytics/dashboard',
  '/api/analytics/usage',
  '/api/analytics/usage?days=90',
  '/api/billing/forecast',
  '/api/billing/forecast?teamId=TEAM',
  '/api/discounts/tiers',
  '/api/pricing/quote?toolId=file-note-ai&teamId=TEAM',
  '/api/pricing/quote?toolId=pre-fill-ai',
  '/api/record/not-allowed',
  '/api/reminder-settings',
  '/api/subscriptions',
  '/api/teams/my',
  '/api/tools',
  '/api/tools/:toolId/texts',
  '/api/user/subscriptions',
  '/api/user/usage',
  '/api/winback/offers',
];

/** An adviser who owns a team with one more member. Adviser and team each pay for one tool and let another expire, which both people used. */
async function practice() {
  const { agent, user } = await app.signedIn();
  const { team, people } = await practiceOf(user.id);
  return { agent, user, team, colleague: people };
}
async function practiceOf(ownerId: string) {
  const { team } = await createTeam(app.context, { ownerId, maxMembers: 5 });
  const people = await createUser(app.context);
  await rowsOf(app, `insert into team_members (team_id, user_id, role) values ($1, $2, 'member')`, [
    team.id,
    people.id,
  ]);
  for (const [column, type, id] of [
    ['user_id', 'individual', ownerId],
    ['team_id', 'team', team.id],
  ] as const) {
    await rowsOf(
      app,
      `insert into tool_subscriptions (${column}, subscription_type, tool_id, status) values ($1, $2, 'fact-find-ai', 'active')`,
      [id, type],
    );
    await rowsOf(
      app,
      `insert into tool_subscriptions (${column}, subscription_type, tool_id, status, is_active, end_date, expired_at, monthly_cents)
       values ($1, $2, 'file-note-ai', 'expired', false, now() - interval '10 days', now() - interval '10 days', 2500)`,
      [id, type],
    );
  }
  await openSession(ownerId);
  await openSession(people.id, team.id);
  return { team, people };
}
const openSession = (userId: string, teamId: string | null = null) =>
  rowsOf(
    app,
    `insert into tool_usage (user_id, team_id, tool_id, session_id) values ($1, $2, 'file-note-ai', gen_random_uuid()::text) returning id`,
    [userId, teamId],
  );

const insertBill = (payer: 'user_id' | 'team_id') =>
  `insert into bills (${payer}, kind, status, at, until, lines, parts, total_cents, gst_cents)
   values ($1, 'month', 'issued', now(), now() + interval '1 month', '[]', '[]', 3000, 273)`;

describe('the version of answers', () => {
  it('covers every table of which a kept answer is made', async () => {
    const { agent, team } = await practice();
    const kept = app.context.kept!;
    const asked = new Map<string, string[]>();
    let call = '';
    app.context.kept = (asker, name, make) =>
      kept(asker, name, async () => {
        const query = vi.spyOn(pg.Client.prototype, 'query');
        const json = await make();
        const texts = query.mock.calls.map(([config]) => (config as { text?: string }).text ?? config);
        query.mockRestore();
        asked.set(call, texts);
        return json;
      });
    for (const path of calls) {
      call = path;
      await agent.get(path.replace(':toolId', 'fact-find-ai').replace(/TEAM|:teamId/, team.id));
    }
    app.context.kept = kept;
    expect([...asked.keys()].toSorted()).toEqual(keptCalls);
    for (const [path, texts] of asked) {
      const named = texts.flatMap((text) => [...text.matchAll(/\b(?:from|join) (?:lateral )?"?([a-z_]+)"?/g)]);
      // The process reads the clock once in a while, beside whatever is asked.
      const others = tableNames.filter((name) => name !== 'app_clock');
      const read = new Set(named.map(([, name]) => name!).filter((name) => others.includes(name)));
      expect(read.size, path).toBeGreaterThan(0);
      expect(
        [...read].filter((table) => !versionTables.includes(table)),
        path,
      ).toEqual([]);
    }
  });

  it('changes with each write that the answers of an owner are made of, and stays after a stranger’s', async () => {
    const { user, team, colleague } = await practice();
    const stranger = await practice();
    const version = () => versionFrom(app.context.db)(user);
    const me = { id: user.id, team: team.id, colleague: colleague.id };
    const them = { id: stranger.user.id, team: stranger.team.id, colleague: stranger.colleague.id };
    const own: [what: string, text: string, of: keyof typeof me][] = [
      ['the card', `update users set card_last4 = '4242', card_brand = 'visa' where id = $1`, 'id'],
      ['a setting', 'insert into reminder_settings (user_id, email_reminders) values ($1, false)', 'id'],
      ['an own price', 'update tool_subscriptions set monthly_cents = monthly_cents + 1 where user_id = $1', 'id'],
      ['a team’s price', 'update tool_subscriptions set monthly_cents = monthly_cents + 1 where team_id = $1', 'team'],
      ['the team’s name', `update teams set name = 'Other Partners' where id = $1`, 'team'],
      [
        'a decision',
        `insert into team_tools (team_id, tool_id, allowed, reason, decided_by_id, decided_at)
         select id, 'pre-fill-ai', false, 'No.', owner_id, now() from teams where id = $1`,
        'team',
      ],
      ['a report on an old session', `update tool_usage set duration_seconds = 60 where user_id = $1`, 'id'],
      [
        'a session of a colleague',
        `insert into tool_usage (user_id, tool_id, session_id) values ($1, 'fact-find-ai', gen_random_uuid()::text)`,
        'colleague',
      ],
      ['a trial of the team', `insert into trial_uses (identity, tool_id) values ($1, 'fact-find-ai')`, 'team'],
      ['a bill', insertBill('user_id'), 'id'],
      ['what became of it', `update bills set status = 'paid' where user_id = $1`, 'id'],
      ['a bill of the team', insertBill('team_id'), 'team'],
      [
        'days of a member that wait for it',
        `insert into adjustments (team_id, tool_id, tool_name, cause, from_day, to_day, days, period_end, cents)
         values ($1, 'fact-find-ai', 'Fact Find AI', 'joined', '2027-02-01', '2027-02-09', 9, now(), 740)`,
        'team',
      ],
      ['who leaves', 'delete from team_members where user_id = $1', 'colleague'],
      [
        'a subscription that is gone',
        `delete from tool_subscriptions where user_id = $1 and tool_id = 'fact-find-ai'`,
        'id',
      ],
    ];
    for (const [what, text, of] of own) {
      const before = await version();
      await rowsOf(app, text, [them[of]]);
      expect(await version(), `${what} of a stranger`).toBe(before);
      await rowsOf(app, text, [me[of]]);
      expect(await version(), what).not.toBe(before);
    }
    const identity = trialIdentityOf(user.email);
    await rowsOf(
      app,
      `insert into trial_uses (identity, tool_id, subscription_id)
       select $1, 'risk-profile-ai', id from tool_subscriptions where user_id = $2 limit 1`,
      [identity, stranger.user.id],
    );
    const all: [what: string, text: string, values?: string[]][] = [
      [
        'a trial of the same mailbox',
        `insert into trial_uses (identity, tool_id) values ($1, 'fact-find-ai')`,
        [identity],
      ],
      ['what became of that trial', 'update tool_subscriptions set updated_at = now() where user_id = $1', [them.id]],
      ['a tool', `update tools set base_price = '31.00' where id = 'fact-find-ai'`],
      ['a volume discount', 'update discount_tiers set description = description'],
    ];
    for (const [what, text, values = []] of all) {
      const before = await version();
      await rowsOf(app, text, values);
      expect(await version(), what).not.toBe(before);
    }
  });
});
