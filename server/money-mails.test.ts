import { expect, it, vi } from 'vitest';
import { resolveRoute } from '#client/app/resolve-route.ts';
import { paths, safeReturnTo, withReturnTo } from '#client/lib/pages/paths.ts';
import type { Forecast, ToldBill } from '#shared/api/billing.ts';
import { formatSydneyDate, sydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { changeFreeAccess } from '#server/admin/people/free-access.ts';
import { setToolPrice, withdrawToolPrice } from '#server/admin/catalogue/tool-price.ts';
import { type MoneyMail, moneyMails } from '#server/notifications/service.ts';
import { within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { seats } from '#server/subscriptions/service.ts';
import { handOver } from '#server/testing/hand-over.ts';
import { createAdmin, createTeam, createUser } from '#server/testing/factories.ts';
import { confirm, DAY, live, pass, passTo, rowsOf, shown } from '#server/testing/purchases.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 300_000 });

const app = freshTestApp();
const HOUR = DAY / 24;

type Who = 'adviser' | 'team' | 'trial' | 'free' | 'new owner' | 'old owner' | 'administrator';
/** Who gets which mail about money. A new kind does not compile until it is listed, and each life below has to receive exactly its own. */
const told: Record<MoneyMail, readonly Who[]> = {
  'trial-started': ['trial'],
  'subscription-started': ['free'],
  receipt: ['adviser', 'team'],
  'payment-failed': ['adviser', 'team', 'trial'],
  'payment-recovered': ['adviser', 'team'],
  'free-access-ended': ['free'],
  'bill-changed': ['team', 'trial', 'free'],
  'price-announced': ['adviser', 'team'],
  'auto-renew': ['adviser', 'team'],
  cancelled: ['adviser', 'team'],
  reactivated: ['adviser', 'team'],
  'win-back': ['adviser', 'team', 'trial'],
  'ended-unpaid': ['trial'],
  'trial-ending': ['trial'],
  'renewal-reminder': ['adviser', 'team', 'new owner'],
  // A year passes in subscriptions/tell/reminders.test.ts.
  'yearly-summary': [],
  // Read in books/statements.test.ts: it depends on the calendar.
  'year-statement': [],
  refund: ['adviser', 'team'],
  // What administrators do is read in admin/acts and admin/people.
  'free-months': [],
  'free-months-taken-back': [],
  'trial-extended': [],
  'charge-retried': [],
  'invoice-voided': [],
  'team-received': ['new owner'],
  'team-handed-over': ['old owner'],
  closed: ['new owner'],
  'payment-disputed': ['administrator'],
};
const teamName = 'Harbour Advice';
/** These people buy while it is still the day before in Perth; mails about money name Sydney's days to everybody. */
const on = (date: string | Date) => formatSydneyDate(new Date(date));
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
    const page = kind === 'closed' ? 'invoices' : life.teamId ? 'teams' : 'home';
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
const comingBill = async (life: Life) => (await forecast(life)).bill!;
const literally = (text: string) => text.replaceAll(/[$.]/g, '\\$&');
/** What every mail about a coming charge says about it, in words or as a row. */
const next = ({ totalCents, at }: { totalCents: number; at: string | Date }) => {
  const [amount, card] = [literally(formatCents(totalCents)), `to (your|${teamName}’s) ${visa}`];
  return new RegExp(`We’ll charge ${amount} ${card} on ${on(at)}|^Bill of ${on(at)} +${amount}\n +${card}`, 'im');
};

const liveTo = (at: string | Date, more: number) =>
  live(app, new Date(at).getTime() - app.context.now().getTime() + more);

const lastNumber = async () =>
  Number((await rowsOf(app, "select price_number from tools where id = 'risk-profile-ai'"))[0]!['price_number']);

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
const expectAllSeen = ({ seen }: Life, who: Who) =>
  expect([...seen].toSorted()).toEqual(moneyMails.filter((kind) => told[kind].includes(who)).toSorted());
const expectAllRead = async (life: Life, who: Who) => {
  const about = [...(await kinds(life))].filter(
    (kind) => kind !== 'year-statement' && moneyMails.some((one) => one === kind),
  );
  expect(about.toSorted()).toEqual([...life.seen].toSorted());
  expectAllSeen(life, who);
  await expectAllKept(life);
};
type Kept = Pick<ToldBill, 'kind' | 'subject' | 'paragraphs'>;
/** Expects each of their mails about money, word for word, among what they were told. */
async function expectAllKept({ email, teamId }: Life): Promise<void> {
  const kept = (await rowsOf(
    app,
    `select kind, subject, paragraphs from told_bills
     where contact_id = (select id from users where email = $1) and team_id is not distinct from $2`,
    [email, teamId],
  )) as Kept[];
  const sent = await rowsOf(
    app,
    'select kind, subject, text_body as text from mails where to_address = $1 and kind = any($2)',
    [email, moneyMails],
  );
  expect(sent.length).toBeGreaterThan(0);
  const left = kept.filter(({ kind }) => kind !== 'notice');
  for (const { kind, subject, text } of sent) {
    const isOf = (one: Kept) =>
      one.kind === kind &&
      one.subject === subject &&
      // What the heading says is not said again.
      one.paragraphs.every((said) => `${subject}.\n${String(text)}`.includes(said));
    const index = left.findIndex(isOf);
    expect(index, `${String(kind)}: ${String(subject)}`).toBeGreaterThanOrEqual(0);
    left.splice(index, 1);
  }
  expect(left).toEqual([]);
}
const failCharges = async ({ teamId, id }: Life & { id: string }, count: number) => {
  const table = teamId ? 'teams' : 'users';
  const [customer] = await rowsOf(app, `select stripe_customer_id as id from ${table} where id = $1`, [teamId ?? id]);
  await app.sandbox!.controls.failNextCharges(customer!['id'] as string, count);
};

it.each(['adviser', 'team'] as const)('the mails of a bill of %s name amounts, payer, card and days', async (payer) => {
  await toEvening();
  const life = await someone(payer);
  const admin = await createAdmin(app.context);
  const members = payer === 'team' ? 2 : 1;
  const of = payer === 'team' ? ` for ${teamName}` : '';
  const each = payer === 'team' ? ' for each member' : '';

  await buy(life, 'risk-profile-ai');
  let bill = await comingBill(life);
  await read(
    life,
    'receipt',
    `We’ve received ${formatCents(3000 * members)} for Risk Profile AI${of}`,
    visa,
    next(bill),
    'choose Cancel',
  );
  await buy(life, 'file-note-ai');
  bill = await comingBill(life);
  expect(bill.totalCents).toBe(5225 * members);
  await read(life, 'receipt', 'for File Note AI', next(bill));

  if (life.teamId) {
    const joins = await createUser(app.context, { firstName: 'Hugh', lastName: 'Lang', membershipType: 'team' });
    await transaction(app.context.db, async (tx) => {
      const member = "insert into team_members (team_id, user_id, role, joined_at) values ($1, $2, 'member', $3)";
      await tx.$client.query(member, [life.teamId, joins.id, app.context.now()]);
      await seats.memberJoined(within(app.context, tx), life.teamId!, { id: joins.id, name: 'Hugh Lang' });
    });
    await pass(app, HOUR);
    bill = await comingBill(life);
    await read(
      life,
      'bill-changed',
      `${teamName}: your bill of ${on(bill.at)} is ${formatCents(bill.totalCents)}`,
      /Hugh Lang joined, \+\$52\.25 a month and \$[\d.]+ for \d+/,
      new RegExp(
        `^Hugh Lang, .+ ${literally(formatCents(bill.parts.reduce((sum, { cents }) => sum + cents, 0)))}$`,
        'm',
      ),
      ...bill.parts.map(({ toolName, cents }) => `${toolName} ${formatCents(cents)}`),
      /^Risk Profile AI +\$85\.50\n {2}3 members × \$30\.00, Bulk discount \(5%\) −\$4\.50$/m,
      next(bill),
      'choose Cancel',
    );
  }

  const autoRenew = (on: boolean) =>
    life.agent
      .patch('/api/subscriptions/risk-profile-ai/auto-renew')
      .send({ autoRenew: on, ...payerOf(life) })
      .expect(200);
  await autoRenew(false);
  await read(
    life,
    'auto-renew',
    `Risk Profile AI${of} ends on ${on(bill.at)}`,
    'Nothing more is charged',
    next(await comingBill(life)),
  );
  await autoRenew(true);
  await read(life, 'auto-renew', 'renews each month again', next(bill), 'choose Cancel');

  await liveTo(bill.at, -20 * HOUR);
  await read(
    life,
    'renewal-reminder',
    // A team's subject has its name in the place of the card, which the mail names.
    `Tomorrow: ${formatCents(bill.totalCents)}${of || ' to Visa 4242'}`,
    'Visa •••• 4242',
    next(bill),
    'choose Cancel',
  );
  await liveTo(bill.at, 3 * HOUR);
  const paid = bill.totalCents;
  bill = await comingBill(life);
  await read(life, 'receipt', `We’ve received ${formatCents(paid)} for two tools${of}`, next(bill), 'choose Cancel');

  await failCharges(life, 1);
  await passTo(app, bill.at, HOUR / 60);
  await pass(app, 2 * HOUR);
  const { owed } = await forecast(life);
  const due = formatCents(bill.totalCents);
  await read(
    life,
    'payment-failed',
    of === '' ? `Action needed: ${due} wasn’t paid` : `Action needed: pay ${due}${of}`,
    `until ${on(owed!.until)}`,
    visa,
    `Pay ${due}:`,
  );
  await post(life, '/api/billing/pay', { charge: { cents: bill.totalCents, last4: '4242' } });
  await read(
    life,
    'payment-recovered',
    `We’ve received ${due} for two tools${of}`,
    visa,
    next(await comingBill(life)),
    'choose Cancel',
  );

  const column = payer === 'team' ? 'team_id' : 'user_id';
  const [invoice] = await rowsOf(
    app,
    `select stripe_invoice_id as id, number, total_cents from invoices where ${column} = $1 and status = 'paid' order by issued_at desc limit 1`,
    [life.teamId ?? life.id],
  );
  await app.sandbox!.controls.refundInvoice(invoice!['id'] as string, 500);
  const dispute = await app.sandbox!.controls.openDispute(invoice!['id'] as string);
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
  await read(life, 'refund', '$5.00', String(invoice!['number']), 'Adjustment note', 'GST');
  const warned = await rowsOf(app, "select text_body from mails where to_address = $1 and kind = 'payment-disputed'", [
    admin.email,
  ]);
  expect(warned).toHaveLength(1);
  for (const part of [
    payer === 'team' ? teamName : 'Alex Nguyen',
    formatCents(Number(invoice!['total_cents']) - 500),
    'did not authorise it',
    '/admin',
  ])
    expect(warned[0]!['text_body']).toContain(part);
  await app.sandbox!.controls.closeDispute(dispute.id, 'won');

  await post(life, '/api/cancel-subscription', { toolId: 'file-note-ai', cancelImmediately: true });
  await read(life, 'cancelled', 'not be charged for it again', 'reactivate it under', next(await comingBill(life)));
  await post(life, '/api/reactivate-subscription', { toolId: 'file-note-ai' });
  await read(life, 'reactivated', next(await comingBill(life)), 'choose Cancel');

  await post(life, '/api/cancel-subscription', { toolId: 'file-note-ai', cancelImmediately: true });
  await live(app, 8 * DAY);
  const [{ changes, offers }] = (await life.agent.get('/api/winback/offers').expect(200)).body as [
    { changes: { at: string; percent: number }; offers: { monthlyCents: number; thenCents: number }[] },
  ];
  await read(
    life,
    'win-back',
    `Come back by ${on(new Date(new Date(changes.at).getTime() - DAY))} and get 30% off File Note AI for 3 months: ${formatCents(offers[0]!.monthlyCents)} a month, then ${formatCents(offers[0]!.thenCents)}.`,
  );

  const setFor = { currentCents: 3000, startsOn: sydneyDate(new Date(app.context.now().getTime() + 32 * DAY)) };
  const reason = 'Searches cost us more.';
  await setToolPrice(app.context, admin, 'risk-profile-ai', { ...setFor, priceCents: 3500, reason });
  await app.context.queue.drain();
  const { later } = await forecast(life);
  await read(
    life,
    'price-announced',
    new RegExp(
      `(From|${teamName}: from) ${on(later!.at)} your bill is ${literally(formatCents(later!.monthCents))} a month`,
    ),
    `Risk Profile AI costs $35.00 a month${each} from ${on(later!.at)} (was $30.00)`,
    `The reason: ${reason}`,
    `choose Cancel before ${on(later!.at)}`,
    next(await comingBill(life)),
  );
  await withdrawToolPrice(app.context, admin, 'risk-profile-ai', { number: await lastNumber(), reason });
  // What is good news waits for its day.
  await pass(app, DAY);
  await read(
    life,
    'price-announced',
    'The price of Risk Profile AI will not go up after all.',
    `your bill stays ${formatCents((await comingBill(life)).totalCents)} a month`.slice(1),
  );
  await expectAllRead(life, payer);

  // No other mail mentions money.
  const priced = await rowsOf(app, "select distinct kind from mails where text_body like '%$%'");
  expect(moneyMails).toEqual(expect.arrayContaining(priced.map(({ kind }) => kind)));
});

it.each(['adviser', 'team'] as const)(
  'the mails of a trial of %s say what it will cost, whose card pays, and that it was not paid',
  async (payer) => {
    await toEvening();
    const life = await someone(payer);
    const [cents, of] = payer === 'team' ? [5000, ` for ${teamName}`] : [2500, ''];
    await create(life, 'file-note-ai', { trial: true });
    const trialEnd = (await shown(life.agent, 'file-note-ai', life.teamId))!.trialEndDate!;
    await read(
      life,
      'trial-started',
      `Your free trial of File Note AI${of} runs until ${on(trialEnd)}`,
      'Nothing is charged today',
      `${formatCents(cents)} a month, GST included; without one it simply ends`,
    );
    const { body } = await life.agent.post('/api/billing/setup-intent').send(payerOf(life)).expect(200);
    const { clientSecret } = body as { clientSecret: string };
    await confirm(app, clientSecret, 'pm_card_chargeCustomerFail');
    await post(life, '/api/billing/payment-method', { setupIntentId: clientSecret.split('_secret_')[0] });
    await pass(app, HOUR);
    const bill = await comingBill(life);
    expect(on(bill.at)).toBe(on(trialEnd));
    const told = [
      new RegExp(`${literally(formatCents(cents))} to (your|${teamName}’s) Visa •••• \\d{4} on ${on(trialEnd)}`),
      'choose Cancel',
    ];
    await read(life, 'bill-changed', `File Note AI, +${formatCents(cents)} a month.`, ...told);
    await liveTo(trialEnd, -20 * HOUR);
    await read(
      life,
      'trial-ending',
      `Tomorrow: ${formatCents(cents)}${of}`,
      `Your free trial of File Note AI ends on ${on(trialEnd)}`,
      ...told,
    );
    await liveTo(trialEnd, 3 * HOUR);
    await read(life, 'payment-failed', `${formatCents(cents)} for File Note AI${of} wasn’t paid.`);
    await live(app, 8 * DAY);
    const ended = of === '' ? 'File Note AI ended' : `Ended${of}`;
    await read(life, 'ended-unpaid', `${ended}: ${formatCents(cents)} wasn’t paid`, 'You owe nothing.');
    await read(life, 'win-back', '30% off File Note AI');
    await expectAllRead(life, 'trial');
  },
);

it('the mails of free access say what it costs again, from when, and that nothing was charged', async () => {
  await toEvening();
  const life = await someone('adviser');
  await changeFreeAccess(app.context, life.id, true);
  await buy(life, 'portfolio-ai');
  await read(life, 'subscription-started', 'Portfolio AI is active', 'It costs nothing');
  await pass(app, DAY);
  await changeFreeAccess(app.context, life.id, false);
  await app.context.queue.drain();
  const { gracePeriodEnd } = (await shown(life.agent, 'portfolio-ai'))!;
  const text = await read(
    life,
    'free-access-ended',
    'Nothing was charged',
    `Add a card and press Start paying on your Billing tab by ${on(gracePeriodEnd!)} to keep it.`,
    'It costs $40.00 a month, GST included',
  );
  expect(text).not.toMatch(/fail|overdue/i);
  await passTo(app, gracePeriodEnd!, HOUR);
  expect(await kinds(life)).not.toContain('payment-failed');

  const paying = { ...(await someone('adviser')), seen: life.seen };
  await buy(paying, 'risk-profile-ai');
  const { at } = await comingBill(paying);
  await changeFreeAccess(app.context, paying.id, true);
  await pass(app, DAY);
  await read(paying, 'bill-changed', `Your bill of ${on(at)} is $0.00`, 'You have been given free access.');
  expectAllSeen(life, 'free');
});

it('a hand-over tells the new owner the cost, reminds them until a card is there, and tells the old one that it is over', async () => {
  await toEvening();
  const old = await someone('team');
  await buy(old, 'risk-profile-ai');
  const heir = await createUser(app.context, { businessState: 'WA', membershipType: 'team' });
  await rowsOf(app, 'insert into team_members (team_id, user_id, role) values ($1, $2, $3)', [
    old.teamId,
    heir.id,
    'member',
  ]);
  const { agent } = await app.signIn(heir.email);
  await handOver(old.agent, agent, old.teamId!, heir.id);
  await app.context.queue.drain();
  const life: Life = { agent, email: heir.email, teamId: old.teamId, seen: new Set() };
  await agent
    .post('/api/reminder-settings')
    .send({ emailReminders: false, reminderDays: [], inAppNotifications: true });
  const bill = await comingBill(life);
  await read(life, 'team-received', 'cost $90.00 a month', `on ${on(bill.at)}`, 'please add one', 'Add a card');
  old.seen.clear();
  await read(old, 'team-handed-over', 'not charged for it any more');
  expectAllSeen(old, 'old owner');

  await liveTo(bill.at, -HOUR);
  const reminders = () =>
    rowsOf(app, "select subject from mails where to_address = $1 and kind = 'renewal-reminder'", [heir.email]);
  expect(await reminders()).toHaveLength(3);
  await read(
    life,
    'renewal-reminder',
    `${formatCents(bill.totalCents)} for ${teamName}`,
    `on ${on(bill.at)}`,
    'There is no card on file',
    'Add a card',
  );
  await agent.delete(`/api/teams/${old.teamId}`).expect(200);
  await read(
    life,
    'closed',
    `${teamName} was closed. Nothing more is charged.`,
    'You’ll find your invoices on the Invoices page',
  );
  await expectAllRead(life, 'new owner');
});
