import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { plus, sydneyDate } from '#shared/rules/dates.ts';
import { seededRandom } from '#server/dev/seeded-random.ts';
import { type Payer, requirePayerFacts, teamPayer, userPayer } from '#server/payers/service.ts';
import { transaction } from '#server/platform/data/database.ts';
import { within } from '#server/platform/context.ts';
import { idOf } from '#server/stripe/ask.ts';
import { findInvoice, lineKey } from '#server/stripe/invoices.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, createUser, password } from '#server/testing/factories.ts';
import { confirm, DAY, rowsOf, shown } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';
import { runDueJobs } from '#server/jobs.ts';
import { freeAccessChanged } from './change/free-access.ts';
import { memberJoined } from './change/seats.ts';
import { queueMirror } from './effects.ts';

/**
 * Generated lives of payers over months. Whatever they do, each bill was told before it was charged, line by line, Stripe's invoice has
 * those lines, and the parts of a month that a person was charged for a tool add up to their days. The large set is
 * `LIVES=300 DAYS=183 npx vitest run server/subscriptions/lives.test.ts`; three runs of 100 with SEED 2026, 2126 and 2226 are the same 300.
 */
const lives = Number(process.env['LIVES'] ?? 20);
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
    const wanted = { toolId, ...payerArgs(life) };
    const opened = await life.agent.post('/api/create-subscription').send(wanted);
    // What credit pays, or what waits for the next bill, nobody has agreed to yet: the form shows it, and the press names it.
    const isAsked = (opened.body as { code?: string }).code === 'price_changed';
    const { body, ...answer } = isAsked
      ? await life.agent.post('/api/create-subscription').send({ ...wanted, charge: { cents: 0, last4: '4242' } })
      : opened;
    // Nothing is sold while a bill is in grace.
    if ((body as { code?: string }).code === 'bill_unpaid') return;
    expect([answer.status, (body as { code?: string }).code]).toEqual([200, undefined]);
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
  pay: async (life) => {
    const { body } = await life.agent.get('/api/billing/forecast').query(payerArgs(life)).expect(200);
    const { owed, card } = body as { owed: { dueCents: number } | null; card: { last4: string } | null };
    if (owed && card)
      await life.agent
        .post('/api/billing/pay')
        .send({ ...payerArgs(life), charge: { cents: owed.dueCents, last4: card.last4 } });
  },
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
    const { stripeCustomerId: customer } = await requirePayerFacts(app.context.db, payer);
    const paid = customer && (await stripe.charges.list({ customer, limit: 1 })).data[0];
    if (paid && paid.status === 'succeeded' && paid.amount_refunded === 0)
      await stripe.refunds.create({ payment_intent: idOf(paid.payment_intent)!, amount: 100 });
  },
  memberJoins: async ({ teamId }) => {
    if (!teamId) return;
    const [count] = await rowsOf(app, 'select count(*)::int as n from team_members where team_id = $1', [teamId]);
    if (Number(count!['n']) >= 19) return;
    const { id, firstName, lastName } = await createUser(app.context, { membershipType: 'team' });
    await transaction(app.context.db, async (tx) => {
      await tx.execute(sql`insert into team_members (team_id, user_id, role) values (${teamId}, ${id}, 'member')`);
      await memberJoined(within(app.context, tx), teamId, { id, name: `${firstName} ${lastName}` });
    });
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
    await queueMirror(app.context, userPayer(userId));
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

type Amount = { cents: number; baseCents?: number };
type StoredBill = {
  id: string;
  kind: string;
  status: string;
  at: Date;
  lines: (Amount & { toolId: string })[];
  parts: (Amount & { toolId: string; person: string | null; id: string | null })[];
  total_cents: number;
  stripe_invoice_id: string | null;
  user_id: string | null;
  team_id: string | null;
};
type StoredTold = Pick<StoredBill, 'lines' | 'parts' | 'user_id' | 'team_id' | 'total_cents'> & {
  told_at: Date;
  bill_at: Date | null;
  subject: string;
};
type StoredInvoice = {
  stripe_invoice_id: string;
  status: string;
  issued_at: Date;
  amount_paid_cents: number;
  total_cents: number;
};

const table = async <T>(text: string) => (await rowsOf(app, text)) as unknown as T[];

/** What a bill charges, by tool and person, without what is nothing. */
const wordsOf = ({ lines, parts }: Pick<StoredBill, 'lines' | 'parts'>) =>
  [
    ...lines.map(({ toolId, cents }) => `${toolId} ${cents}`),
    ...parts.map(({ toolId, person, cents }) => `${toolId} ${person ?? 'part'} ${cents}`),
  ]
    .filter((text) => !text.endsWith(' 0'))
    .toSorted();

type OfTool = { toolId: string; cents: number };

/** What is charged for each tool, in words. */
function byTool(amounts: readonly OfTool[]): string[] {
  const sums = new Map<string, number>();
  for (const { toolId, cents } of amounts) sums.set(toolId, (sums.get(toolId) ?? 0) + cents);
  return [...sums]
    .filter(([, cents]) => cents !== 0)
    .map(([toolId, cents]) => `${toolId} ${cents}`)
    .toSorted();
}

/** The lines of an invoice at Stripe as it was issued, and less what was credited before it was paid. */
async function linesAtStripe(id: string) {
  const invoice = await findInvoice(app.context, id);
  const notes = await app.context.payments.stripe.creditNotes.list({ invoice: id, limit: 100 });
  const credited = notes.data.filter(({ type }) => type === 'pre_payment').flatMap(({ lines }) => lines.data);
  const lines = invoice!.lines.data.map((line) => ({
    toolId: lineKey(line).toolId ?? line.metadata['toolId'] ?? '',
    issued: line.amount,
    left: credited.reduce((left, one) => left - (one.invoice_line_item === line.id ? one.amount : 0), line.amount),
  }));
  const of = (amount: 'issued' | 'left') => byTool(lines.map((line) => ({ toolId: line.toolId, cents: line[amount] })));
  return { issued: of('issued'), left: of('left'), isCredited: credited.length > 0 };
}

/** Each monthly bill that was charged: what the payer was told last before it was issued, and what Stripe's invoice has. */
async function wrongBills() {
  const bills = await table<StoredBill>("select * from bills where kind in ('month', 'closing') order by at");
  const told = await table<StoredTold>('select * from told_bills order by told_at');
  const invoices = await table<StoredInvoice>('select * from invoices');
  // One of the last hours may not be issued yet.
  const settled = app.context.now().getTime() - DAY / 8;
  const charged = bills.filter(({ at, total_cents: cents }) => at.getTime() < settled && cents > 0);
  const wrong: object[] = [];
  for (const bill of charged) {
    const invoice = invoices.find((one) => one.stripe_invoice_id === bill.stripe_invoice_id);
    if (!invoice) {
      wrong.push({ bill, fault: 'has no invoice' });
      continue;
    }
    const last = told.findLast(
      (one) =>
        one.user_id === bill.user_id &&
        one.team_id === bill.team_id &&
        one.told_at <= invoice.issued_at &&
        one.bill_at?.getTime() === bill.at.getTime(),
    );
    const atStripe = await linesAtStripe(invoice.stripe_invoice_id);
    // A tool that was cancelled in grace came off the bill after it was told and issued.
    const isTold = atStripe.isCredited
      ? last && byTool([...last.lines, ...last.parts]).join() === atStripe.issued.join()
      : last && wordsOf(last).join() === wordsOf(bill).join() && last.total_cents === bill.total_cents;
    const lines = atStripe.left;
    const isInvoiced = lines.join() === byTool([...bill.lines, ...bill.parts]).join();
    const isPaid = invoice.status !== 'paid' || invoice.amount_paid_cents === bill.total_cents;
    if (!isTold || !isInvoiced || !isPaid)
      wrong.push({
        at: bill.at,
        bill: wordsOf(bill),
        told: last ? [wordsOf(last), last.total_cents] : 'nothing was told',
        issued: atStripe.issued,
        lines,
        kind: bill.kind,
        status: bill.status,
        total: bill.total_cents,
        paid: invoice.amount_paid_cents,
      });
  }
  return { wrong, charged: charged.length };
}

type Seat = {
  tool_id: string;
  person_id: string;
  period_end: Date;
  cents: number;
  days: number;
  subscription_id: string;
};

/** For each person, tool and period: what joins and leaves charged is the price of the days that they add up to. */
async function wrongSeats() {
  const seats = await table<Seat & { most_cents: number; most_days: number }>(
    `select subscription_id, person_id, period_end, sum(cents)::int as cents, sum(days)::int as days,
       (array_agg(cents order by abs(days) desc, id))[1] as most_cents, (array_agg(days order by abs(days) desc, id))[1] as most_days
     from adjustments where person_id is not null and split_of is null group by 1, 2, 3`,
  );
  const wrong = seats.filter(({ days, cents, most_days: most, most_cents: mostCents }) => {
    if (most === 0) return cents !== 0;
    // The price of a day is within a cent of the longest change's.
    return Math.abs(cents - (mostCents / most) * days) > Math.abs(days / most) + 1;
  });
  return { wrong, seats: seats.length };
}

it(`${lives} lives of ${days} days: every bill is what was told of it`, { timeout: 14_400_000 }, async () => {
  const { clock, sandbox, context } = app;
  await makeCodes();
  const all: Life[] = [];
  for (let index = 0; index < lives; index += 1) all.push(await born(index));
  for (let today = 0; today < days; today += 1) {
    for (const life of all) {
      if (life.teamId && life.random() < 0.1)
        await deeds[pick(life.random, ['memberJoins', 'memberJoins', 'memberLeaves'])]!(life, tools[0]!);
      if (life.random() > (today === 0 ? 0.9 : 0.12)) continue;
      const deed = today === 0 ? pick(life.random, ['buy', 'trial']) : pick(life.random, wishes);
      await deeds[deed]!(life, pick(life.random, tools));
      await context.queue.drain();
    }
    await runDueJobs(context, undefined, { atTheEnd: false, beforeBills: true });
    await context.queue.drain();
    const tomorrow = clock.now().getTime() + DAY;
    for (let now = clock.now().getTime(); now < tomorrow; now = clock.now().getTime()) {
      const due = (await sandbox!.nextDue())?.getTime() ?? tomorrow;
      const stop = Math.min(tomorrow, Math.max(due, now));
      if (stop > now) await clock.advance(stop - now);
      await sandbox!.tick();
      await context.queue.drain();
    }
  }
  const { wrong, charged } = await wrongBills();
  expect(wrong).toEqual([]);
  const { wrong: wrongParts, seats } = await wrongSeats();
  expect(wrongParts).toEqual([]);
  expect(seats).toBeGreaterThan(0);
  expect(charged).toBeGreaterThan(lives / 2);
});
