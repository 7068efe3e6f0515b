import { forecastOf } from '#shared/rules/billing/forecast.ts';
import { expect, it, vi } from 'vitest';
import { plusDays, sydneyDate } from '#shared/rules/dates.ts';
import { findPayerFacts, teamPayer, userPayer, type Payer } from '#server/payers/service.ts';
import { createTeam, password } from '#server/testing/factories.ts';
import { startFaultyProvider } from '#server/testing/faulty-provider.ts';
import { soldByOlder } from '#server/testing/older-release.ts';
import { collected, DAY, giveCard, live, passTime, rowsOf } from '#server/testing/purchases.ts';
import { freshTestApp } from '#server/testing/test-app.ts';
import { readBill } from '../bill/read.ts';
import { joinFirst, joinOneBill, joinPayer } from './join.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 240_000 });

const app = freshTestApp();
const toolA = 'risk-profile-ai';
const toolB = 'fact-find-ai';

async function adviser() {
  const { agent, user } = await app.signedIn();
  await giveCard(app, agent);
  return { agent, user, payer: userPayer(user.id) };
}

/** The payer's old Stripe subscriptions: status, and whether they end. */
const oldAtStripe = async () => {
  const { data } = await app.context.payments.stripe.subscriptions.list({ status: 'all', limit: 100 });
  return data
    .filter(({ metadata }) => metadata['rowId'])
    .map(({ status, cancel_at: end }) => (status === 'canceled' || end === null ? status : `${status}, ends`))
    .toSorted();
};
const rowOf = async (id: string) =>
  (await rowsOf(app, 'select * from tool_subscriptions where id = $1', [id]))[0] as Record<string, unknown>;
const mailsTo = (email: string) =>
  rowsOf(app, `select subject, text_body as text from mails where to_address = $1 and subject like 'One bill%'`, [
    email,
  ]);
const stateOf = async (payer: Payer) => (await findPayerFacts(app.context.db, payer))!;

it('two tools, bought twenty days apart, join on the day of the first end, and every day is paid once', async () => {
  const { user, payer } = await adviser();
  const a = await soldByOlder(app, payer, toolA);
  await passTime(app, 15 * DAY);
  const b = await soldByOlder(app, payer, toolB, { unitCents: 5000 });
  const ends = [(await rowOf(a.rowId))['end_date'], (await rowOf(b.rowId))['end_date']] as [Date, Date];
  await joinOneBill(app.context);
  expect((await stateOf(payer)).nextBillAt).toEqual(ends[0]);
  expect(await oldAtStripe()).toEqual(['active, ends', 'active, ends']);
  expect(await rowOf(b.rowId)).toMatchObject({
    purchase: null,
    unit_cents: 5000,
    end_date: ends[1],
    monthly_cents: 5000,
  });
  const [mail] = await mailsTo(user.email);
  expect(mail!['subject']).toBe(`One bill a month, from ${dayText(ends[0])}`);
  expect(String(mail!['text']).replaceAll(/\s+/g, ' ')).toContain(
    `Fact Find AI is paid until ${dayText(ends[1])}. Its days until the bill of`,
  );

  await live(app, 75 * DAY);
  expect(await oldAtStripe()).toEqual(['canceled', 'canceled']);
  const bills = await rowsOf(app, `select lines, parts, total_cents from bills where kind = 'month' order by at`);
  const days = bills
    .flatMap(({ lines, parts }) => [...(lines as Span[]), ...(parts as Span[])])
    .filter(({ toolId }) => toolId === toolB)
    .toSorted((one, other) => (one.from < other.from ? -1 : 1));
  expect(days.length).toBeGreaterThan(1);
  expect(days[0]!.from).toBe(sydneyDate(ends[1]));
  expect(days.slice(1).map(({ from }) => from)).toEqual(days.slice(0, -1).map(({ to }) => plusDays(to, 1)));
  expect(await mailsTo(user.email)).toHaveLength(1);
  expect(await collected(app, user.id)).toBe(8000 + bills.reduce((sum, bill) => sum + Number(bill['total_cents']), 0));
});

type Span = { toolId: string; from: string; to: string };
const dayText = (at: Date) =>
  new Date(`${sydneyDate(at)}T12:00:00Z`).toLocaleDateString('en-AU', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });

it('a tool that ends within eight days renews once more as it was, with a receipt, and joins then', async () => {
  const { user, payer } = await adviser();
  const { rowId } = await soldByOlder(app, payer, toolA);
  await passTime(app, 26 * DAY);
  const end = (await rowOf(rowId))['end_date'] as Date;
  await joinOneBill(app.context);
  const { nextBillAt } = await stateOf(payer);
  expect((nextBillAt!.getTime() - end.getTime()) / DAY).toBeGreaterThan(27);
  expect(await oldAtStripe()).toEqual(['active']);
  const { input } = await readBill(app.context, payer);
  expect(forecastOf(input).bill).toMatchObject({ at: nextBillAt, totalCents: 3000, parts: [] });
  expect(String((await mailsTo(user.email))[0]!['text']).replaceAll(/\s+/g, ' ')).toContain(
    `renews once more by itself on ${dayText(end)} for $30.00, as you were told.`,
  );
  await live(app, 10 * DAY);
  expect(await oldAtStripe()).toEqual(['active, ends']);
  expect(await rowsOf(app, `select kind, status, total_cents from bills`)).toEqual([
    { kind: 'old', status: 'paid', total_cents: 3000 },
  ]);
  expect(await rowsOf(app, `select subject from mails where kind = 'receipt'`)).toHaveLength(1);
  expect(await rowOf(rowId)).toMatchObject({ purchase: null, end_date: nextBillAt });
  await live(app, 30 * DAY);
  expect(await collected(app, user.id)).toBe(9000);
});

it('a trial becomes a row alone, with or without a card, and Stripe is asked nothing until it ends', async () => {
  const { user, payer } = await adviser();
  const kept = await soldByOlder(app, payer, toolA, { trialDays: 30 });
  const { user: other } = await app.signedIn();
  const cardless = await soldByOlder(app, userPayer(other.id), toolA, { trialDays: 30 });
  await joinOneBill(app.context);
  expect(await oldAtStripe()).toEqual(['canceled', 'canceled']);
  for (const { rowId } of [kept, cardless])
    expect(await rowOf(rowId)).toMatchObject({ status: 'trial', purchase: null, stripe_subscription_id: null });
  expect((await stateOf(payer)).nextBillAt).toBeNull();
  await live(app, 32 * DAY);
  expect([await collected(app, user.id), await collected(app, other.id)]).toEqual([3000, 0]);
  expect((await rowOf(cardless.rowId))['status']).toBe('expired');
});

it('a practice’s waiting prorations become adjustments of the same cents', async () => {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id, members: 2 });
  const payer = teamPayer(team.id);
  await agent.post('/api/user/proof').send({ password }).expect(200);
  await giveCard(app, agent, 'pm_card_visa', { teamId: team.id });
  const { id, rowId } = await soldByOlder(app, payer, toolA, { quantity: 3 });
  await passTime(app, 10 * DAY);
  const { stripe } = app.context.payments;
  const { customer: payerAtStripe, items } = await stripe.subscriptions.retrieve(id);
  const customer = payerAtStripe as string;
  const period = { start: Math.floor(app.context.now().getTime() / 1000), end: items.data[0]!.current_period_end };
  // As Stripe prorates a fourth member: credit for three seats, and a charge for four.
  for (const [quantity, amount] of [
    [3, -6000],
    [4, 8000],
  ] as const) {
    const prorated = { customer, subscription: id, amount, currency: 'aud', discountable: false, period };
    const item = await stripe.invoiceItems.create(prorated);
    const shown = JSON.stringify({ quantity, proration: true });
    await rowsOf(app, 'update sandbox.objects set data = data || $2 where id = $1', [item.id, shown]);
  }
  const cents = 2000;
  await joinOneBill(app.context);
  expect((await stripe.invoiceItems.list({ customer, pending: true })).data.map(({ amount }) => amount)).toEqual([
    cents,
  ]);
  expect(await rowsOf(app, 'select cause, cents, subscription_id, state, person from adjustments')).toEqual([
    { cause: 'join_one_bill', cents, subscription_id: rowId, state: 'waiting', person: '4 members' },
  ]);
  expect(await rowOf(rowId)).toMatchObject({ quantity: 3, monthly_cents: 9000 });
});

it('a payer moves nothing while a month of one tool is being charged, and joins with all tools after it', async () => {
  const { user, payer } = await adviser();
  const a = await soldByOlder(app, payer, toolA);
  await passTime(app, 15 * DAY);
  const b = await soldByOlder(app, payer, toolB, { unitCents: 5000 });
  const line = await startFaultyProvider(app.context.payments, app.sandbox!);
  line.cutAt(1, false);
  // What is decided is written, and Stripe has not heard of it when the month ends.
  await expect(joinPayer({ ...app.context, payments: line.payments }, payer)).rejects.toThrow();
  const { end_date: end } = await rowOf(a.rowId);
  await passTime(app, (end as Date).getTime() - app.context.now().getTime() + 60_000);
  await joinPayer(app.context, payer);
  expect(await oldAtStripe()).toEqual(['active', 'active']);
  for (const { rowId } of [a, b]) expect((await rowOf(rowId))['purchase']).not.toBeNull();
  await passTime(app, DAY / 12);
  expect(await collected(app, user.id)).toBe(3000 + 5000 + 3000);
  await joinPayer(app.context, payer);
  expect(await oldAtStripe()).toEqual(['active, ends', 'active, ends']);
  for (const { rowId } of [a, b]) expect((await rowOf(rowId))['purchase']).toBeNull();
  await line.stop();
});

it('arrears run out under the old rules: they are void after seven days, and nothing is charged again', async () => {
  const { agent, user, payer } = await adviser();
  const { rowId } = await soldByOlder(app, payer, toolA);
  await giveCard(app, agent, 'pm_card_chargeCustomerFail');
  await passTime(app, 32 * DAY);
  expect((await rowOf(rowId))['status']).toBe('grace_period');
  await joinOneBill(app.context);
  await app.context.queue.drain();
  expect(await rowsOf(app, 'select kind, status, total_cents from bills')).toEqual([
    { kind: 'old', status: 'unpaid', total_cents: 3000 },
  ]);
  await live(app, 8 * DAY);
  expect((await rowOf(rowId))['status']).toBe('expired');
  expect(await oldAtStripe()).toEqual(['canceled']);
  await live(app, 35 * DAY);
  expect(await collected(app, user.id)).toBe(3000);
});

it('arrears that are paid join the bill', async () => {
  const { agent, user, payer } = await adviser();
  const { rowId } = await soldByOlder(app, payer, toolA);
  await giveCard(app, agent, 'pm_card_chargeCustomerFail');
  await passTime(app, 32 * DAY);
  await joinOneBill(app.context);
  await giveCard(app, agent, 'pm_card_mastercard');
  await live(app, 2 * DAY);
  expect(await rowOf(rowId)).toMatchObject({ status: 'active', purchase: null });
  expect(await oldAtStripe()).toEqual(['active, ends']);
  expect((await stateOf(payer)).nextBillAt).toEqual((await rowOf(rowId))['end_date']);
  await live(app, 35 * DAY);
  expect(await collected(app, user.id)).toBe(9000);
});

it('a cancelled tool is never charged again, and joins once it is reactivated', async () => {
  const { agent, user, payer } = await adviser();
  const gone = await soldByOlder(app, payer, toolA);
  const back = await soldByOlder(app, payer, toolB, { unitCents: 5000 });
  await joinFirst(app.context, payer);
  for (const toolId of [toolA, toolB]) await agent.post('/api/cancel-subscription').send({ toolId }).expect(200);
  await agent.post('/api/reactivate-subscription').send({ toolId: toolB }).expect(200);
  await live(app, 40 * DAY);
  expect((await rowOf(gone.rowId))['status']).toBe('expired');
  expect((await rowOf(back.rowId))['status']).toBe('active');
  expect(await collected(app, user.id)).toBe(13_000);
});

it('a tool that is not to renew ends with its paid month, here and at Stripe', async () => {
  const { user, payer } = await adviser();
  const { rowId } = await soldByOlder(app, payer, toolA);
  await rowsOf(app, 'update tool_subscriptions set auto_renew = false where id = $1', [rowId]);
  await live(app, 33 * DAY);
  expect(await rowOf(rowId)).toMatchObject({ status: 'expired', is_active: false });
  expect(await oldAtStripe()).toEqual(['canceled']);
  expect(await collected(app, user.id)).toBe(3000);
});

it('the next run ends alike, whichever write the process dies at', async () => {
  const line = await startFaultyProvider(app.context.payments, app.sandbox!);
  const dying = { ...app.context, payments: line.payments };
  for (const loses of [false, true])
    for (let write = 1, died = true; died; write += 1) {
      const { user, payer } = await adviser();
      const a = await soldByOlder(app, payer, toolA);
      const b = await soldByOlder(app, payer, toolB, { trialDays: 20 });
      line.cutAt(write, loses);
      died = await joinPayer(dying, payer).then(
        () => false,
        () => true,
      );
      line.set('none');
      await Promise.all(
        [joinPayer(dying, payer), joinPayer(app.context, payer)].map((run) => run.catch(() => undefined)),
      );
      await joinPayer(app.context, payer);
      await app.context.queue.drain();
      const { data } = await app.context.payments.stripe.subscriptions.list({ status: 'all', limit: 100 });
      const own = data.filter(({ metadata }) => metadata['userId'] === user.id);
      const what = `write ${write}${loses ? ', its answer lost' : ''}`;
      expect(
        own.filter(({ metadata }) => !metadata['rowId']).map(({ status }) => status),
        what,
      ).toEqual(['trialing']);
      expect(
        own
          .filter(({ metadata }) => metadata['rowId'])
          .map(({ status, cancel_at: at }) => [status, at !== null])
          .toSorted(),
        what,
      ).toEqual([
        ['active', true],
        ['canceled', false],
      ]);
      expect(await rowOf(a.rowId), what).toMatchObject({ purchase: null, status: 'active' });
      expect(await rowOf(b.rowId), what).toMatchObject({
        purchase: null,
        status: 'trial',
        stripe_subscription_id: null,
      });
      expect(await mailsTo(user.email), what).toHaveLength(1);
    }
  await line.stop();
});
