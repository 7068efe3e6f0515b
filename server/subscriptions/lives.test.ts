import { expect, it } from 'vitest';
import type { ForecastCharge } from '#shared/rules/forecast.ts';
import { formatDate, hour, plus, sydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import type { InvoiceLine } from '#shared/schema/billing.ts';
import { seededRandom } from '#server/dev/seeded-random.ts';
import { customerDetails, findPayerFacts, type Payer, payerOf, teamPayer, userPayer } from '#server/payers/service.ts';
import { idOf } from '#server/stripe/service.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, createUser, password } from '#server/testing/factories.ts';
import { confirm, DAY, rowsOf, shown } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';
import { announcePrices, expireSubscriptions, remindOfRenewals } from './jobs.ts';
import { forecastFor, freeAccessChanged, membershipChanged, teamSizeChanged } from './service.ts';

/**
 * Generated lives of payers over months. Whatever they do, each charge that was forecast comes, and each invoice is what the last
 * forecast before it said, line by line, and what the last mail before it said, or a mail said why it changed. The large set is
 * `LIVES=300 DAYS=183 npx vitest run server/subscriptions/lives.test.ts`; three runs of 100 with SEED 2026, 2126 and 2226 are the same 300.
 */
const lives = Number(process.env['LIVES'] ?? 10);
const days = Number(process.env['DAYS'] ?? 45);
const seed = Number(process.env['SEED'] ?? 2026);

const app = testApp();

const tools = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai', 'pre-fill-ai', 'portfolio-ai', 'share-advice-ai'];
const cards = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_chargeCustomerFail'];

const inDays = (count: number) => sydneyDate(plus(app.context.now(), count * DAY));

/** Percent and months of each discount code. */
const codes = { SMALL: [4, 2], SPRING: [20, 3], DEEP: [50, 1] } as const;
async function makeCodes() {
  const admin = await administrator(app);
  const lastDay = inDays(60);
  for (const [code, [percent, months]] of Object.entries(codes)) {
    const terms = { code, percent, months, toolIds: null, lastDay, mostRedemptions: 10_000, reason: 'Lives' };
    await admin.post('/api/admin/codes', terms).expect(200);
  }
}

type Life = { agent: Agent; userId: string; teamId: string | null; payer: Payer; random: () => number };

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

async function born(index: number): Promise<Life> {
  const random = seededRandom(seed + index);
  const { agent, user } = await app.signedIn({ membershipType: random() < 0.2 ? 'shaw_partners' : 'standard' });
  const members = pick(random, [1, 3, 4, 6]);
  const teamId = random() < 0.35 ? (await createTeam(app.context, { ownerId: user.id, members })).team.id : null;
  return { agent, userId: user.id, teamId, payer: teamId ? teamPayer(teamId) : userPayer(user.id), random };
}

const payerArgs = ({ teamId }: Life) => (teamId ? { teamId } : {});

/** Pays with a typed card where the answer asks for one. */
async function giveCard(life: Life, toolId: string, { body }: { body: unknown }) {
  const { clientSecret } = body as { clientSecret?: string | null };
  if (!clientSecret) return;
  await confirm(app, clientSecret, 'pm_card_visa');
  await life.agent.post(`/api/subscriptions/${toolId}/sync`).send(payerArgs(life));
}

/** What a payer may do on a day. A refusal (nothing to cancel, too late) is part of life. */
const deeds: Record<string, (life: Life, toolId: string) => Promise<unknown>> = {
  buy: async (life, toolId) => {
    const { status } = (await shown(life.agent, toolId, life.teamId)) ?? { status: 'expired' };
    if (status !== 'expired') return;
    const { body } = await life.agent
      .post('/api/create-subscription')
      .send({ toolId, ...payerArgs(life) })
      .expect(200);
    const { clientSecret } = body as { clientSecret: string | null };
    if (clientSecret) await confirm(app, clientSecret, 'pm_card_visa');
    await life.agent.post(`/api/subscriptions/${toolId}/sync`).send(payerArgs(life)).expect(200);
  },
  buyWithCode: async (life, toolId) => {
    const trial = life.random() < 0.3;
    const code = pick(life.random, Object.keys(codes));
    const answer = await life.agent
      .post('/api/create-subscription')
      .send({ toolId, code, ...(trial && { trial }), ...payerArgs(life) });
    await giveCard(life, toolId, answer);
  },
  freeMonths: async (life, toolId) => {
    const row = await shown(life.agent, toolId, life.teamId);
    if (!row) return;
    const admin = await administrator(app); // months on, the last administrator's session is over
    const asked = { months: pick(life.random, [1, 2]), all: life.random() < 0.3 };
    const path = `/api/admin/subscriptions/${row.id}/free-months`;
    const { savedCents } = (await admin.agent.get(path).query(asked)).body as { savedCents?: number | null };
    if (savedCents != null) await admin.post(path, { ...asked, savedCents, reason: 'Sorry' }).expect(200);
  },
  price: async ({ random }, toolId) => {
    const admin = await administrator(app);
    const path = `/api/admin/tools/${toolId}`;
    const { unitCents: currentCents } = (await admin.agent.get(`${path}/prices`).expect(200)).body as {
      unitCents: number;
    };
    const priceCents = Math.max(500, currentCents + Math.round((random() - 0.4) * 20) * 100);
    if (priceCents === currentCents) return;
    // A higher price comes with notice; one in five is for new subscribers only.
    const startsOn = random() < 0.8 ? inDays(priceCents > currentCents ? 33 : 2) : undefined;
    await admin.post(`${path}/price`, { priceCents, currentCents, startsOn, reason: 'Searches' }).expect(200);
  },
  trial: (life, toolId) =>
    life.agent.post('/api/create-subscription').send({ toolId, trial: true, ...payerArgs(life) }),
  cancel: (life, toolId) => life.agent.post('/api/cancel-subscription').send({ toolId, ...payerArgs(life) }),
  cancelNow: (life, toolId) =>
    life.agent.post('/api/cancel-subscription').send({ toolId, cancelImmediately: true, ...payerArgs(life) }),
  reactivate: async (life, toolId) =>
    giveCard(life, toolId, await life.agent.post('/api/reactivate-subscription').send({ toolId, ...payerArgs(life) })),
  autoRenewOff: (life, toolId) =>
    life.agent.patch(`/api/subscriptions/${toolId}/auto-renew`).send({ autoRenew: false, ...payerArgs(life) }),
  autoRenewOn: (life, toolId) =>
    life.agent.patch(`/api/subscriptions/${toolId}/auto-renew`).send({ autoRenew: true, ...payerArgs(life) }),
  pay: (life, toolId) => life.agent.post(`/api/subscriptions/${toolId}/pay`).send(payerArgs(life)),
  comeBack: async (life, toolId) => {
    const { body } = await life.agent.get('/api/winback/offers').expect(200);
    const found = (
      body as { toolId: string; teamId: string | null; offers: { offerId: string; discountPercentage: number }[] }[]
    ).find((one) => one.toolId === toolId && one.teamId === life.teamId);
    const offer = found && pick(life.random, found.offers);
    if (!offer) return;
    const { offerId, discountPercentage } = offer;
    const answer = await life.agent
      .post('/api/resubscribe')
      .send({ toolId, offerId, discountPercentage, ...payerArgs(life) });
    await giveCard(life, toolId, answer);
  },
  newCard: async (life) => {
    // A team's card needs a fresh proof, and 300 lives take hours.
    if (life.teamId) await life.agent.post('/api/user/proof').send({ password }).expect(200);
    const { clientSecret } = (await life.agent.post('/api/billing/setup-intent').send(payerArgs(life)).expect(200))
      .body;
    const secret = clientSecret as string;
    await confirm(app, secret, pick(life.random, cards));
    const setupIntentId = secret.slice(0, secret.indexOf('_secret_'));
    await life.agent.post('/api/billing/payment-method').send({ setupIntentId, ...payerArgs(life) });
  },
  refund: async ({ payer }) => {
    const { stripe } = app.context.payments;
    const { stripeCustomerId: customer } = await customerDetails(app.context.db, payer);
    const paid = customer && (await stripe.charges.list({ customer, limit: 1 })).data[0];
    if (paid && paid.status === 'succeeded' && paid.amount_refunded === 0)
      await stripe.refunds.create({ payment_intent: idOf(paid.payment_intent)!, amount: 100 });
  },
  memberJoins: async ({ teamId }) => {
    if (!teamId) return;
    const { id } = await createUser(app.context, { membershipType: 'team' });
    await rowsOf(app, "insert into team_members (team_id, user_id, role) values ($1, $2, 'member')", [teamId, id]);
    await teamSizeChanged(app.context, teamId);
  },
  memberLeaves: async ({ agent, teamId }) => {
    if (!teamId) return;
    const [member] = await rowsOf(app, "select user_id from team_members where team_id = $1 and role = 'member'", [
      teamId,
    ]);
    if (member) await agent.delete(`/api/teams/${teamId}/members/${String(member['user_id'])}`);
  },
  grant: async ({ userId, random }) => {
    await rowsOf(app, 'update users set free_access_granted = $2 where id = $1', [userId, random() < 0.5]);
    await freeAccessChanged(app.context, userId);
  },
  partner: async ({ userId, random }) => {
    const type = random() < 0.5 ? 'shaw_partners' : 'standard';
    await rowsOf(app, 'update users set membership_type = $2 where id = $1', [userId, type]);
    await membershipChanged(app.context, userId);
  },
};

/** How often each deed is chosen. */
const wishes = [
  ...Array<string>(5).fill('buy'),
  ...Array<string>(3).fill('trial'),
  ...Array<string>(3).fill('buyWithCode'),
  ...Array<string>(3).fill('comeBack'),
  ...['cancel', 'cancelNow', 'reactivate', 'autoRenewOff', 'autoRenewOn', 'pay'].flatMap((name) => [name, name]),
  ...Object.keys(deeds),
];

type Told = ForecastCharge & { payer: Payer };

/** The charges forecast until then, for payers with a date before it. */
async function toldUntil(stop: number): Promise<Told[]> {
  const due = await rowsOf(
    app,
    `select distinct user_id, team_id from tool_subscriptions where is_active
     and least(coalesce(end_date, 'infinity'), coalesce(trial_end_date, 'infinity')) <= $1`,
    [new Date(stop)],
  );
  const all = await Promise.all(
    due.map(async (row) => {
      const payer = payerOf({ userId: row['user_id'] as string | null, teamId: row['team_id'] as string | null });
      const { charges } = await forecastFor(app.context, payer);
      return charges.filter(({ at }) => at.getTime() <= stop).map((charge) => ({ ...charge, payer }));
    }),
  );
  return all.flat();
}

/** Credit is taken off when an invoice is paid; it is not one of its lines. */
const centsOfForecast = ({ lines }: Told) =>
  lines.flatMap(({ kind, cents }) => (kind === 'credit' || cents === 0 ? [] : [cents]));
const centsOfInvoice = (lines: InvoiceLine[]) =>
  lines
    .flatMap(({ cents, discounts = [] }) => [cents, ...discounts.map((one) => -one.cents)])
    .filter((cents) => cents !== 0);
const ascending = (list: number[]) => list.toSorted((a, b) => a - b);

type Row = Record<string, unknown>;

/** What the last mail before the invoice said that this charge would come to; null where none spoke of it. */
async function toldByMail({ at, payer, toolName }: Told, issuedAt: unknown) {
  const { contactId, zone } = (await findPayerFacts(app.context.db, payer))!;
  const mails = await rowsOf(
    app,
    `select text_body, created_at from mails where to_address = (select email from users where id = $1) and created_at <= $2
     order by created_at desc`,
    [contactId, issuedAt],
  );
  // Midnight may lie between a renewal and the charge of its draft an hour later.
  const days = [-hour, 0, hour].map((ms) => formatDate(plus(at, ms), zone));
  const [tool, day, amount] = [toolName, `(?:${days.join('|')})`, '(\\$[\\d,.]+\\d|nothing)'];
  const says = [
    `${tool}(?:[^.]|\\.\\d\\d)*\\. On ${day} ${amount} is charged(?:[^.]|\\.\\d\\d)*, because members joined`,
    `${tool} renews on ${day} for ${amount}`,
    `free trial of ${tool} ends on ${day}\\. It then continues for ${amount}`,
    `${tool}[^.]* costs ${amount}(?: a month)? from ${day}`,
    `${tool}[^.]* costs \\S+ a month, GST included\\. The next charge is ${amount} on ${day}`,
  ].map((pattern) => new RegExp(pattern));
  for (const { text_body: body, created_at: sentAt } of mails) {
    const text = String(body).replaceAll(/\s+/g, ' ');
    if (!text.includes(tool)) continue;
    for (const pattern of says) {
      const found = pattern.exec(text)?.[1];
      if (found) return { amount: found === 'nothing' ? formatCents(0) : found, sentAt: sentAt as Date };
    }
  }
  return null;
}

it(`${lives} lives of ${days} days: every invoice is what was told of it`, { timeout: 14_400_000 }, async () => {
  const { clock, sandbox, context } = app;
  await makeCodes();
  const all: Life[] = [];
  for (let index = 0; index < lives; index += 1) all.push(await born(index));
  const told = new Map<string, Told>();
  for (let today = 0; today < days; today += 1) {
    for (const life of all) {
      if (life.random() > (today === 0 ? 0.9 : 0.12)) continue;
      const deed = today === 0 ? pick(life.random, ['buy', 'trial']) : pick(life.random, wishes);
      await deeds[deed]!(life, pick(life.random, tools));
      await context.queue.drain();
    }
    // Not the jobs that read everything again: webhooks have to be enough.
    await expireSubscriptions(context);
    await announcePrices(context);
    await remindOfRenewals(context);
    await context.queue.drain();
    const tomorrow = clock.now().getTime() + DAY;
    for (let now = clock.now().getTime(); now < tomorrow; now = clock.now().getTime()) {
      const due = (await sandbox!.nextDue())?.getTime() ?? tomorrow;
      const stop = Math.min(tomorrow, Math.max(due, now));
      for (const one of await toldUntil(stop)) told.set(`${one.subscriptionId} ${one.at.toISOString()}`, one);
      if (stop > now) await clock.advance(stop - now);
      await sandbox!.tick();
      await context.queue.drain();
    }
  }

  const rows = await rowsOf(
    app,
    'select subscription_id, issued_at, status, total_cents, amount_paid_cents, lines from invoices order by issued_at',
  );
  const cancelled = await rowsOf(app, 'select id, cancelled_at from tool_subscriptions where cancelled_at is not null');
  const wrong: unknown[] = [];
  let charges = 0;
  for (const one of told.values()) {
    if (one.at.getTime() > clock.now().getTime() - 3 * hour) continue;
    const late = ({ issued_at: issued }: Row) => (issued as Date).getTime() - one.at.getTime();
    const invoice = rows.find(
      (row) => row['subscription_id'] === one.subscriptionId && late(row) >= 0 && late(row) < 3 * hour,
    );
    charges += 1;
    const lines = invoice ? ascending(centsOfInvoice(invoice['lines'] as InvoiceLine[])) : null;
    const expected = ascending(centsOfForecast(one));
    const mailed = invoice ? await toldByMail(one, invoice['issued_at']) : null;
    const isBill = lines?.join() === expected.join();
    // An open invoice counts as told where its lines do: its credit is still to be taken off.
    const paid = invoice?.['status'] === 'paid' ? invoice['amount_paid_cents'] : invoice?.['total_cents'];
    const charged = invoice?.['status'] !== 'paid' && isBill ? one.totalCents : paid;
    const same = isBill && charged === one.totalCents;
    const isMailed = mailed?.amount === formatCents((charged ?? 0) as number);
    // Whoever cancels while it is a draft is not charged.
    if (
      !invoice &&
      cancelled.some((row) => row['id'] === one.subscriptionId && late({ issued_at: row['cancelled_at'] }) < 3 * hour)
    )
      continue;
    // While a renewal is a draft its price may still change; a mail then said why.
    const isExplained = mailed !== null && mailed.sentAt >= one.at;
    if (!isMailed || !(same || isExplained))
      wrong.push({
        tool: one.toolId,
        at: one.at,
        told: [one.totalCents, expected, mailed?.amount],
        is: invoice && [charged, invoice['total_cents'], lines],
        payer: one.payer,
      });
  }
  expect(wrong).toEqual([]);
  expect(charges).toBeGreaterThan(lives / 2);
});
