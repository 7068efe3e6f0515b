import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usageAnalytics } from '#shared/schema/analytics.ts';
import { tools } from '#shared/schema/tools.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { day, hour } from '#shared/rules/dates.ts';
import { createUser, password } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';

/** The panel's figures equal those computed here, in another way, from the raw rows. */
const app = testApp();

type Report = { seconds: number | null; score: number | null };
type Session = { toolId: string; at: Date; reports: Report[] };

const toolIds = ['fact-find-ai', 'risk-profile-ai', 'lost-money-ai'];
const zone = 'Australia/Sydney';
const calendar = new Intl.DateTimeFormat('en-AU', {
  timeZone: zone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});
const dayOf = (at: Date) => calendar.format(at).split('/').toReversed().join('-');

/** Moments at which a wrong zone, or assuming 24-hour days, would show: both clock changes, and midnights. */
const edges = [
  '2026-10-03T14:00:00Z', // midnight before daylight saving starts
  '2026-10-03T16:00:00Z', // 2:00 becomes 3:00
  '2026-10-04T13:00:00Z', // midnight after
  '2026-04-04T13:00:00Z', // midnight before it ends
  '2026-04-04T16:00:00Z', // 3:00 becomes 2:00
  '2026-04-05T14:00:00Z', // midnight after
  '2027-04-03T13:00:00Z',
  '2027-04-03T16:00:00Z',
  '2027-04-04T14:00:00Z',
].map((text) => new Date(text));

const moments = (now: Date) =>
  fc
    .oneof(
      fc.integer({ min: 0, max: 40 * 24 * 3600 }).map((seconds) => new Date(now.getTime() - seconds * 1000)),
      // Midnights in Sydney, at UTC+10 and UTC+11, give or take a second.
      fc
        .tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom(13, 14), fc.constantFrom(-1000, -1, 0, 1, 1000))
        .map(([back, utcHour, ms]) => {
          const midnight = new Date(now.getTime() - back * day);
          return new Date(midnight.setUTCHours(utcHour, 0, 0, 0) + ms);
        }),
      fc
        .tuple(fc.constantFrom(...edges), fc.constantFrom(-hour, -1, 0, 1, hour))
        .map(([edge, ms]) => new Date(edge.getTime() + ms)),
    )
    .filter((at) => at <= now);

const sessions = (now: Date) =>
  fc.array(
    fc.record({
      toolId: fc.constantFrom(...toolIds),
      at: moments(now),
      reports: fc.array(
        fc.record({
          seconds: fc.option(fc.integer({ min: 0, max: 86_400 }), { freq: 5 }),
          score: fc.option(fc.integer({ min: 0, max: 1000 }), { freq: 3 }),
        }),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 60 },
  );

async function store(userId: string, all: Session[]): Promise<void> {
  const rows = all.map((session) => ({ ...session, id: randomUUID() }));
  if (rows.length === 0) return;
  await app.context.db
    .insert(toolUsage)
    .values(rows.map(({ id, toolId, at }) => ({ id, userId, toolId, createdAt: at, lastAccessed: at })));
  const events = rows.flatMap(({ id, toolId, at, reports }) =>
    reports.map(({ seconds, score }) => ({
      userId,
      toolId,
      usageId: id,
      eventId: randomUUID(),
      sessionDuration: seconds,
      performanceScore: score === null ? null : (score / 100).toFixed(2),
      date: at,
    })),
  );
  if (events.length > 0) await app.context.db.insert(usageAnalytics).values(events);
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
const secondsOf = (all: Session[]) => sum(all.flatMap(({ reports }) => reports.map((each) => each.seconds ?? 0)));
const scoresOf = (all: Session[]) =>
  all.flatMap(({ reports }) => reports.flatMap((each) => (each.score === null ? [] : [each.score / 100])));
const meanOf = (all: Session[]) => sum(scoresOf(all)) / scoresOf(all).length;

/** The last `count` days, by stepping noons: a day is never skipped, whatever the clocks do. */
const lastDaysOf = (now: Date, count: number) => {
  const noon = Date.parse(`${dayOf(now)}T01:00:00Z`);
  return Array.from({ length: count }, (_, i) => dayOf(new Date(noon - (count - 1 - i) * day)));
};

async function check(all: Session[], minutes: Map<string, number>): Promise<void> {
  const user = await createUser(app.context);
  await store(user.id, all);
  const agent = app.agent();
  await agent.post('/api/login').send({ email: user.email, password }).expect(200);
  const now = app.context.now();
  const within = (count: number) => {
    const days = new Set(lastDaysOf(now, count));
    return all.filter(({ at }) => days.has(dayOf(at)));
  };

  const { body: dashboard } = await agent.get('/api/analytics/dashboard').expect(200);
  const recent = within(30);
  const month = all.filter(({ at }) => dayOf(at).slice(0, 7) === dayOf(now).slice(0, 7));
  expect(dashboard).toMatchObject({
    totalSessions: recent.length,
    totalDuration: secondsOf(recent),
    activeSubscriptions: 0,
    scores: scoresOf(recent).length,
    everUsed: all.length > 0,
    thisMonth: { sessions: month.length, minutesSaved: sum(month.map(({ toolId }) => minutes.get(toolId)!)) },
  });
  expect(dashboard.avgPerformance).toBeCloseTo(scoresOf(recent).length > 0 ? meanOf(recent) : 0, 9);
  const newest = recent.toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, 20);
  const listed = dashboard.recentAnalytics as { date: string; toolId: string; sessionDuration?: number }[];
  expect(listed.map(({ date }) => date)).toEqual(newest.map(({ at }) => at.toISOString()));
  expect(sum(listed.map((each) => each.sessionDuration ?? 0))).toBeLessThanOrEqual(secondsOf(recent));

  for (const count of [30, 366]) {
    const { body: usage } = await agent.get(`/api/analytics/usage?days=${count}`).expect(200);
    const used = within(count);
    expect(usage.days.map(({ date, sessions }: { date: string; sessions: number }) => [date, sessions])).toEqual(
      lastDaysOf(now, count).map((date) => [date, used.filter(({ at }) => dayOf(at) === date).length]),
    );
    const byTool = usage.tools as { toolId: string; avgPerformance: number | null }[];
    expect(byTool.map(({ toolId }) => toolId).toSorted()).toEqual(
      [...new Set(used.map(({ toolId }) => toolId))].toSorted(),
    );
    for (const row of byTool) {
      const its = used.filter(({ toolId }) => toolId === row.toolId);
      expect(row).toMatchObject({
        sessions: its.length,
        durationSeconds: secondsOf(its),
        minutesSaved: its.length * minutes.get(row.toolId)!,
      });
      if (scoresOf(its).length === 0) expect(row.avgPerformance).toBeNull();
      else expect(row.avgPerformance).toBeCloseTo(meanOf(its), 9);
    }
  }
}

const minutesOfTools = async () =>
  new Map((await app.context.db.select().from(tools)).map((tool) => [tool.id, tool.minutesSaved]));

describe('figures equal those of the raw rows', () => {
  it.each([
    ['in a year with both changes of the clocks', 0],
    ['in 30 days in which summer time ends', 150 * day],
  ])(
    '%s',
    async (_name, ahead) => {
      if (ahead > 0) await app.clock.advance(ahead);
      const minutes = await minutesOfTools();
      await fc.assert(
        fc.asyncProperty(sessions(app.context.now()), (all) => check(all, minutes)),
        { numRuns: 10, seed: 20261121, endOnFailure: true },
      );
    },
    60_000,
  );

  it('tool_metrics too, over everybody’s sessions', async () => {
    const { rows } = await app.context.db.$client.query(`
      with raw as (
        select session.tool_id, (session.created_at at time zone 'Australia/Sydney')::date as date, session.id, session.user_id,
          sum(event.session_duration) as seconds, sum(event.performance_score) as score, count(event.performance_score) as scores
        from tool_usage session left join usage_analytics event on event.usage_id = session.id group by session.id)
      select coalesce(raw.tool_id, kept.tool_id) as tool, coalesce(raw.date, kept.date)::text as date
      from (select tool_id, date, count(*) as sessions, count(distinct user_id) as users, round(avg(seconds), 2) as length,
          least(round(sum(score) / nullif(sum(scores), 0), 2), case when sum(scores) > 0 then 9.99 end) as rating
          from raw group by 1, 2) raw
        full join tool_metrics kept on kept.tool_id = raw.tool_id and kept.date = raw.date
      where (raw.sessions, raw.users, raw.length, raw.rating)
        is distinct from (kept.total_sessions::bigint, kept.total_users::bigint, kept.avg_session_duration, kept.performance_rating)`);
    expect(rows).toEqual([]);
    const kept = await app.context.db.$client.query(
      'select count(*)::int as n, max(performance_rating) as best from tool_metrics',
    );
    expect(kept.rows[0].n).toBeGreaterThan(50);
    expect(Number(kept.rows[0].best)).toBeLessThanOrEqual(9.99);
  });
});

describe('GET /api/analytics/usage', () => {
  it.each(['?days=0', '?days=367', '?days=x', '?days=1.5', '?more=1', '?days=30&days=31'])(
    'refuses %s',
    async (query) => {
      const { agent } = await app.signedIn();
      await agent.get(`/api/analytics/usage${query}`).expect(400);
      await agent.get(`/api/analytics/usage.csv${query}`).expect(400);
    },
  );

  it('shows only one’s own', async () => {
    const user = await createUser(app.context);
    await store(user.id, [{ toolId: 'fact-find-ai', at: app.context.now(), reports: [{ seconds: 60, score: 900 }] }]);
    const { agent } = await app.signedIn();
    expect((await agent.get('/api/analytics/dashboard').expect(200)).body).toEqual({
      totalSessions: 0,
      totalDuration: 0,
      avgPerformance: 0,
      activeSubscriptions: 0,
      recentAnalytics: [],
      scores: 0,
      everUsed: false,
      thisMonth: { sessions: 0, minutesSaved: 0 },
    });
    expect((await agent.get('/api/analytics/usage').expect(200)).body.tools).toEqual([]);
  });

  it('remembers that a tool was used before the 30 days', async () => {
    const { agent, user } = await app.signedIn();
    const at = new Date(app.context.now().getTime() - 200 * day);
    await store(user.id, [{ toolId: 'fact-find-ai', at, reports: [] }]);
    const { body } = await agent.get('/api/analytics/dashboard').expect(200);
    expect(body).toMatchObject({ totalSessions: 0, recentAnalytics: [], everUsed: true });
  });

  it('an entry has a duration and a score only where they were reported', async () => {
    const { agent, user } = await app.signedIn();
    const at = (minutes: number) => new Date(app.context.now().getTime() - minutes * 60_000);
    await store(user.id, [
      { toolId: 'fact-find-ai', at: at(3), reports: [] },
      { toolId: 'fact-find-ai', at: at(2), reports: [{ seconds: 0, score: null }] },
      {
        toolId: 'fact-find-ai',
        at: at(1),
        reports: [
          { seconds: 60, score: 905 },
          { seconds: 61, score: 800 },
        ],
      },
    ]);
    const { body } = await agent.get('/api/analytics/dashboard').expect(200);
    const entry = { id: expect.any(String) as string, toolId: 'fact-find-ai', date: expect.any(String) as string };
    expect(body.recentAnalytics).toEqual([
      { ...entry, sessionDuration: 121, performanceScore: expect.stringMatching(/^8\.5[23]$/) as string },
      { ...entry, sessionDuration: 0 },
      entry,
    ]);
  });
});

describe('GET /api/analytics/usage.csv', () => {
  it('has a row for each session of one’s own, over several pages, newest first', async () => {
    const { agent, user } = await app.signedIn();
    const start = app.context.now().getTime();
    const many = Array.from({ length: 2001 }, (_, i) => ({
      toolId: toolIds[i % 3]!,
      // Some at the same moment: no page may lose or repeat one.
      at: new Date(start - Math.floor(i / 3) * 1000),
      reports: i === 0 ? [{ seconds: 90, score: 875 }] : [],
    }));
    for (let at = 0; at < many.length; at += 1000) await store(user.id, many.slice(at, at + 1000));
    const answer = await agent
      .get('/api/analytics/usage.csv')
      .buffer(true)
      .expect(200)
      .expect('content-type', /text\/csv/);
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="?adviserly-usage-\d{4}-\d\d-\d\d\.csv"?$/,
    );
    const lines = answer.text.split('\r\n');
    expect(lines[0]).toBe(
      '\ufeffDate (Sydney),Time (Sydney),Tool,Tool ID,Duration (seconds),Actions,Data processed (bytes),Performance (0-10),Session ID',
    );
    expect(lines).toHaveLength(2003);
    expect(new Set(lines.slice(1, -1).map((line) => line.split(',').at(-1))).size).toBe(2001);
    const reported = lines.filter((line) => /,90,0,0,8\.75,/.test(line));
    expect(reported).toHaveLength(1);
    const times = lines.slice(1, -1).map((line) => line.split(',').slice(0, 2).join(' '));
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('no spreadsheet runs what a tool is called', async () => {
    await app.context.db
      .insert(tools)
      .values({ id: 'formula', name: '=HYPERLINK("x")', basePrice: '1.00', domain: 'https://x.example' });
    const { agent, user } = await app.signedIn();
    await store(user.id, [{ toolId: 'formula', at: app.context.now(), reports: [] }]);
    expect((await agent.get('/api/analytics/usage.csv').buffer(true)).text).toContain(`"'=HYPERLINK(""x"")"`);
  });
});
