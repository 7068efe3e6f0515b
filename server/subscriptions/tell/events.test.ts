import { describe, expect, it, vi } from 'vitest';
import type { Forecast, ToldBill } from '#shared/api/billing.ts';
import { formatCalendarDay, formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy, confirm, DAY, giveCard, live, pass, passTo, rowsOf, shown } from '#server/testing/purchases.ts';
import { type Agent, freshTestApp } from '#server/testing/test-app.ts';
import { freeAccessChanged } from '../change/free-access.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 300_000 });

const app = freshTestApp();
const HOUR = DAY / 24;
const six = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai', 'pre-fill-ai', 'share-advice-ai', 'portfolio-ai'];

type Mail = { kind: string; subject: string; text: string };
const mailsTo = async (to: string, ...kinds: string[]) =>
  (await rowsOf(
    app,
    'select kind, subject, text_body as text from mails where to_address = $1 and kind = any($2) order by created_at',
    [to, kinds],
  )) as Mail[];
const noticesOf = async (userId: string) =>
  (await rowsOf(app, 'select title from notifications where user_id = $1 order by created_at', [userId])).map(
    ({ title }) => title as string,
  );
const toldTo = async (agent: Agent) =>
  ((await agent.get('/api/billing/told?page=1').expect(200)).body as { told: ToldBill[] }).told;
const forecast = async (agent: Agent) => (await agent.get('/api/billing/forecast').expect(200)).body as Forecast;
const trial = (agent: Agent, toolId: string) =>
  agent.post('/api/create-subscription').send({ toolId, trial: true }).expect(200);
const failCharges = async (userId: string, count: number) => {
  const [customer] = await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [userId]);
  await app.sandbox!.controls.failNextCharges(customer!['id'] as string, count);
};
describe('a bill that is not paid', () => {
  async function inGrace(tools: string[], refusals: number) {
    const { agent, user } = await app.signedIn();
    for (const tool of tools) await buy(app, agent, tool);
    const { bill } = await forecast(agent);
    await failCharges(user.id, refusals);
    await passTo(app, bill!.at, HOUR / 60);
    await pass(app, 2 * HOUR);
    return { agent, user, bill: bill! };
  }

  it('is told once for six tools on days 0, 3 and 6, by notice and mail, with one sum and one button', async () => {
    const { agent, user, bill } = await inGrace(six, 99);
    const due = formatCents(bill.totalCents);
    expect(bill.totalCents).toBe(16_800);
    const { until } = (await forecast(agent)).owed!;
    for (let hour = 0; hour < 3; hour += 1) await pass(app, HOUR);
    const [first, ...others] = await mailsTo(user.email, 'payment-failed');
    expect(others).toEqual([]);
    expect(first!.subject).toBe(`Action needed: ${due} wasn’t paid`);
    expect(first!.text).toContain(`${due} for six tools wasn’t paid.`);
    expect(first!.text).toContain(
      `You keep access until ${formatSydneyDate(new Date(until))}. Pay by then to keep everything. Otherwise it ends, and you owe nothing.`,
    );
    expect(first!.text.match(/^Pay \$168\.00:$/gm)).toHaveLength(1);
    for (const { toolName, cents } of bill.lines)
      expect(first!.text).toMatch(new RegExp(`^${toolName} +\\${formatCents(cents)}$`, 'm'));
    for (let day = 0; day < 6; day += 1) await pass(app, DAY);
    const subjects = (await mailsTo(user.email, 'payment-failed')).map(({ subject }) => subject);
    expect(subjects).toEqual([
      `Action needed: ${due} wasn’t paid`,
      `Reminder: pay ${due} by ${formatSydneyDate(new Date(until))}`,
      `Last reminder: pay ${due} by ${formatSydneyDate(new Date(until))}`,
    ]);
    expect((await noticesOf(user.id)).filter((title) => title === 'Payment failed')).toHaveLength(3);
    // They stand in what the payer was told, and leave the coming bill as they last heard of it.
    const told = await toldTo(agent);
    expect(told.filter(({ kind }) => kind === 'payment-failed').map(({ subject }) => subject)).toEqual(
      subjects.toReversed(),
    );
    expect(told[0]).toMatchObject({ billAt: null, totalCents: null, lines: [], parts: [], later: null });
    expect(await mailsTo(user.email, 'bill-changed')).toEqual([]);
  });

  it('gets one receipt once it is paid, and no sentence about money that is taken back', async () => {
    const { agent, user, bill } = await inGrace(['risk-profile-ai', 'fact-find-ai', 'file-note-ai'], 1);
    await pass(app, DAY);
    await agent
      .post('/api/billing/pay')
      .send({ charge: { cents: bill.totalCents, last4: '4242' } })
      .expect(200);
    await pass(app, 2 * DAY);
    const [receipt, ...others] = await mailsTo(user.email, 'payment-recovered');
    expect(others).toEqual([]);
    expect(receipt!.subject).toBe('Payment received: $94.50 for three tools');
    expect(receipt!.text).toMatch(
      /We’ve received \$94\.50 for three tools on \d+ \w+ \d{4}, charged to your Visa •••• 4242\./,
    );
    expect(receipt!.text).toMatch(/Tax invoice \S+ is on your Billing tab, as a PDF\./);
    const { bill: next } = await forecast(agent);
    expect(receipt!.text).toContain(`We’ll charge $94.50 to your Visa •••• 4242 on ${formatCalendarDay(next!.day)}.`);
    expect(await mailsTo(user.email, 'bill-changed')).toEqual([]);
  });

  it('tells at its end what was not paid and that nothing is owed, and apart from that what coming back costs', async () => {
    const { user } = await inGrace(['risk-profile-ai'], 99);
    await pass(app, 8 * DAY);
    await pass(app, HOUR);
    const [ended, ...others] = await mailsTo(user.email, 'ended-unpaid');
    expect(others).toEqual([]);
    expect(ended!.subject).toBe('Risk Profile AI ended: $30.00 wasn’t paid');
    expect(ended!.text).toContain('$30.00 for Risk Profile AI wasn’t paid, so it has ended. You owe nothing.');
    expect(ended!.text).not.toContain('% off');
    expect((await mailsTo(user.email, 'win-back'))[0]!.text).toContain('30% off Risk Profile AI for 3 months');
    await pass(app, 40 * DAY);
    expect(await mailsTo(user.email, 'ended-unpaid')).toHaveLength(1);
  });

  it('is told to be forgiven where Stripe voids it, and that is kept as well', async () => {
    const { agent, user } = await inGrace(['risk-profile-ai'], 99);
    const [bill] = await rowsOf(
      app,
      "select stripe_invoice_id as id from bills where user_id = $1 and status = 'unpaid'",
      [user.id],
    );
    await app.context.payments.stripe.invoices.voidInvoice(bill!['id'] as string);
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    expect(await noticesOf(user.id)).toContain('Nothing is owed any more');
    expect((await toldTo(agent)).find(({ kind }) => kind === 'notice')).toMatchObject({
      subject: 'Nothing is owed any more',
      paragraphs: ['You won’t be charged what was owed for Risk Profile AI. Your subscription continues.'],
    });
  });

  it('is all that a trial with a declined card tells at its end, and nothing tells of an active subscription', async () => {
    const { agent, user } = await app.signedIn();
    await giveCard(app, agent, 'pm_card_chargeCustomerFail');
    await trial(agent, 'file-note-ai');
    await live(app, 30 * DAY + 3 * HOUR);
    expect(await mailsTo(user.email, 'payment-failed')).toHaveLength(1);
    expect(await mailsTo(user.email, 'receipt', 'subscription-started')).toEqual([]);
    expect((await noticesOf(user.id)).join()).not.toContain('Subscription started');
  });
});

it('free access that ends before 10 am in Sydney names the day there as the last day to pay', async () => {
  const { agent, user } = await app.signedIn({ freeAccessGranted: true });
  await agent.post('/api/create-subscription').send({ toolId: 'file-note-ai' }).expect(200);
  const now = app.context.now();
  const morning = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1, 21));
  await passTo(app, morning);
  await rowsOf(app, 'update users set free_access_granted = false where id = $1', [user.id]);
  await freeAccessChanged(app.context, user.id);
  const { gracePeriodEnd } = (await shown(agent, 'file-note-ai'))!;
  const [mail] = await mailsTo(user.email, 'free-access-ended');
  expect(mail!.text.replaceAll(/\s+/g, ' ')).toContain(`by ${formatSydneyDate(new Date(gracePeriodEnd!))} to keep it`);
});

describe('the mail about an end', () => {
  it('says that a trial has ended and nothing was charged, and what it costs to come back', async () => {
    const { agent, user } = await app.signedIn();
    await trial(agent, 'file-note-ai');
    await live(app, 31 * DAY);
    const [mail] = await mailsTo(user.email, 'win-back');
    expect(mail!.subject).toBe('File Note AI: come back for less');
    expect(mail!.text).toContain('Your free trial of File Note AI has ended. Nothing was charged.');
    expect(mail!.text).toMatch(
      /Come back by \d+ \w+ \d{4} and get 30% off File Note AI for 3 months: \$17\.50 a month, then \$25\.00\./,
    );
    expect((await toldTo(agent))[0]).toMatchObject({ kind: 'win-back', subject: mail!.subject });
  });

  it('an offer that nobody hears of is not among what they were told', async () => {
    const { agent } = await app.signedIn();
    await trial(agent, 'file-note-ai');
    const none = { emailReminders: false, reminderDays: [], inAppNotifications: false };
    await agent.post('/api/reminder-settings').send(none).expect(200);
    await live(app, 31 * DAY);
    expect((await toldTo(agent)).map(({ kind }) => kind)).not.toContain('win-back');
  });

  it('says until when a cancelled tool opens, what is left of the bill, and how to take it back', async () => {
    const { agent, user } = await app.signedIn();
    for (const tool of ['risk-profile-ai', 'fact-find-ai']) await buy(app, agent, tool);
    const { endDate } = (await shown(agent, 'fact-find-ai'))!;
    await agent.post('/api/cancel-subscription').send({ toolId: 'fact-find-ai' }).expect(200);
    const [mail] = await mailsTo(user.email, 'cancelled');
    expect(mail!.text).toContain(
      `Your subscription to Fact Find AI is cancelled. You keep access until ${formatSydneyDate(new Date(endDate!))}. You will not be charged for it again.`,
    );
    expect(mail!.text).toContain('If you change your mind, reactivate it under Billing on your dashboard by ');
    expect(mail!.text).toMatch(/^Bill of \d+ \w+ \d{4} +\$30\.00\n +To your Visa •••• 4242\. It was \$76\.00\./m);
    await agent.post('/api/reactivate-subscription').send({ toolId: 'fact-find-ai' }).expect(200);
    const [again] = await mailsTo(user.email, 'reactivated');
    expect(again!.text).toContain('Your subscription to Fact Find AI continues.');
    expect(again!.text).toMatch(/^Bill of \d+ \w+ \d{4} +\$76\.00\n +To your Visa •••• 4242\. It was \$30\.00\./m);
    await pass(app, 2 * DAY);
    expect(await mailsTo(user.email, 'bill-changed')).toEqual([]);
  });

  it('says where invoices are and that nothing more is charged once a practice is closed, and makes no offer', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id, name: 'Logan Wealth', members: 1 });
    await buy(app, agent, 'risk-profile-ai', 'pm_card_visa', { teamId: team.id });
    await agent.delete(`/api/teams/${team.id}`).expect(200);
    await pass(app, 9 * DAY);
    const [mail, ...others] = await mailsTo(user.email, 'closed', 'win-back');
    expect(others).toEqual([]);
    expect(mail!.subject).toBe('Logan Wealth was closed');
    expect(mail!.text).toContain('Logan Wealth was closed. Nothing more is charged.');
    expect(mail!.text).toContain('You’ll find your invoices on the Invoices page for as long as the law requires.');
    expect(mail!.text).toContain('Its evidence packs stay on the Evidence packs page for 7 years.');
  });
});

it('the receipt of a welcome back says for how many months it counts, and what comes then', async () => {
  const { agent, user } = await app.signedIn();
  await trial(agent, 'file-note-ai');
  await live(app, 30 * DAY + HOUR);
  const offer = { toolId: 'file-note-ai', offerId: 'comeback_special', discountPercentage: 30 };
  const { body } = await agent.post('/api/resubscribe').send(offer).expect(200);
  await confirm(app, body.clientSecret as string, 'pm_card_visa');
  await agent.post('/api/subscriptions/file-note-ai/sync').send({}).expect(200);
  const [receipt] = await mailsTo(user.email, 'receipt');
  expect(receipt!.text).toContain('Welcome back discount (30%, 3 months)');
  const { later } = await forecast(agent);
  expect(receipt!.text).toContain(
    `From ${formatCalendarDay(later!.day)} the bill is $25.00 a month. Your welcome back discount for File Note AI has run out.`,
  );
});

it('a receipt has the day of the payment, however late we hear of it', async () => {
  const { agent, user } = await app.signedIn();
  const { body } = await agent.post('/api/create-subscription').send({ toolId: 'risk-profile-ai' }).expect(200);
  const paidOn = formatSydneyDate(app.context.now());
  await confirm(app, body.clientSecret as string, 'pm_card_visa');
  await app.clock.advance(DAY);
  await agent.post('/api/subscriptions/risk-profile-ai/sync').send({}).expect(200);
  const [notice] = await rowsOf(app, "select message from notifications where user_id = $1 and message like 'We’ve%'", [
    user.id,
  ]);
  expect(notice).toEqual({ message: expect.stringContaining(`$30.00 for Risk Profile AI on ${paidOn}`) });
});
