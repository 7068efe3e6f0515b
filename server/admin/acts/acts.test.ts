import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint, Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import type { actsApi, AdministeredInvoice } from '#shared/api/operators/acts.ts';
import type { adminApi } from '#shared/api/operators/admin.ts';
import type { ToldBill } from '#shared/api/billing.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { hostile } from '#server/testing/house/hostile-values.ts';
import { buy, collected, DAY, pass, providerSubscriptions, rowsOf, shown } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  admin = await administrator(app);
});

const reason = 'Agreed on the telephone';
const tool = 'risk-profile-ai';
const nobody = '00000000-0000-4000-8000-000000000000';

const settle = async () => {
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
};
const invoicesOf = async (userId: string) =>
  (await admin.agent.get(`/api/admin/users/${userId}/invoices`).expect(200)).body as AdministeredInvoice[];
const outlookOf = async (id: string) =>
  (await admin.agent.get(`/api/admin/invoices/${id}/outlook`).expect(200)).body as Reply<typeof actsApi.invoiceOutlook>;
const sentences = async (userId: string, kind: string) =>
  (
    (await admin.agent.get(`/api/admin/users/${userId}/timeline?kind=${kind}`).expect(200)).body as Reply<
      typeof adminApi.userTimeline
    >
  ).rows.map(({ sentence }) => sentence);
const mailsTo = (email: string, kind: string) =>
  rowsOf(app, 'select subject, text_body as text from mails where to_address = $1 and kind = $2', [email, kind]);
const noticesOf = async (userId: string) =>
  (await rowsOf(app, 'select title, message from notifications where user_id = $1', [userId])).map(
    ({ message }) => message as string,
  );
const codeOf = ({ body }: { body: unknown }) => (body as { code: string }).code;

const writes = [...Object.entries(contract.acts), ...Object.entries(contract.approvals)]
  .map(([name, endpoint]) => [name, endpoint as Endpoint] as const)
  .filter(([, { method }]) => method !== 'GET');

it.each(writes)('%s wants an administrator’s token, and is no good with hostile fields', async (_name, api) => {
  const own = await administrator(app);
  const address = api.path.replace(':id', nobody);
  expect(codeOf(await own.agent.post(address).send({}).expect(403))).toBe('csrf_invalid');
  const stranger = await app.signedIn();
  expect(codeOf(await stranger.agent.post(address).send({ _csrf: own.csrfToken }).expect(403))).toBe('admin_required');
  const fields = Object.keys((api.body as unknown as { shape: object }).shape);
  for (const [kind, value] of hostile)
    expect((await own.post(address, Object.fromEntries(fields.map((field) => [field, value])))).status, kind).toBe(
      fields.length > 0 ? 400 : 404,
    );
  await own.post(address, { unknown: 1 }).expect(400);
});

/** An adviser who has paid $30.00. */
async function paid() {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, tool);
  await settle();
  const [invoice] = await invoicesOf(user.id);
  return { agent, user, invoice: invoice! };
}

describe('an administrator who sends links', () => {
  it('sends a verification link again, with a reason, but not to who has verified', async () => {
    const user = await createUser(app.context, { emailVerified: false });
    const path = `/api/admin/users/${user.id}/verification`;
    await admin.post(path, { reason }).expect(200);
    expect(await mailsTo(user.email, 'verification')).toHaveLength(1);
    expect(await noticesOf(user.id)).toEqual([expect.stringContaining(`The reason: ${reason}`)]);
    expect(await sentences(user.id, 'act')).toEqual([
      `Alex Nguyen sent Alex Nguyen another verification link: “${reason}”.`,
    ]);
    const empty = await admin.post(path, { reason: ' ' }).expect(400);
    expect(empty.body).toMatchObject({ fields: { reason: 'Please give a reason; the user reads it' } });
    const verified = await createUser(app.context);
    expect(codeOf(await admin.post(`/api/admin/users/${verified.id}/verification`, { reason }).expect(409))).toBe(
      'user_verified',
    );
    await admin.post(`/api/admin/users/${nobody}/verification`, { reason }).expect(404);
  });
});

describe('a refund', () => {
  it('of a half reaches invoice list, adjustment note, mail and timeline; the rest can follow, and no more', async () => {
    const { agent, user, invoice } = await paid();
    const before = await outlookOf(invoice.id);
    expect(before).toMatchObject({ leftCents: 3000, open: null });
    expect(before.refund[0]).toBe(
      `$30.00 was charged to Visa •••• 4242 for invoice ${invoice.number} for ${invoice.description}.`,
    );
    const half = { cents: 1500, leftCents: 3000, reason };
    const path = `/api/admin/invoices/${invoice.id}/refund`;
    const answer = await admin.post(path, half).expect(200);
    expect(answer.body).toEqual({ message: '$15.00 goes back to the card. The user is told by email.' });
    const listed = (await agent.get('/api/billing/invoices').expect(200)).body as { invoices: object[] };
    expect(listed.invoices).toMatchObject([
      { kind: 'adjustment_note', amount: 1500, gst: 137, status: 'issued' },
      { kind: 'invoice', amount: 3000, status: 'paid' },
    ]);
    // Stripe sends none of its own mails beside ours, and knows the GST from the line.
    const notes = await rowsOf(
      app,
      `select hidden ->> 'mailed' as mailed, data #> '{total_taxes,0,amount}' as gst,
         data #>> '{lines,data,0,type}' as line
       from sandbox.objects where kind = 'credit_note'`,
    );
    expect(notes).toEqual([{ mailed: 'false', gst: 137, line: 'invoice_line_item' }]);
    // What Stripe sends afterwards changes nothing.
    await settle();
    const [mail, ...others] = await mailsTo(user.email, 'refund');
    expect(others).toEqual([]);
    expect(mail!['text']).toContain(`We have refunded $15.00 of the $30.00 for Risk Profile AI`);
    expect(mail!['text']).toContain(reason);
    expect((await invoicesOf(user.id))[0]).toMatchObject({ refundedCents: 1500, status: 'paid' });
    expect(await sentences(user.id, 'act')).toContain(
      `Alex Nguyen asked Stripe to refund Alex Nguyen $15.00 of invoice ${invoice.number}: “${reason}”.`,
    );
    expect((await sentences(user.id, 'adjustment_note'))[0]).toMatch(/^Adjustment note \S+: \$15\.00 off invoice/);

    // Pressed again on the stale page, it is refused; so is more than what is left.
    expect(codeOf(await admin.post(path, half).expect(409))).toBe('refund_changed');
    const much = await admin.post(path, { cents: 1501, leftCents: 1500, reason }).expect(400);
    expect(much.body).toMatchObject({ fields: { cents: 'At most $15.00 is left to refund' } });
    await admin.post(path, { cents: 1500, leftCents: 1500, reason }).expect(200);
    expect(await outlookOf(invoice.id)).toMatchObject({ leftCents: 0 });
    const all = (await agent.get('/api/billing/invoices').expect(200)).body as { invoices: { status: string }[] };
    expect(all.invoices.at(-1)).toMatchObject({ status: 'refunded' });
  });

  it('is made once when two ask for it at the same moment', async () => {
    const { invoice } = await paid();
    const path = `/api/admin/invoices/${invoice.id}/refund`;
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => admin.post(path, { cents: 1000, leftCents: 3000, reason })),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    await settle();
    expect(await outlookOf(invoice.id)).toMatchObject({ leftCents: 2000 });
  });

  it('is possible during an inquiry and after a dispute was won, not while the bank has the money', async () => {
    const { invoice } = await paid();
    const [known] = await rowsOf(app, 'select stripe_invoice_id as id from invoices where id = $1', [invoice.id]);
    const dispute = await app.sandbox!.controls.openDispute(String(known!['id']));
    expect(await outlookOf(invoice.id)).toMatchObject({ leftCents: 0 });
    await app.sandbox!.controls.closeDispute(dispute.id, 'won');
    expect(await outlookOf(invoice.id)).toMatchObject({ leftCents: 3000 });
    const path = `/api/admin/invoices/${invoice.id}/refund`;
    await admin.post(path, { cents: 3000, leftCents: 3000, reason }).expect(200);

    const asked = await paid();
    const [other] = await rowsOf(app, 'select stripe_invoice_id as id from invoices where id = $1', [asked.invoice.id]);
    await app.sandbox!.controls.openDispute(String(other!['id']), { inquiry: true });
    expect(await outlookOf(asked.invoice.id)).toMatchObject({ leftCents: 3000 });
  });

  it('counts what was refunded at Stripe, and what the bank has taken', async () => {
    const { user, invoice } = await paid();
    const [known] = await rowsOf(app, 'select stripe_invoice_id as id from invoices where id = $1', [invoice.id]);
    const stripe = app.context.payments.stripe;
    const { data } = await stripe.invoicePayments.list({ invoice: String(known!['id']) });
    const intent = data[0]!.payment.payment_intent as string;
    await stripe.refunds.create({ payment_intent: intent, amount: 1200 });
    expect(await outlookOf(invoice.id)).toMatchObject({ leftCents: 1800 });

    const disputed = await app.signedIn();
    await buy(app, disputed.agent, tool, 'pm_card_createDispute');
    await settle();
    const [other] = await invoicesOf(disputed.user.id);
    expect(other!.dispute).toEqual({ answerBy: expect.stringMatching(/^20\d\d-/) });
    expect((await invoicesOf(user.id))[0]!.dispute).toBeNull();
    const outlook = await outlookOf(other!.id);
    expect(outlook.leftCents).toBe(0);
    expect(outlook.refund[1]).toContain('disputed');
    await admin.agent.get(`/api/admin/invoices/${nobody}/outlook`).expect(404);
    expect(user.id).not.toBe(disputed.user.id);
  });
});

/** Gives a card at Stripe only, so that nothing of ours charges it. */
async function giveCard(userId: string, method: string) {
  const { customers, paymentMethods } = app.context.payments.stripe;
  const [row] = await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [userId]);
  const customer = String(row!['id']);
  const { id } = await paymentMethods.attach(method, { customer });
  await customers.update(customer, { invoice_settings: { default_payment_method: id } });
  await settle();
}

/** An adviser whose renewal was refused. */
async function inArrears() {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, tool);
  await giveCard(user.id, 'pm_card_chargeCustomerFail');
  const before = await collected(app, user.id);
  await pass(app, 32 * DAY);
  expect(await shown(agent, tool)).toMatchObject({ status: 'grace_period' });
  const invoice = (await invoicesOf(user.id)).find(({ status }) => status === 'open')!;
  return { agent, user, invoice, before };
}

describe('an open invoice', () => {
  it('is withdrawn: nothing is owed, the subscription goes on, and no mail says that it was paid', async () => {
    const { agent, user, invoice, before } = await inArrears();
    const { open } = await outlookOf(invoice.id);
    expect(open).toMatchObject({ dueCents: 3000, last4: '0341' });
    expect(open!.void[0]).toBe(
      `$30.00 of invoice ${invoice.number} for ${invoice.description} will never be charged, and the tools go on.`,
    );
    const path = `/api/admin/invoices/${invoice.id}/void`;
    expect(codeOf(await admin.post(path, { dueCents: 2900, reason }).expect(409))).toBe('price_changed');
    await admin.post(path, { dueCents: 3000, reason }).expect(200);
    await settle();
    expect(await shown(agent, tool)).toMatchObject({ status: 'active', hasAccess: true, paymentProblem: null });
    expect(await collected(app, user.id)).toBe(before);
    const [mail] = await mailsTo(user.email, 'invoice-voided');
    expect(mail!['text']).toContain('$30.00 will not be charged');
    const { body } = await agent.get('/api/billing/told?page=1').expect(200);
    expect((body as { told: ToldBill[] }).told.map(({ kind }) => kind)).toContain('invoice-voided');
    expect(await mailsTo(user.email, 'payment-recovered')).toEqual([]);
    expect((await noticesOf(user.id)).join()).not.toContain('came through');
    expect(await sentences(user.id, 'act')).toContain(
      `Alex Nguyen withdrew invoice ${invoice.number} of Alex Nguyen, of $30.00: “${reason}”.`,
    );
    expect(codeOf(await admin.post(path, { dueCents: 3000, reason }).expect(409))).toBe('invoice_settled');
  });

  it('is charged to the card on file as the button said, or stays open where the bank refuses', async () => {
    const { agent, user, invoice } = await inArrears();
    const path = `/api/admin/invoices/${invoice.id}/retry`;
    const charge = { cents: 3000, last4: '0341' };
    expect(codeOf(await admin.post(path, { charge, reason }).expect(409))).toBe('charge_refused');
    expect(codeOf(await admin.post(path, { charge: { ...charge, last4: '4242' }, reason }).expect(409))).toBe(
      'card_changed',
    );
    await giveCard(user.id, 'pm_card_visa');
    await admin.post(path, { charge: { cents: 3000, last4: '4242' }, reason }).expect(200);
    await settle();
    expect(await shown(agent, tool)).toMatchObject({ status: 'active', paymentProblem: null });
    expect(await mailsTo(user.email, 'charge-retried')).toHaveLength(1);
    expect((await sentences(user.id, 'act')).filter((sentence) => sentence.includes('had $30.00 of invoice'))).toEqual([
      expect.stringContaining('which was paid'),
      expect.stringContaining('which was refused'),
    ]);
  });
});

describe('a subscription', () => {
  const outlook = async (id: string, days = 7) =>
    (await admin.agent.get(`/api/admin/subscriptions/${id}/outlook?days=${days}`).expect(200)).body as Reply<
      typeof actsApi.subscriptionOutlook
    >;

  it('is cancelled for its payer, whose one mail says who did it and why', async () => {
    const { agent, user } = await paid();
    const { id } = (await shown(agent, tool))!;
    const { cancel, trial } = await outlook(id);
    expect(trial).toBeNull();
    expect(cancel!.atPeriodEnd[0]).toMatch(/^Access to Risk Profile AI goes on until \d+ \w+ \d{4}\.$/);
    expect(cancel!.now[0]).toBe('Access to Risk Profile AI ends at once.');
    await admin.post(`/api/admin/subscriptions/${id}/cancel`, { reason }).expect(200);
    expect(await shown(agent, tool)).toMatchObject({ status: 'cancelled', hasAccess: true });
    const [mail, ...others] = await mailsTo(user.email, 'cancelled');
    expect(others).toEqual([]);
    expect(mail!['text']).toContain(`An administrator of Adviserly cancelled it for you. The reason: ${reason}`);
    expect(await sentences(user.id, 'act')).toContain(
      `Alex Nguyen cancelled Risk Profile AI for Alex Nguyen, at the end of what is paid: “${reason}”.`,
    );
    const [atStripe] = await providerSubscriptions(app, user.id);
    expect(atStripe!.cancel_at_period_end || atStripe!.cancel_at !== null).toBe(true);
    expect(codeOf(await admin.post(`/api/admin/subscriptions/${id}/cancel`, { reason }).expect(409))).toBe(
      'cannot_cancel',
    );
    await admin.post(`/api/admin/subscriptions/${nobody}/cancel`, { reason }).expect(404);
  });

  it('is cancelled for a team at once', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id });
    await buy(app, agent, tool, 'pm_card_visa', { teamId: team.id });
    const { id } = (await shown(agent, tool, team.id))!;
    await admin.post(`/api/admin/subscriptions/${id}/cancel`, { reason, cancelImmediately: true }).expect(200);
    expect(await shown(agent, tool, team.id)).toMatchObject({ hasAccess: false });
    expect(await mailsTo(user.email, 'cancelled')).toHaveLength(1);
  });

  it('goes on longer on trial, in what is told and charged; two administrators at once extend it once', async () => {
    const { agent, user } = await app.signedIn();
    await agent.post('/api/create-subscription').send({ toolId: tool, trial: true }).expect(200);
    const { id, trialEndDate } = (await shown(agent, tool))!;
    const { trial } = await outlook(id, 14);
    const until = new Date(new Date(trialEndDate!).getTime() + 14 * DAY);
    expect(new Date(trial!.until)).toEqual(until);
    expect(trial!.preview).toEqual([
      expect.stringMatching(/^The free trial of Risk Profile AI ends on .+ instead of .+\.$/),
      'There is no card on file, so it ends by itself on that day.',
    ]);
    const path = `/api/admin/subscriptions/${id}/extend-trial`;
    const longer = { days: 14, from: trialEndDate, reason };
    const answers = await Promise.all([admin.post(path, longer), admin.post(path, longer)]);
    expect(answers.map(({ status }) => status).toSorted()).toContain(200);
    expect((await shown(agent, tool))!.trialEndDate).toBe(until.toISOString());
    expect(codeOf(await admin.post(path, longer).expect(409))).toBe('trial_changed');
    // A trial asks nothing of Stripe.
    expect(await providerSubscriptions(app, user.id)).toEqual([]);
    const mails = await mailsTo(user.email, 'trial-extended');
    expect(mails).toHaveLength(1);
    expect(mails[0]!['text']).toContain('Add a card to keep it for $30.00 a month');
    expect(await sentences(user.id, 'act')).toContainEqual(
      expect.stringMatching(/^Alex Nguyen extended the trial of Risk Profile AI for Alex Nguyen from .+ to .+: “/),
    );
    for (const days of [0, 31, 1.5])
      expect((await admin.post(path, { ...longer, days }).expect(400)).body).toMatchObject({
        fields: { days: 'Days must be a whole number from 1 to 30' },
      });
    // It still runs after its first end date, and ends at the second.
    await pass(app, 31 * DAY);
    expect(await shown(agent, tool)).toMatchObject({ status: 'trial', hasAccess: true });
    await pass(app, 14 * DAY);
    expect(await shown(agent, tool)).toMatchObject({ status: 'expired', hasAccess: false });
  });

  it('is on trial no longer than a trial may be, and a paid one has none', async () => {
    const { agent } = await app.signedIn();
    await agent.post('/api/create-subscription').send({ toolId: tool, trial: true }).expect(200);
    const { id } = (await shown(agent, tool))!;
    for (let days = 30; days < 120; days += 30) {
      const from = (await shown(agent, tool))!.trialEndDate;
      await admin.post(`/api/admin/subscriptions/${id}/extend-trial`, { days: 30, from, reason }).expect(200);
    }
    const from = (await shown(agent, tool))!.trialEndDate;
    expect((await outlook(id, 1)).trial).toBeNull();
    const refused = await admin.post(`/api/admin/subscriptions/${id}/extend-trial`, { days: 1, from, reason });
    expect(codeOf(refused)).toBe('trial_too_long');
    const { agent: other } = await paid();
    const own = (await shown(other, tool))!;
    const never = await admin.post(`/api/admin/subscriptions/${own.id}/extend-trial`, { days: 1, from, reason });
    expect(codeOf(never)).toBe('cannot_extend');
  });
});
