import { expect, it } from 'vitest';
import type { ForecastCharge } from '#shared/rules/forecast.ts';
import { hour } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import type { InvoiceLine } from '#shared/schema/billing.ts';
import { seededRandom } from '#server/dev/seeded-random.ts';
import { findPayerFacts, type Payer, payerOf, teamPayer, userPayer } from '#server/payers/service.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { confirm, DAY, rowsOf, shown } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';
import { expireSubscriptions, remindOfRenewals } from './jobs.ts';
import { forecastFor, freeAccessChanged, membershipChanged, teamSizeChanged } from './service.ts';

/**
 * Generated lives of payers over months: whatever they do, each invoice is what the last forecast before it said, line by
 * line, and each charge that was forecast comes. `LIVES=300 DAYS=183 npx vitest run server/subscriptions/lives.test.ts` runs the
 * large set.
 */
const lives = Number(process.env['LIVES'] ?? 10);
const days = Number(process.env['DAYS'] ?? 45);
const seed = Number(process.env['SEED'] ?? 2026);

const app = testApp();

const tools = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai', 'pre-fill-ai', 'portfolio-ai', 'share-advice-ai'];
const cards = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_chargeCustomerFail'];

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
    const { clientSecret } = (await life.agent.post('/api/billing/setup-intent').send(payerArgs(life)).expect(200))
      .body;
    const secret = clientSecret as string;
    await confirm(app, secret, pick(life.random, cards));
    const setupIntentId = secret.slice(0, secret.indexOf('_secret_'));
    await life.agent.post('/api/billing/payment-method').send({ setupIntentId, ...payerArgs(life) });
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
  ...Array<string>(3).fill('comeBack'),
  ...['cancel', 'cancelNow', 'reactivate', 'autoRenewOff', 'autoRenewOn', 'pay'].flatMap((name) => [name, name]),
  ...Object.keys(deeds),
];

type Told = ForecastCharge & { payer: Payer };

/** What is told of the charges that come until then, by payers whose dates say so. */
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

const centsOfForecast = ({ lines }: Told) => lines.map(({ cents }) => cents).filter((cents) => cents !== 0);
const centsOfInvoice = (lines: InvoiceLine[]) =>
  lines
    .flatMap(({ cents, discounts = [] }) => [cents, ...discounts.map((one) => -one.cents)])
    .filter((cents) => cents !== 0);
const ascending = (list: number[]) => list.toSorted((a, b) => a - b);

/** Whether a notice said the new amount, and why, after the renewal was written and before it was charged. */
async function isExplained({ at, payer }: Told, invoice: Record<string, unknown> | undefined): Promise<boolean> {
  if (!invoice) return false;
  const { contactId } = (await findPayerFacts(app.context.db, payer))!;
  const told = await rowsOf(
    app,
    "select message from notifications where user_id = $1 and title like 'Price%' and created_at between $2 and $3",
    [contactId, at, invoice['issued_at']],
  );
  return told.some(({ message }) => String(message).includes(formatCents(invoice['total_cents'] as number)));
}

it(`${lives} lives of ${days} days: every invoice is what was told of it`, { timeout: 3_600_000 }, async () => {
  const { clock, sandbox, context } = app;
  const all = await Promise.all(Array.from({ length: lives }, (_, index) => born(index)));
  const told = new Map<string, Told>();
  for (let today = 0; today < days; today += 1) {
    for (const life of all) {
      if (life.random() > (today === 0 ? 0.9 : 0.12)) continue;
      const deed = today === 0 ? pick(life.random, ['buy', 'trial']) : pick(life.random, wishes);
      await deeds[deed]!(life, pick(life.random, tools));
    }
    // Not the jobs that read everything again: the webhooks have to be enough.
    await expireSubscriptions(context);
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
    'select subscription_id, issued_at, total_cents, lines from invoices order by issued_at',
  );
  const wrong: unknown[] = [];
  let charges = 0;
  for (const one of told.values()) {
    if (one.at.getTime() > clock.now().getTime() - 3 * hour) continue;
    const late = ({ issued_at: issued }: Record<string, unknown>) => (issued as Date).getTime() - one.at.getTime();
    const invoice = rows.find(
      (row) => row['subscription_id'] === one.subscriptionId && late(row) >= 0 && late(row) < 3 * hour,
    );
    charges += 1;
    const lines = invoice ? ascending(centsOfInvoice(invoice['lines'] as InvoiceLine[])) : null;
    const expected = ascending(centsOfForecast(one));
    const same = invoice?.['total_cents'] === one.totalCents && lines?.join() === expected.join();
    if (!same && !(await isExplained(one, invoice)))
      wrong.push({
        tool: one.toolId,
        at: one.at,
        told: [one.totalCents, expected],
        is: invoice && [invoice['total_cents'], lines],
        payer: one.payer,
      });
  }
  expect(wrong).toEqual([]);
  expect(charges).toBeGreaterThan(lives / 2);
});
