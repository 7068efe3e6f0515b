import { expect, it, vi } from 'vitest';
import { resolveRoute } from '#client/app/resolve-route.ts';
import { paths, safeReturnTo, withReturnTo } from '#client/lib/paths.ts';
import type { Forecast } from '#shared/api/billing.ts';
import { formatDate, sydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import { changeFreeAccess } from '#server/admin/free-access.ts';
import { setToolPrice, withdrawToolPrice } from '#server/subscriptions/service.ts';
import { type MoneyMail, moneyMails } from '#server/notifications/service.ts';
import { createAdmin, createTeam, createUser } from '#server/testing/factories.ts';
import { confirm, DAY, live, pass, passTo, rowsOf, shown } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 300_000 });

const app = testApp();
const HOUR = DAY / 24;

/** Who gets which mail about money. A new kind does not compile until it is listed, and each life below has to receive exactly its own. */
const told: Record<MoneyMail, readonly ('adviser' | 'team' | 'free' | 'new owner' | 'old owner' | 'administrator')[]> =
  {
    'trial-started': ['adviser', 'team'],
    'subscription-started': ['free'],
    receipt: ['adviser', 'team'],
    'payment-failed': ['adviser', 'team'],
    'payment-recovered': ['adviser', 'team'],
    'free-access-ended': ['free'],
    'price-changed': ['adviser', 'team', 'free', 'new owner'],
    'price-announced': ['adviser', 'team'],
    'auto-renew': ['adviser', 'team'],
    cancelled: ['adviser', 'team'],
    reactivated: ['adviser', 'team'],
    'win-back': ['adviser', 'team'],
    'trial-ending': ['adviser', 'team'],
    'renewal-reminder': ['adviser', 'team', 'new owner'],
    refund: ['adviser', 'team'],
    'team-received': ['new owner'],
    'team-handed-over': ['old owner'],
    'payment-disputed': ['administrator'],
  };
const teamName = 'Harbour Advice';
/** These people buy while it is still the day before in Perth. */
const zone = 'Australia/Perth';
const on = (date: string | Date) => formatDate(new Date(date), zone);
const visa = 'Visa •••• 4242';

type Life = {
  agent: Agent;
  email: string;
  teamId: string | null;
  seen: Set<MoneyMail>;
};

const kinds = async ({ email }: Pick<Life, 'email'>) =>
  new Set(
    (await rowsOf(app, 'select distinct kind from mails where to_address = $1', [email])).map(({ kind }) => kind),
  );

/** Expects the newest mail of a kind with `first` in it to say the rest, name its payer and lead to that payer's page, signed in or not. */
async function read(
  life: Life,
  kind: MoneyMail,
  first: string | RegExp,
  ...rest: (string | RegExp)[]
): Promise<string> {
  const mails = await rowsOf(
    app,
    'select subject, text_body from mails where to_address = $1 and kind = $2 order by created_at desc, id',
    [life.email, kind],
  );
  const texts = mails.map((mail) => `${String(mail['subject'])}\n${String(mail['text_body'])}`);
  expect(texts, [...(await kinds(life))].join()).not.toEqual([]);
  const says = [first, ...rest];
  const text = texts.find((one) => (typeof first === 'string' ? one.includes(first) : first.test(one))) ?? texts[0]!;
  for (const part of says) {
    if (typeof part === 'string') expect(text, kind).toContain(part);
    else expect(text, kind).toMatch(part);
  }
  if (life.teamId) expect(text, kind).toContain(teamName);
  else expect(text, kind).not.toContain('team');
  const links = [...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url));
  expect(links.length, kind).toBeGreaterThan(0);
  for (const { origin, pathname, search, searchParams } of links) {
    expect(origin).toBe(new URL(app.context.env.appUrl).origin);
    if (pathname === paths.unsubscribe) continue;
    const page = life.teamId ? 'teams' : 'home';
    expect(resolveRoute('complete', pathname), `${kind}: ${pathname}`).toMatchObject({ show: 'page', page });
    expect(searchParams.get('team'), kind).toBe(life.teamId);
    expect([null, 'tools', 'billing']).toContain(searchParams.get('tab'));
    // Signed out, the landing page's Sign In leads back to it.
    expect(resolveRoute('signed-out', pathname)).toEqual({ show: 'landing' });
    const signIn = new URL(withReturnTo(paths.auth, pathname + search), origin);
    expect(safeReturnTo(signIn.searchParams.get('returnTo')) ?? paths.home).toBe(pathname + search);
  }
  life.seen.add(kind);
  return text;
}

const payerOf = ({ teamId }: Life) => (teamId ? { teamId } : {});
const create = ({ agent, ...life }: Life, toolId: string, more: object = {}) =>
  agent
    .post('/api/create-subscription')
    .send({ toolId, ...payerOf({ agent, ...life }), ...more })
    .expect(200);
async function buy(life: Life, toolId: string): Promise<void> {
  const { body } = await create(life, toolId);
  if (body.clientSecret !== null) await confirm(app, body.clientSecret as string, 'pm_card_visa');
  await life.agent.post(`/api/subscriptions/${toolId}/sync`).send(payerOf(life)).expect(200);
  await app.context.queue.drain();
}
const post = (life: Life, path: string, body: object) =>
  life.agent
    .post(path)
    .send({ ...body, ...payerOf(life) })
    .expect(200);
const forecast = async ({ agent, teamId }: Life): Promise<Forecast> =>
  (await agent.get(`/api/billing/forecast${teamId ? `?teamId=${teamId}` : ''}`).expect(200)).body as Forecast;
const chargeFor = async (life: Life, toolId: string) =>
  (await forecast(life)).charges.find((charge) => charge.toolId === toolId)!;
/** What every mail about a coming charge says about it. */
const next = ({ totalCents, at }: { totalCents: number; at: string | Date }, card = visa) =>
  new RegExp(`${formatCents(totalCents).replace(/[$.]/g, '\\$&')} on ${on(at)}, to (your|${teamName}’s) ${card}`);

const liveTo = (at: string | Date, more: number) =>
  live(app, new Date(at).getTime() - app.context.now().getTime() + more);

/** Moves on to 13:30 UTC, when the next day has begun in Sydney but not in Perth. */
const toEvening = () => {
  const now = app.context.now();
  const evening = new Date(now);
  evening.setUTCHours(13, 30, 0, 0);
  return pass(app, (evening.getTime() - now.getTime() + DAY) % DAY);
};

async function someone(payer: 'adviser' | 'team'): Promise<Life & { id: string }> {
  const { agent, user } = await app.signedIn({ businessState: 'WA' });
  const team =
    payer === 'team' && (await createTeam(app.context, { ownerId: user.id, name: teamName, members: 1 })).team;
  return { agent, email: user.email, id: user.id, teamId: team ? team.id : null, seen: new Set() };
}
const lastNumber = async () =>
  Number((await rowsOf(app, "select price_number from tools where id = 'risk-profile-ai'"))[0]!['price_number']);
const expectAllSeen = ({ seen }: Life, who: (typeof told)[MoneyMail][number]) =>
  expect([...seen].toSorted()).toEqual(moneyMails.filter((kind) => told[kind].includes(who)).toSorted());

it.each(['adviser', 'team'] as const)(
  'all that is mailed about money to %s: amounts, payer, card, days, links',
  async (payer) => {
    await toEvening();
    const life = await someone(payer);
    const admin = await createAdmin(app.context);
    const members = payer === 'team' ? 2 : 1;

    const trialist = { ...(await someone(payer)), seen: life.seen };
    for (const one of [life, trialist]) await create(one, 'file-note-ai', { trial: true });
    const trialEnd = (await shown(life.agent, 'file-note-ai', life.teamId))!.trialEndDate!;
    await read(
      life,
      'trial-started',
      `until ${on(trialEnd)}`,
      'Nothing is charged today',
      `${formatCents(2500 * members)} a month, GST included; without one it simply ends`,
      'choose Cancel',
    );

    await buy(life, 'risk-profile-ai');
    let charge = await chargeFor(life, 'risk-profile-ai');
    await read(
      life,
      'receipt',
      /We have received \$\d+\.\d\d/,
      `charged to ${payer === 'team' ? `${teamName}’s` : 'your'} ${visa}`,
      next(charge),
      'choose Cancel',
    );
    // The first tool's price follows too, as long as its payer is told before the charge.
    charge = await chargeFor(life, 'file-note-ai');
    await read(
      life,
      'price-changed',
      `${formatCents(charge.totalCents)} a month from ${on(charge.at)}`,
      `instead of ${formatCents(2500 * members)} a month, because the number of your tools has changed`,
      'choose Cancel',
    );

    const autoRenew = (on: boolean) =>
      life.agent
        .patch('/api/subscriptions/risk-profile-ai/auto-renew')
        .send({ autoRenew: on, ...payerOf(life) })
        .expect(200);
    charge = await chargeFor(life, 'risk-profile-ai');
    await autoRenew(false);
    await read(life, 'auto-renew', `ends on ${on(charge.at)}`, 'Nothing more is charged');
    await autoRenew(true);
    charge = await chargeFor(life, 'risk-profile-ai');
    await read(life, 'auto-renew', next(charge), 'choose Cancel');

    charge = await chargeFor(life, 'risk-profile-ai');
    await liveTo(charge.at, -20 * HOUR);
    await read(
      life,
      'renewal-reminder',
      `Risk Profile AI renews on ${on(charge.at)} for ${formatCents(charge.totalCents)}`,
      visa,
      'choose Cancel',
    );
    await liveTo(new Date(trialEnd) > new Date(charge.at) ? trialEnd : charge.at, 3 * HOUR);
    charge = await chargeFor(life, 'risk-profile-ai');
    await read(life, 'receipt', 'was renewed for', next(charge), 'choose Cancel');
    await read(
      trialist,
      'trial-ending',
      `ends on ${on(trialEnd)}`,
      `Add a card to keep it for ${formatCents(2500 * members)} a month`,
    );
    charge = await chargeFor(life, 'file-note-ai');
    await read(life, 'receipt', 'your subscription has started for', next(charge));

    const column = payer === 'team' ? 'team_id' : 'user_id';
    const owner = life.teamId ?? life.id;
    const [customer] = await rowsOf(
      app,
      `select stripe_customer_id as id from ${payer === 'team' ? 'teams' : 'users'} where id = $1`,
      [owner],
    );
    await app.sandbox!.controls.failNextCharges(customer!['id'] as string);
    const { charges } = await forecast(life);
    await passTo(app, charges[0]!.at, HOUR / 60);
    await pass(app, 2 * HOUR);
    // If both are due within the hour, Stripe decides which it charges first.
    const both = await Promise.all(charges.map(({ toolId }) => shown(life.agent, toolId, life.teamId)));
    const failed = both.find((row) => row?.status === 'grace_period')!;
    const { gracePeriodEnd } = failed;
    const due = charges.find(({ toolId }) => toolId === failed.toolId)!;
    const other = due.toolId === 'file-note-ai' ? 'risk-profile-ai' : 'file-note-ai';
    charge = await chargeFor(life, other);
    await read(life, 'payment-failed', formatCents(due.totalCents), `until ${on(gracePeriodEnd!)}`, visa, next(charge));
    await post(life, `/api/subscriptions/${due.toolId}/pay`, {});
    await read(life, 'payment-recovered', `We have received ${formatCents(due.totalCents)}`, visa, 'choose Cancel');

    const [paid] = await rowsOf(
      app,
      `select stripe_invoice_id as id, number, total_cents from invoices where ${column} = $1 and status = 'paid' order by issued_at desc limit 1`,
      [owner],
    );
    await app.sandbox!.controls.refundInvoice(paid!['id'] as string, 500);
    const dispute = await app.sandbox!.controls.openDispute(paid!['id'] as string);
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    await read(life, 'refund', '$5.00', String(paid!['number']), 'Adjustment note', 'GST');
    const warned = await rowsOf(
      app,
      "select text_body from mails where to_address = $1 and kind = 'payment-disputed'",
      [admin.email],
    );
    expect(warned).toHaveLength(1);
    for (const part of [
      payer === 'team' ? teamName : 'Alex Nguyen',
      formatCents(Number(paid!['total_cents']) - 500),
      'fraudulent',
      '/admin',
    ])
      expect(warned[0]!['text_body']).toContain(part);
    await app.sandbox!.controls.closeDispute(dispute.id, 'won');

    await post(life, '/api/cancel-subscription', { toolId: 'file-note-ai', cancelImmediately: true });
    charge = await chargeFor(life, 'risk-profile-ai');
    await read(life, 'cancelled', 'not be charged for it again', 'reactivate it under', next(charge));
    await post(life, '/api/reactivate-subscription', { toolId: 'file-note-ai' });
    await read(life, 'reactivated', next(await chargeFor(life, 'file-note-ai')), 'choose Cancel');

    await post(life, '/api/cancel-subscription', { toolId: 'file-note-ai', cancelImmediately: true });
    await live(app, 8 * DAY);
    const [{ changes, offers }] = (await life.agent.get('/api/winback/offers').expect(200)).body as [
      { changes: { at: string; percent: number }; offers: { monthlyCents: number; thenCents: number }[] },
    ];
    await read(
      life,
      'win-back',
      `30% off until ${on(changes.at)}, then 25%`,
      `${formatCents(offers[0]!.monthlyCents)} a month for 3 months, and ${formatCents(offers[0]!.thenCents)} a month after them`,
    );

    const setFor = { currentCents: 3000, startsOn: sydneyDate(new Date(app.context.now().getTime() + 32 * DAY)) };
    const reason = 'Searches cost us more.';
    await setToolPrice(app.context, admin, 'risk-profile-ai', { ...setFor, priceCents: 3500, reason });
    await app.context.queue.drain();
    const { after } = await chargeFor(life, 'risk-profile-ai');
    const each = payer === 'team' ? ' for each member' : '';
    await read(
      life,
      'price-announced',
      `goes from $30.00 to $35.00 a month${each}, GST included`,
      `On ${on(after!.at)} the price of Risk Profile AI`,
      reason,
      `choose Cancel before ${on(after!.at)}`,
      next((await forecast(life)).next!),
    );
    await withdrawToolPrice(app.context, admin, 'risk-profile-ai', { number: await lastNumber(), reason });
    await app.context.queue.drain();
    await read(life, 'price-announced', `it stays $30.00 a month${each}, GST included`);
    expectAllSeen(life, payer);

    // No other mail mentions money.
    const priced = await rowsOf(app, "select distinct kind from mails where text_body like '%$%'");
    expect(moneyMails).toEqual(expect.arrayContaining(priced.map(({ kind }) => kind)));
  },
);

it('free access: what it costs again, from when, and that nothing was charged', async () => {
  await toEvening();
  const life = await someone('adviser');
  await buy(life, 'risk-profile-ai');
  const { at } = await chargeFor(life, 'risk-profile-ai');
  await changeFreeAccess(app.context, life.id, true);
  await app.context.queue.drain();
  await read(
    life,
    'price-changed',
    `costs nothing from ${on(at)}, instead of $30.00 a month, because you have been given free access`,
  );
  await buy(life, 'portfolio-ai');
  await read(life, 'subscription-started', 'Portfolio AI is active');
  await pass(app, DAY);
  await changeFreeAccess(app.context, life.id, false);
  await app.context.queue.drain();
  const { gracePeriodEnd } = (await shown(life.agent, 'portfolio-ai'))!;
  const charge = await chargeFor(life, 'risk-profile-ai');
  const text = await read(
    life,
    'free-access-ended',
    'nothing was charged',
    `Press Start paying under Subscriptions on your dashboard by ${on(gracePeriodEnd!)} to keep it: $38.00 a month`,
    `Risk Profile AI costs ${formatCents(charge.totalCents)} a month from ${on(charge.at)}, instead of $0.00 a month, because your free access has ended`,
    next(charge),
  );
  expect(text).not.toMatch(/fail|overdue/i);
  await passTo(app, gracePeriodEnd!, HOUR);
  expect(await kinds(life)).not.toContain('payment-failed');
  expectAllSeen(life, 'free');
});

it('a hand-over: the new owner hears the cost, and is reminded until a card is there; the old one that it is over', async () => {
  await toEvening();
  const old = await someone('team');
  await buy(old, 'risk-profile-ai');
  const heir = await createUser(app.context, { businessState: 'WA', membershipType: 'team' });
  await rowsOf(app, 'insert into team_members (team_id, user_id, role) values ($1, $2, $3)', [
    old.teamId,
    heir.id,
    'member',
  ]);
  await old.agent.post(`/api/teams/${old.teamId}/transfer`).send({ userId: heir.id }).expect(200);
  await app.context.queue.drain();
  const { agent } = await app.signIn(heir.email);
  const life: Life = { agent, email: heir.email, teamId: old.teamId, seen: new Set() };
  await agent
    .post('/api/reminder-settings')
    .send({ emailReminders: false, reminderDays: [], inAppNotifications: true });
  const charge = await chargeFor(life, 'risk-profile-ai');
  await read(life, 'team-received', 'cost $90.00 a month', `on ${on(charge.at)}`, 'please add one', 'Add a card');
  old.seen.clear();
  await read(old, 'team-handed-over', 'not charged for it any more');
  expectAllSeen(old, 'old owner');
  await read(
    life,
    'price-changed',
    'instead of $60.00 a month, because your team now has 3 members',
    'no card on file',
  );

  await live(app, 31 * DAY);
  const reminders = () =>
    rowsOf(app, "select subject from mails where to_address = $1 and kind = 'renewal-reminder'", [heir.email]);
  expect(await reminders()).toHaveLength(3);
  await read(
    life,
    'renewal-reminder',
    formatCents(charge.totalCents),
    `on ${on(charge.at)}`,
    'There is no card on file',
    'Add a card',
  );
  expectAllSeen(life, 'new owner');
});
