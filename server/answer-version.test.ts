import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import type { Api } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { versionFrom, versionTables } from './answer-version.ts';
import { trialIdentityOf } from './payers/service.ts';
import { createTeam, createUser } from './testing/factories.ts';
import { rowsOf } from './testing/purchases.ts';
import { testApp } from './testing/test-app.ts';

const app = testApp();

const tableNames = Object.values(import.meta.glob<Record<string, unknown>>('../shared/schema/*.ts', { eager: true }))
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
    // It is made of the answers of others, which are made again at the end of a minute.
    for (const path of calls.filter((one) => one !== '/api/dashboard')) {
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

  it('is another after each write that the answers of an owner are made of, and stays after a stranger’s', async () => {
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
