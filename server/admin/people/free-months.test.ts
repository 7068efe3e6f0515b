import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { actsApi } from '#shared/api/operators/acts.ts';
import type { billingApi } from '#shared/api/billing.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import type { subscriptionsApi } from '#shared/api/subscriptions.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy, collected, DAY, live, pass, rowsOf, type Shown, shown } from '#server/testing/purchases.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';

// Months pass in these tests.
vi.setConfig({ testTimeout: 240_000 });

const app = freshTestApp();
let admin: Awaited<ReturnType<typeof administrator>>;
beforeEach(async () => {
  admin = await administrator(app);
});

const HOUR = DAY / 24;
const reason = 'We were away for a week';
const tool = 'risk-profile-ai';
const other = 'file-note-ai';
const settle = async () => {
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
};
const outlook = async (id: string, months: number, all = false) =>
  (await admin.agent.get(`/api/admin/subscriptions/${id}/free-months?months=${months}&all=${all}`).expect(200))
    .body as Reply<typeof actsApi.freeMonthsOutlook>;
const give = (id: string, body: object) =>
  admin.post(`/api/admin/subscriptions/${id}/free-months`, { reason, all: false, ...body });
const mailsTo = async (email: string, kind: string) =>
  (await rowsOf(app, 'select text_body as text from mails where to_address = $1 and kind = $2', [email, kind])).map(
    ({ text }) => String(text),
  );

type Payer = { agent: Agent; user: { id: string; email: string }; teamId?: string };
const forecastOf = async ({ agent, teamId }: Payer) =>
  (await agent.get(`/api/billing/forecast${teamId ? `?teamId=${teamId}` : ''}`).expect(200)).body as Reply<
    typeof billingApi.forecast
  >;

type Case = [
  what: string,
  prepare: () => Promise<Payer>,
  months: number,
  all: boolean,
  savedCents: number,
  /** What each bill after the grant comes to; null where part of a month is on it. */
  charged: (number | null)[],
];

const subscribed = async (...tools: string[]): Promise<Payer> => {
  const { agent, user } = await app.signedIn();
  for (const one of tools) await buy(app, agent, one);
  await settle();
  return { agent, user };
};

const cases: Case[] = [
  ['two months of a tool', () => subscribed(tool), 2, false, 6000, [0, 0, 3000, 3000]],
  ['a month of two tools with a volume discount', () => subscribed(tool, other), 1, true, 5225, [0, 5225, 5225]],
  ['a month of one of two tools', () => subscribed(tool, other), 1, false, 2850, [2375, 5225, 5225]],
  [
    'a month behind a trial',
    async () => {
      const payer = await subscribed(other);
      await live(app, 3 * DAY);
      await payer.agent.post('/api/create-subscription').send({ toolId: tool, trial: true }).expect(200);
      await settle();
      return payer;
    },
    1,
    false,
    2850,
    // The days from the trial's end to its first bill are charged: a free month is a whole one.
    [2375, null, 5225],
  ],
  [
    'a month within a win-back offer',
    async () => {
      const payer = await subscribed(tool);
      await payer.agent.post('/api/cancel-subscription').send({ toolId: tool, cancelImmediately: true }).expect(200);
      await pass(app, 7 * DAY + HOUR);
      const { body } = await payer.agent.get('/api/winback/offers').expect(200);
      const [offer] = (body as Reply<typeof subscriptionsApi.winBackOffers>)[0]!.offers;
      await payer.agent
        .post('/api/resubscribe')
        .send({
          toolId: tool,
          offerId: offer!.offerId,
          discountPercentage: offer!.discountPercentage,
          charge: { cents: offer!.dueTodayCents, last4: '4242' },
        })
        .expect(200);
      await settle();
      return payer;
    },
    1,
    false,
    2100,
    [0, 2100, 2100, 3000],
  ],
  [
    'a month for a team of three',
    async () => {
      const { agent, user } = await app.signedIn();
      const { team } = await createTeam(app.context, { ownerId: user.id, members: 2 });
      await buy(app, agent, tool, 'pm_card_visa', { teamId: team.id });
      await settle();
      return { agent, user, teamId: team.id };
    },
    1,
    false,
    9000,
    [0, 9000, 9000],
  ],
];

/** Each test starts on the same day of a month, with no subscriptions left from the one before. */
beforeEach(async () => {
  const { data } = await app.context.payments.stripe.subscriptions.list({ limit: 100 });
  for (const { id } of data) await app.context.payments.stripe.subscriptions.cancel(id);
  await settle();
  const now = app.context.now();
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 5));
  await pass(app, day.getTime() - now.getTime());
});

describe('free months', () => {
  it.each(cases)(
    'agree in preview, forecast, invoices and mails with what Stripe charges: %s',
    async (_what, prepare, months, all, savedCents, charged) => {
      const payer = await prepare();
      const { agent, user, teamId = null } = payer;
      const owner = teamId ?? user.id;
      const { id } = (await shown(agent, tool, teamId))!;
      const before = await outlook(id, months, all);
      expect(before.savedCents).toBe(savedCents);
      await give(id, { months, all, savedCents: savedCents + 1 }).expect(409);
      await give(id, { months, all, savedCents }).expect(200);
      await settle();
      const [mail] = await mailsTo(user.email, 'free-months');
      expect(mail).toContain(`The reason: ${reason}`);
      // The bill may still ask for other tools, so only the months are called free.
      expect(mail).toMatch(/ free of [^.]+, (the first )?from \d+\s\w+\s\d{4}\./);
      for (const cents of charged) {
        const { bill } = await forecastOf(payer);
        if (cents !== null) expect(bill?.totalCents).toBe(cents);
        const paid = await collected(app, owner);
        await live(app, new Date(bill!.at).getTime() - app.context.now().getTime() - HOUR);
        expect(await collected(app, owner)).toBe(paid);
        await live(app, 4 * HOUR);
        expect(await collected(app, owner)).toBe(paid + bill!.totalCents);
      }
      const free = await rowsOf(
        app,
        `select line from bills, jsonb_array_elements(lines) line
         where coalesce(team_id, user_id) = $1 and line @> '{"discounts": [{"kind": "free_month"}]}'`,
        [owner],
      );
      expect(free).toHaveLength(months * (all ? 2 : 1));
      expect(await app.context.queue.failed(10)).toEqual([]);
    },
  );

  it('go by the last days of shorter months where they began on a 31st, at Stripe as in the preview', async () => {
    const now = app.context.now();
    const begins = new Date(Date.UTC(now.getUTCFullYear() + 1, 0, 31, 2));
    await pass(app, begins.getTime() - now.getTime());
    const payer = await subscribed(tool);
    const { id } = (await shown(payer.agent, tool))!;
    const { preview } = await outlook(id, 2);
    const lastOf = (month: number) => new Date(Date.UTC(begins.getUTCFullYear(), month, 0, 2));
    const on = (month: number) => formatSydneyDate(lastOf(month));
    expect(preview[0]).toBe(
      `Risk Profile AI: $30.00 on ${on(2)} and $30.00 on ${on(3)} are not charged. It costs $30.00 from ${on(4)}.`,
    );
    await give(id, { months: 2, savedCents: 6000 }).expect(200);
    await settle();
    const { bill, later } = await forecastOf(payer);
    expect([bill!.totalCents, formatSydneyDate(new Date(bill!.at))]).toEqual([0, on(2)]);
    expect([later!.monthCents, formatSydneyDate(new Date(later!.at))]).toEqual([3000, on(4)]);
    await live(app, lastOf(5).getTime() + 4 * HOUR - begins.getTime());
    const invoices = await rowsOf(
      app,
      'select issued_at, total_cents from invoices where user_id = $1 order by issued_at',
      [payer.user.id],
    );
    expect(invoices.map((row) => [formatSydneyDate(row['issued_at'] as Date), row['total_cents']])).toEqual([
      [on(1), 3000],
      [on(4), 3000],
      [on(5), 3000],
    ]);
    expect(await app.context.queue.failed(10)).toEqual([]);
  });

  it('bring no credit to whoever leaves in one', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id, members: 2 });
    const [member] = await rowsOf(
      app,
      "select user_id as id from team_members where team_id = $1 and role = 'member'",
      [team.id],
    );
    await buy(app, agent, tool, 'pm_card_visa', { teamId: team.id });
    await settle();
    const { id } = (await shown(agent, tool, team.id))!;
    await give(id, { months: 1, savedCents: 9000 }).expect(200);
    await settle();
    // Into the free month: a member who leaves brings no credit, since nothing was paid for them.
    await live(app, 40 * DAY);
    await agent
      .delete(`/api/teams/${team.id}/members/${String(member!['id'])}`)
      .send({})
      .expect(200);
    await settle();
    const { bill } = await forecastOf({ agent, user, teamId: team.id });
    expect(bill!.parts.filter(({ cents }) => cents !== 0)).toEqual([]);
    expect(bill!.totalCents).toBe(6000);
    const paid = await collected(app, team.id);
    await live(app, 25 * DAY);
    expect(await collected(app, team.id)).toBe(paid + 6000);
    expect(await app.context.queue.failed(10)).toEqual([]);
  });

  it('follow a trial that is extended, and are given to nothing that ends, costs nothing or has had twelve', async () => {
    const payer = await subscribed(other);
    const { agent } = payer;
    await agent.post('/api/create-subscription').send({ toolId: tool, trial: true }).expect(200);
    await settle();
    const { id, trialEndDate } = (await shown(agent, tool))!;
    await give(id, { months: 1, savedCents: 2850 }).expect(200);
    await admin
      .post(`/api/admin/subscriptions/${id}/extend-trial`, { days: 30, from: trialEndDate, reason })
      .expect(200);
    await settle();
    const { freeUntil } = (await shown(agent, tool)) as Shown & { freeUntil: string | null };
    expect(Math.round((new Date(freeUntil!).getTime() - new Date(trialEndDate!).getTime()) / DAY)).toBeGreaterThan(57);

    expect((await outlook(id, 12)).savedCents).toBeNull();
    const own = (await shown(agent, other))!;
    await agent.post('/api/cancel-subscription').send({ toolId: other }).expect(200);
    expect((await outlook(own.id, 1)).savedCents).toBeNull();
    const refused = await give(own.id, { months: 1, savedCents: 0 }).expect(409);
    expect((refused.body as { code: string }).code).toBe('nothing_to_free');
    for (const months of [0, 13, 1.5])
      expect((await give(id, { months, savedCents: 1 }).expect(400)).body).toMatchObject({
        fields: { months: 'Months must be a whole number from 1 to 12' },
      });
  });
});

describe('where four eyes are demanded', () => {
  const strict = freshTestApp({ FOUR_EYES: 'on' });

  it('free months are given at once, and can be taken back until one has begun', async () => {
    const first = await administrator(strict);
    const second = await administrator(strict);
    const { agent, user } = await strict.signedIn();
    await buy(strict, agent, tool);
    await strict.sandbox!.deliverPending();
    await strict.context.queue.drain();
    const { id } = (await shown(agent, tool))!;
    const give = async () => {
      await first
        .post(`/api/admin/subscriptions/${id}/free-months`, { months: 1, all: false, savedCents: 3000, reason })
        .expect(200);
      const [row] = await rowsOf(strict, "select id from acts where kind = 'free_months' and undone_at is null");
      return String(row!['id']);
    };
    const nextCents = async () => {
      await strict.context.queue.drain();
      return (await forecastOf({ agent, user })).bill!.totalCents;
    };
    const atStripe = async () =>
      (await strict.context.payments.stripe.invoices.createPreview({ subscription: await subscriptionOf() })).total;
    const subscriptionOf = async () =>
      String(
        (await rowsOf(strict, 'select stripe_subscription_id as id from users where id = $1', [user.id]))[0]!['id'],
      );
    const given = await give();
    expect([await nextCents(), await atStripe()]).toEqual([0, 0]);

    await second.post(`/api/admin/approvals/${given}/undo`, { reason }).expect(200);
    expect([await nextCents(), await atStripe()]).toEqual([3000, 3000]);
    const kinds = await rowsOf(strict, 'select kind from mails where to_address = $1', [user.email]);
    expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['free-months', 'free-months-taken-back']));
    const { body } = await first.agent.get(`/api/admin/users/${user.id}/timeline?kind=act`).expect(200);
    const sentences = (body as { rows: { sentence: string }[] }).rows.map(({ sentence }) => sentence);
    expect(sentences).toContain(`Alex Nguyen gave Alex Nguyen a free month of Risk Profile AI: “${reason}”.`);

    // Once the free months have begun, they stay.
    const again = await give();
    await rowsOf(strict, `update acts set parameters = jsonb_set(parameters, '{given,0,begins}', $1) where id = $2`, [
      JSON.stringify(new Date(0).toISOString()),
      again,
    ]);
    const late = await second.post(`/api/admin/approvals/${again}/undo`, { reason }).expect(409);
    expect((late.body as { code: string }).code).toBe('free_months_began');
  });

  it('nobody gives them to a team of their own', async () => {
    const admin = await administrator(strict);
    const { team } = await createTeam(strict.context, { ownerId: admin.user.id });
    await buy(strict, admin.agent, tool, 'pm_card_visa', { teamId: team.id });
    const { id } = (await shown(admin.agent, tool, team.id))!;
    const asked = { months: 1, all: false, savedCents: 3000, reason };
    const refused = await admin.post(`/api/admin/subscriptions/${id}/free-months`, asked).expect(409);
    expect((refused.body as { code: string }).code).toBe('own_favour');
  });
});
