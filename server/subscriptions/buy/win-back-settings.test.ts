import { beforeAll, expect, it } from 'vitest';
import { releasedWinBack, type WinBackSettings } from '#shared/rules/win-back.ts';
import { administrator } from '#server/testing/administrator.ts';
import { DAY, pass, passTime, rowsOf, shown } from '#server/testing/purchases.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';
import { expireSubscriptions } from '../jobs.ts';

const app = testApp();
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  admin = await administrator(app);
});

type Shown = { number: number; settings: WinBackSettings; history: { by: string; changes: object[] }[] };
const settingsNow = async () => (await admin.agent.get('/api/admin/win-back').expect(200)).body as Shown;
async function set(change: Partial<WinBackSettings>) {
  admin = await administrator(app);
  const { number, settings } = await settingsNow();
  const answer = await admin.post('/api/admin/win-back', {
    number,
    settings: { ...settings, ...change },
    reason: 'We look for what brings people back.',
  });
  await app.context.queue.drain();
  return answer;
}
const offersOf = async (agent: Agent) =>
  (
    (await agent.get('/api/winback/offers').expect(200)).body as {
      offers: { offerId: string; monthlyCents: number }[];
    }[]
  )
    .flatMap(({ offers }) => offers)
    .map(({ offerId, monthlyCents }) => [offerId, monthlyCents]);
const resubscribe = (agent: Agent, more: object) =>
  agent.post('/api/resubscribe').send({ toolId: 'file-note-ai', offerId: 'monthly_restart', ...more });

/** Somebody with a card, whose trial of a tool of $25.00 is over. */
async function expired() {
  const signedIn = await app.signedIn();
  await signedIn.agent.post('/api/create-subscription').send({ toolId: 'file-note-ai', trial: true }).expect(200);
  await passTime(app, 31 * DAY);
  await expireSubscriptions(app.context);
  return signedIn;
}

it('what an administrator sets is offered, told and charged; who took an offer keeps it', async () => {
  const { agent, user } = await expired();
  const monthly = (percent: number, months: number) => ({
    monthly_restart: { isOn: true, months, steps: [{ days: null, percent }] },
  });
  expect((await set(monthly(20, 2))).status).toBe(200);
  expect(await offersOf(agent)).toEqual([
    ['comeback_special', 1750],
    ['monthly_restart', 2000],
    ['annual_savings', 1500],
  ]);
  // What was on the screen before.
  expect((await resubscribe(agent, { discountPercentage: 15 })).body).toMatchObject({ code: 'offer_changed' });
  expect((await resubscribe(agent, { discountPercentage: 20, months: 1 })).body).toMatchObject({
    code: 'offer_changed',
  });
  const { body } = await resubscribe(agent, { discountPercentage: 20, months: 2 }).expect(200);
  const intent = (body as { clientSecret: string }).clientSecret;
  const id = intent.slice(0, intent.indexOf('_secret_'));
  await app.context.payments.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
  await agent.post('/api/subscriptions/file-note-ai/sync').send({}).expect(200);

  await set({ ...monthly(5, 1), comeback_special: { ...releasedWinBack.comeback_special, isOn: false } });
  expect(await shown(agent, 'file-note-ai')).toMatchObject({
    monthlyCents: 2000,
    winBack: { percent: 20, months: 2 },
  });
  await pass(app, 32 * DAY);
  await pass(app, 33 * DAY);
  const charged = await rowsOf(
    app,
    'select total_cents from invoices where user_id = $1 and total_cents > 0 order by issued_at',
    [user.id],
  );
  expect(charged.map((row) => row['total_cents'])).toEqual([2000, 2000, 2500]);

  const late = await expired();
  expect(await offersOf(late.agent)).toEqual([
    ['monthly_restart', 2375],
    ['annual_savings', 1500],
  ]);
  const [mail] = await rowsOf(app, "select text_body from mails where to_address = $1 and kind = 'win-back'", [
    late.user.email,
  ]);
  expect(mail!['text_body']).toContain('There are two offers for coming back');
  expect(mail!['text_body']).toContain(
    'Come back and get 5% off File Note AI for 1 month: $23.75 a month, then $25.00.',
  );
  const { history } = await settingsNow();
  expect(history[0]).toMatchObject({
    reason: 'We look for what brings people back.',
    changes: [
      { offer: 'Comeback special', after: expect.stringMatching(/^off: 30% until day 7/) as string },
      { offer: 'Monthly restart', before: '20%, for 2 months', after: '5%, for 1 month' },
    ],
  });
});

it('with every offer off, there is nothing to take', async () => {
  const { agent } = await expired();
  const { settings } = await settingsNow();
  const off = Object.fromEntries(Object.entries(settings).map(([id, terms]) => [id, { ...terms, isOn: false }]));
  await set(off);
  expect(await offersOf(agent)).toEqual([]);
  expect((await resubscribe(agent, { discountPercentage: 5 })).body).toMatchObject({ code: 'offer_changed' });
});

it('names the field that is wrong, and of two at once takes one', async () => {
  admin = await administrator(app);
  const { number } = await settingsNow();
  const send = (settings: object, at = number) =>
    admin.post('/api/admin/win-back', { number: at, settings: { ...releasedWinBack, ...settings }, reason: 'Why' });
  const monthly = (terms: object) => ({ monthly_restart: { ...releasedWinBack.monthly_restart, ...terms } });
  for (const [settings, field] of [
    [monthly({ months: 0 }), 'settings.monthly_restart.months'],
    [monthly({ steps: [{ days: null, percent: 91 }] }), 'settings.monthly_restart.steps.0.percent'],
    [monthly({ steps: [{ days: 3, percent: 9 }] }), 'settings.monthly_restart.steps'],
  ] as const) {
    const { body } = await send(settings).expect(400);
    expect((body as { fields: object }).fields).toHaveProperty([field]);
  }
  const both = await Promise.all([send(monthly({ months: 5 })), send(monthly({ months: 6 }))]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const { number: after, settings } = await settingsNow();
  expect(after).toBe(number + 1);
  expect((await send(settings, after)).body).toMatchObject({ code: 'same_discounts' });
  expect((await send(monthly({ months: 7 }), number)).body).toMatchObject({ code: 'discounts_changed' });
});
