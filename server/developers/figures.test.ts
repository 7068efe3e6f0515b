import { beforeAll, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { day, plus, sydneyDate } from '#shared/rules/dates.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { testAdvisers, tools } from '#shared/schema/tools.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { createUser } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';

const toolId = 'file-note-ai';
const path = `/api/developers/tools/${toolId}/figures`;
const app = testApp();
let maker: Awaited<ReturnType<typeof app.signedIn>>;
beforeAll(async () => {
  maker = await app.signedIn();
  await app.context.db.update(tools).set({ ownerId: maker.user.id }).where(eq(tools.id, toolId));
});
const figures = async () => (await maker.agent.get(path).expect(200)).body as Record<string, unknown>;
const worked = (userId: string, checked: boolean | null, daysAgo = 1) =>
  app.context.db
    .insert(toolUsage)
    .values({ userId, toolId, checked, createdAt: plus(app.context.now(), -daysAgo * day) });

/** Somebody whose trial was paid, and who has left since. */
async function triedPaidAndLeft(): Promise<string> {
  const { db } = app.context;
  const { id: userId } = await createUser(app.context);
  const trialEndDate = plus(app.context.now(), 9 * day);
  const [row] = await db
    .insert(toolSubscriptions)
    .values({ userId, toolId, status: 'trial', trialEndDate })
    .returning({ id: toolSubscriptions.id });
  const change = (values: Partial<typeof toolSubscriptions.$inferInsert>) =>
    db.update(toolSubscriptions).set(values).where(eq(toolSubscriptions.id, row!.id));
  await change({
    status: 'active',
    stripeSubscriptionId: `sub_${userId}`,
    unitCents: 2500,
    monthlyCents: 2500,
    endDate: plus(app.context.now(), 30 * day),
  });
  await change({ autoRenew: false, cancellationReason: 'too_expensive', cancelledAt: app.context.now() });
  return userId;
}

it('shows no figure about fewer than five people, and each from five on', async () => {
  const people: string[] = [];
  for (let at = 0; at < 4; at += 1) people.push(await triedPaidAndLeft());
  for (const id of people) await worked(id, true);
  const few = await figures();
  for (const name of ['trials', 'trialsBegun', 'trialsPaid', 'users', 'reviewedPercent'])
    expect([name, few[name]]).toEqual([name, null]);
  expect(few['reasons']).toContainEqual({ reason: 'too_expensive', people: null });

  const fifth = await triedPaidAndLeft();
  await worked(fifth, true);
  // One person's many sessions count, but show nothing of that person.
  for (let at = 0; at < 5; at += 1) await worked(fifth, false);
  await worked(people[0]!, null, 120);
  const tester = await createUser(app.context);
  await app.context.db.insert(testAdvisers).values({ userId: tester.id, toolId, createdAt: app.context.now() });
  await worked(tester.id, null);
  const enough = await figures();
  expect(enough).toMatchObject({
    trialsBegun: 5,
    trialsPaid: 5,
    users: 5,
    reviewedPercent: 50,
    notCheckedPercent: null,
  });
  expect(enough['reasons']).toContainEqual({ reason: 'too_expensive', people: 5 });
  expect(enough['reasons']).toContainEqual({ reason: 'other', people: null });
});

it('names no version of a made-up person’s session, and recalls none', async () => {
  const tester = await createUser(app.context);
  const { db } = app.context;
  await db.insert(testAdvisers).values({ userId: tester.id, toolId, createdAt: app.context.now() });
  const adviser = await createUser(app.context);
  const createdAt = plus(app.context.now(), -day);
  await db.insert(toolUsage).values([
    { userId: tester.id, toolId, toolVersion: 'tried', createdAt },
    { userId: tester.id, toolId, toolVersion: 'sold', createdAt },
    { userId: adviser.id, toolId, toolVersion: 'sold', createdAt },
  ]);
  const ofTool = async (what: string) => (await maker.agent.get(path.replace('figures', what)).expect(200)).body as Of;
  type Of = { versions: object[]; recalls: object[] };
  const used = [expect.objectContaining({ version: 'sold', sessions: 1 })];
  for (const what of ['announcements', 'recalls'])
    expect((await ofTool(what)).versions.filter((one) => 'version' in one && one.version !== '')).toEqual(used);
  const terms = { versions: ['tried', 'sold'], fromDay: sydneyDate(plus(createdAt, -day)), untilDay: null };
  const says = { wrong: 'It left out a page.', lookFor: 'Short notes.', severity: 'medium', stops: false };
  await maker.agent
    .post(path.replace('figures', 'recalls'))
    .send({ ...terms, ...says })
    .expect(201);
  await app.context.queue.drain();
  expect((await ofTool('recalls')).recalls).toMatchObject([{ sessions: 1, people: 1 }]);
});

it('knows only one’s own tools', async () => {
  const other = await app.signedIn();
  await other.agent.get(path).expect(404);
});
