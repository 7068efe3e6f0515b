import { randomUUID as newId } from 'node:crypto';
import { eq, getTableColumns, getTableName, is, SQL } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { seller } from '#shared/brand.ts';
import {
  emailChanges,
  sessions,
  emailVerificationTokens,
  passwordResetTokens,
  users,
} from '#shared/schema/accounts.ts';
import { acts } from '#shared/schema/acts.ts';
import { usageAnalytics } from '#shared/schema/analytics.ts';
import { adjustments, adjustmentNotes, billingAddresses, invoices } from '#shared/schema/billing.ts';
import { bookkeepers, yearStatements } from '#shared/schema/books.ts';
import { factorResets, identities, rememberedDevices } from '#shared/schema/factors.ts';
import { mails, reminderSettings } from '#shared/schema/notifications.ts';
import { impersonal, personalTables } from '#shared/schema/personal-data.ts';
import { nothingStated } from '#shared/rules/record/disclosure.ts';
import { evidencePacks } from '#shared/schema/evidence.ts';
import { schema } from '#shared/schema/tables.ts';
import { recallChanges, recalls, recallSessions } from '#shared/schema/recalls.ts';
import {
  recordHolds,
  recordSamples,
  sessionSignOffs,
  sessionStatements,
  teamTools,
  toolAsks,
  toolAnnouncements,
  toolDisclosures,
  toolReviews,
} from '#shared/schema/record.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { recordPeople, teamInvitations, teams } from '#shared/schema/teams.ts';
import { tierChanges } from '#shared/schema/discount-changes.ts';
import { toolChanges } from '#shared/schema/tool-changes.ts';
import { toolPrices } from '#shared/schema/tool-prices.ts';
import { authTokens, testAdvisers, toolEvents, toolPeople, tools } from '#shared/schema/tools.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { trialIdentityOf } from '#server/payers/service.ts';
import { createAdmin, createRedeemedCode, createTeam, password } from '#server/testing/factories.ts';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { enrolApp } from '#server/testing/second-factor.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();

const personal = {
  email: 'zaphiria.quillfeather@wombat.example',
  firstName: 'Zaphiria',
  lastName: 'Quillfeather',
  mobile: '+61491570156',
  profileImageUrl: 'https://img.example/portrait-81726.png',
  businessName: 'Wombat Advice',
  businessAddress: '77 Bandicoot Parade',
  businessCity: 'Oodnadatta',
  dealerGroup: 'Numbat Group',
  afslNumber: '987123',
  adviserNumber: '001987123',
  abn: '53004085616',
};
const others = { device: 'Quokka Browser', practice: '5 Echidna Lane', asked: 'Please ring me on the quoll phone' };
/** What must not be found after the erasure, in lower case. */
const traces = [...Object.values(personal), ...Object.values(others)].map((text) => text.toLowerCase());

const inAnHour = () => new Date(Date.now() + 3_600_000);

/** A person with a row in every table of personal data, and a value in every column that is to be erased. */
async function somebodyEverywhere() {
  const { db, queue } = app.context;
  const { agent, user } = await app.signedIn({
    ...personal,
    businessState: 'SA',
    businessPostcode: '5734',
    professionalCredentials: '["CFP"]',
    membershipType: 'shaw_partners',
  });
  const userId = user.id;
  await buy(app, agent, 'risk-profile-ai');
  await agent.post('/api/create-subscription').send({ toolId: 'fact-find-ai', trial: true }).expect(200);
  await createRedeemedCode(app.context, userId);
  const cancelled = { toolId: 'risk-profile-ai', reason: 'other', details: others.asked };
  await agent.post('/api/cancel-subscription').send(cancelled).expect(200);
  await agent.post('/api/forgot-password').send({ email: personal.email }).expect(200);
  const letter = { name: 'Zaphiria', email: personal.email, topic: 'A tool', message: others.asked };
  await agent.post('/api/contact').send(letter).expect(200);

  const { team: left } = await createTeam(app.context, { ownerId: userId, name: "Zaphiria's Team" });
  await agent.post(`/api/teams/${left.id}/invite`).send({ email: 'friend@practice.example' }).expect(200);
  const ofTeam = { toolId: 'pre-fill-ai', teamId: left.id };
  await agent
    .post('/api/create-subscription')
    .send({ ...ofTeam, trial: true })
    .expect(200);
  await agent
    .post('/api/cancel-subscription')
    .send({ ...cancelled, ...ofTeam })
    .expect(200);
  await agent.delete(`/api/teams/${left.id}`).expect(200);
  const card = { cardBrand: 'visa', cardLast4: '4242', cardExpMonth: 1, cardExpYear: 2030 };
  await db
    .update(teams)
    .set({
      ...card,
      creditCents: 500,
      stripeSubscriptionId: 'sub_old',
      billingAnchor: inAnHour(),
      nextBillAt: inAnHour(),
    })
    .where(eq(teams.id, left.id));
  const { team, ownerId } = await createTeam(app.context);
  const invitation = { email: personal.email, expiresAt: inAnHour() };
  await db.insert(teamInvitations).values({ ...invitation, teamId: team.id, invitedById: ownerId, token: 'declined' });
  const owner = (await db.select().from(users).where(eq(users.id, ownerId)))[0]!;
  const managing = (await app.signIn(owner.email)).agent;
  const invited = await managing.post(`/api/teams/${team.id}/invite`).send({ email: personal.email }).expect(200);
  const token = (invited.body as { inviteUrl: string }).inviteUrl.split('token=')[1]!;
  await agent.post(`/api/invitations/${token}/accept`).expect(200);

  const address = { line1: others.practice, city: personal.businessCity, state: 'SA', postcode: '5734' };
  await db.insert(billingAddresses).values([
    { ...address, userId },
    { ...address, teamId: left.id },
  ]);
  await db.insert(yearStatements).values({ userId, financialYear: 2026, mailedAt: new Date() });
  const books = { email: 'books@zaphod.example', askedAt: new Date() };
  await db.insert(bookkeepers).values([
    { ...books, userId, token: 'own' },
    { ...books, teamId: left.id, token: 'closed' },
    { ...books, teamId: team.id, email: personal.email, token: 'theirs' },
  ]);
  const copy = { toAddress: books.email, kind: 'bookkeeper-copy', textBody: '', htmlBody: '', createdAt: new Date() };
  await db
    .insert(mails)
    .values({ ...copy, subject: `Tax invoice 1: $3.00, ${personal.firstName} ${personal.lastName}` });
  const days = { from: '2026-11-01', to: '2026-11-03', days: 3, periodEnd: inAnHour() };
  const part = { toolId: 'risk-profile-ai', toolName: 'Risk Profile AI', cause: 'trial_end' as const, cents: 100 };
  await db.insert(adjustments).values({ ...part, ...days, userId });
  const [invoice] = await db.select().from(invoices).where(eq(invoices.userId, userId));
  const note = { invoiceId: invoice!.id, number: 'CN-1', totalCents: 1100, gstCents: 100, issuedAt: new Date() };
  await db.insert(adjustmentNotes).values({ ...note, providerId: 're_1' });
  await db.insert(reminderSettings).values({ userId });
  await db.insert(authTokens).values([
    { userId, token: 'key', kind: 'api_key', lastFour: 'wxyz', expiresAt: inAnHour() },
    { userId, token: 'launch', clientReference: 'F-1204', purpose: 'form', expiresAt: inAnHour() },
  ]);
  // One session of their own, and one through their practice, which keeps its record.
  const opened = { userId, toolId: 'risk-profile-ai', clientReference: 'F-1204' };
  const sessionsOpened = await db
    .insert(toolUsage)
    .values([
      { ...opened, sessionId: userId },
      { ...opened, sessionId: `team:${userId}`, teamId: team.id },
    ])
    .returning({ sessionId: toolUsage.id });
  await db
    .insert(sessionStatements)
    .values(sessionsOpened.map((one) => ({ ...one, userId, checked: true, remark: others.asked, madeAt: new Date() })));
  const off = { ...sessionsOpened[1]!, teamId: team.id, userId, remark: 'Looked at it', madeAt: new Date() };
  await db.insert(sessionSignOffs).values(off);
  const drawn = {
    teamId: team.id,
    userId,
    adviserId: userId,
    drawnFrom: 1,
    unreviewedOnly: false,
    drawnAt: new Date(),
  };
  await db.insert(recordSamples).values({ ...drawn, sessionIds: [sessionsOpened[1]!.sessionId] });
  const byThem = { toolId: 'risk-profile-ai', madeAt: new Date() };
  const ask = {
    teamId: team.id,
    toolId: 'risk-profile-ai',
    reason: others.asked,
    wasAllowed: true,
    askedAt: new Date(),
  };
  await db.insert(toolAsks).values({ ...ask, userId });
  await db.insert(toolReviews).values({ ...byThem, teamId: team.id, userId, remark: 'Fit for us' });
  await db.insert(toolDisclosures).values({ ...byThem, version: 1, answers: nothingStated, madeById: userId });
  const soon = { toolId: 'risk-profile-ai', note: '', onDay: '2026-12-24', mends: false, announcedById: userId };
  await db.insert(toolAnnouncements).values({ ...soon, announcedAt: new Date() });
  const decided = { teamId: team.id, toolId: 'risk-profile-ai', allowed: true, decidedById: userId };
  await db.insert(teamTools).values({ ...decided, decidedAt: new Date() });
  const held = { teamId: team.id, clientReference: 'F-1204', reason: 'A complaint', heldAt: new Date() };
  await db.insert(recordHolds).values({ ...held, heldById: userId });
  const recall = { toolId: 'risk-profile-ai', openedById: userId, byMaker: true, wrong: 'It erred', lookFor: 'Errors' };
  const terms = { versions: [], fromDay: '2026-01-01', untilDay: null, severity: 'low' as const, stops: false };
  const [made] = await db
    .insert(recalls)
    .values({ ...recall, ...terms, createdAt: new Date() })
    .returning();
  const says = { ...terms, wrong: recall.wrong, lookFor: recall.lookFor };
  const act = { act: 'opened' as const, madeById: userId, madeAt: new Date() };
  await db.insert(recallChanges).values({ ...act, recallId: made!.id, terms: says });
  const found = { recallId: made!.id, begunAt: new Date(), foundAt: new Date() };
  await db.insert(recallSessions).values(sessionsOpened.map((one) => ({ ...one, ...found, userId })));
  await db.insert(recordPeople).values({ ...personal, teamId: team.id, userId, leftAt: new Date() });
  await db.insert(tools).values({
    id: 'made',
    name: 'Made',
    basePrice: '1.00',
    domain: 'https://x.example',
    isActive: false,
    ownerId: userId,
  });
  await db
    .insert(toolPrices)
    .values({ toolId: 'made', unitCents: 100, beforeCents: 100, reason: 'No change', changedBy: userId });
  const changed = { toolId: 'made', version: 1, before: {}, after: { name: 'Made' }, reason: 'A name' };
  await db.insert(toolChanges).values({ ...changed, changedBy: userId });
  const noTiers = { number: 1, before: [], after: [], reason: 'No change', changedBy: userId };
  await db.insert(tierChanges).values(noTiers);
  await db.insert(testAdvisers).values({ userId, toolId: 'made' });
  await db.insert(toolPeople).values({ userId, toolId: 'risk-profile-ai' });
  await db.insert(toolEvents).values({ userId, toolId: 'risk-profile-ai', type: 'access.ended', reason: 'cancelled' });
  await db.insert(usageAnalytics).values({ userId, toolId: 'risk-profile-ai', eventId: userId });
  await enrolApp(agent, 'Phone of Zaphiria');
  const remembered = { token: 'remembered', authEpoch: 0, device: others.device, expiresAt: inAnHour() };
  await db.insert(rememberedDevices).values({ ...remembered, userId });
  const former = 'zaphiria.quillfeather@bilby.example';
  const at = new Date();
  const change = { userId, fromEmail: former, toEmail: personal.email, confirmedAt: at, undoneAt: at };
  await db.insert(emailChanges).values({ ...change, token: 'change', undoToken: 'undo', expiresAt: inAnHour() });
  const asked = { kind: 'change_email' as const, subjectId: userId, parameters: { email: personal.email } };
  await db
    .insert(acts)
    .values({ ...asked, reason: 'A test', askedBy: newId(), askedAt: at, expiresAt: inAnHour(), state: 'refused' });
  const letterToOld = {
    toAddress: former,
    subject: 'Hello Zaphiria',
    textBody: '',
    htmlBody: '',
    kind: 'verification',
  };
  await db.insert(mails).values({ ...letterToOld, createdAt: new Date(at.getTime() - 1000) });
  await db.insert(evidencePacks).values({ askedById: userId, adviserId: userId, sessionsTotal: 1, createdAt: at });
  const refund = { kind: 'refund', parameters: {}, reason: 'Charged twice', askedBy: newId(), cents: 100 } as const;
  await db.insert(acts).values({ ...refund, subjectId: newId(), personId: userId, askedAt: at, doneAt: at });
  await db.insert(factorResets).values({ userId, dueAt: inAnHour() });
  await db.insert(identities).values({ userId, provider: 'google', issuer: 'https://google.example', subject: userId });
  await db.insert(emailVerificationTokens).values({ userId, token: 'verify', expiresAt: inAnHour() });
  await db.insert(passwordResetTokens).values({ userId, token: 'reset', expiresAt: inAnHour() });
  await queue.drain();
  await createAdmin(app.context);
  const flags = {
    creditCents: 500,
    isAdmin: true,
    freeAccessGranted: true,
    mustChangePassword: true,
    emailProvedAt: new Date(),
    stripeSubscriptionId: 'sub_old',
  };
  await db.update(users).set(flags).where(eq(users.id, userId));
  await db.update(sessions).set({ device: others.device }).where(eq(sessions.userId, userId));
  return { agent, userId };
}

const leaverOf = (id: string) => ({
  ...personal,
  id,
  emailVerified: true,
  trialIdentity: trialIdentityOf(personal.email),
  supportMailbox: seller().supportEmail,
});

/** The leaver's rows in each table of personal data, before anything is erased. */
async function rowsOfLeaver(id: string) {
  const found = new Map<string, Record<string, unknown>[]>();
  for (const { name, table, rows } of personalTables)
    found.set(
      name,
      await app.context.db
        .select()
        .from(table)
        .where(rows(leaverOf(id))),
    );
  return found;
}

/** Every column, as `schema.table.column`, in which a trace of the person is found; the payments sandbox's tables aside. */
async function columnsWithTraces(): Promise<string[]> {
  const tables = await rowsOf(
    app,
    `select table_schema as schema, table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'sandbox')`,
  );
  expect(tables.length).toBeGreaterThan(personalTables.length);
  const columns = new Set<string>();
  for (const { schema, name } of tables) {
    const found = await rowsOf(
      app,
      `select distinct field.key from "${String(schema)}"."${String(name)}" as entry, jsonb_each_text(to_jsonb(entry)) as field
        where exists (select 1 from unnest($1::text[]) as trace where strpos(lower(field.value), trace) > 0)`,
      [traces],
    );
    for (const { key } of found) columns.add(`${String(schema)}.${String(name)}.${String(key)}`);
  }
  return [...columns].toSorted();
}

/** Where a trace of somebody who has left stays, since it belongs to others or the law asks for it (rules/people/data-map.ts). */
const mayStay = [
  'public.invoices.buyer',
  // In mails and notices to colleagues, and in their practice's record.
  'public.mails.html_body',
  'public.mails.subject',
  'public.mails.text_body',
  'public.notifications.message',
  'public.notifications.title',
  'public.record_people.adviser_number',
  'public.record_people.email',
  'public.record_people.first_name',
  'public.record_people.last_name',
  'public.session_statements.remark',
  // What was said of bills names the practice, which may bear its owner's name.
  'public.told_bills.paragraphs',
  'public.told_bills.subject',
];

/** Tables that no code uses any more, until a later release drops them. */
const dropLater = [
  'approvals',
  'business_backfill',
  'business_months',
  'cohort_months',
  'revenue_documents',
  'subscriber_counts',
  'usage_marks',
  'user_blocks',
  'win_back_changes',
];

it('the declaration has every table, and says of none with a person in it that it holds none', async () => {
  const stored = await rowsOf(
    app,
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const without = Object.keys(impersonal).map((name) => schema[name as keyof typeof impersonal]);
  const declared = [...personalTables.map(({ table }) => table), ...without].map((table) => getTableName(table));
  expect(stored.map(({ name }) => name)).toEqual([...declared, ...dropLater].toSorted());
  const leading = /^(user_id|owner_id|actor_id|e?mail|name_of|first_name|last_name|mobile|phone|ip|device|to_address)$/;
  for (const table of without) {
    const columns = Object.values(getTableColumns(table)).map(({ name }) => name);
    expect(
      columns.filter((name) => leading.test(name)),
      `${getTableName(table)} is declared without a person`,
    ).toEqual([]);
  }
});

it('a closed account leaves no trace, but where one is declared to be kept', { timeout: 120_000 }, async () => {
  const { db, queue } = app.context;
  const { agent, userId } = await somebodyEverywhere();
  const before = await rowsOfLeaver(userId);
  for (const { name, handling, erasure } of personalTables) {
    if ('holds' in handling) continue;
    expect(before.get(name), `somebodyEverywhere needs a row of ${name}`).not.toEqual([]);
    if (!('rows' in handling)) continue;
    for (const [column, to] of Object.entries(erasure)) {
      if (is(to, SQL)) continue;
      const values = before.get(name)!.map((row) => row[column]);
      expect(
        values.some((value) => value !== null && JSON.stringify(value) !== JSON.stringify(to)),
        `somebodyEverywhere needs a value in ${name}.${column}`,
      ).toBe(true);
    }
  }
  expect(await columnsWithTraces()).toContain('pgboss.job.data');

  await agent.post('/api/user/close-account').send({ password }).expect(200);
  await queue.drain();
  await rowsOf(app, `update pgboss.job set start_after = now() where state = 'created'`);
  await queue.drain();

  expect((await columnsWithTraces()).filter((column) => !mayStay.includes(column))).toEqual([]);

  const after = await rowsOfLeaver(userId);
  for (const { name, handling, erasure } of personalTables) {
    if ('delete' in handling) expect(after.get(name), name).toEqual([]);
    if (!('rows' in handling)) continue;
    for (const row of after.get(name)!)
      for (const [column, to] of Object.entries(erasure))
        if (!is(to, SQL)) expect([name, column, row[column]]).toEqual([name, column, to]);
  }
  expect(after.get('sessions')).toEqual([]);
  expect(after.get('toolUsage')!.map(({ teamId, clientReference }) => [teamId !== null, clientReference])).toEqual(
    expect.arrayContaining([
      [true, 'F-1204'],
      [false, null],
    ]),
  );
  const ofPractice = await db.select().from(sessionStatements).where(eq(sessionStatements.userId, userId));
  expect(ofPractice.map(({ remark }) => remark)).toEqual([others.asked]);
  expect(await db.select().from(toolSubscriptions).where(eq(toolSubscriptions.userId, userId))).toHaveLength(
    before.get('toolSubscriptions')!.filter((row) => row['userId'] === userId).length,
  );
});
