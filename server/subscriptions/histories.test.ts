import type Stripe from 'stripe';
import { expect, it } from 'vitest';
import { billOf, goOnAfter } from '#shared/rules/billing/bill.ts';
import { seededRandom } from '#server/dev/seeded-random.ts';
import { requirePayerFacts, userPayer } from '#server/payers/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { endsWithPeriod, itemsOf, periodOf } from '#server/stripe/bill-subscription.ts';
import { createUser } from '#server/testing/factories.ts';
import { confirm, DAY } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { runDueJobs } from '#server/jobs.ts';
import { payBill } from './bill/grace.ts';
import { linesFor } from './bill/mirror.ts';
import { openBillsOf } from './bill/queries-bills.ts';
import { readBill } from './bill/read.ts';
import { purchase } from './buy/purchase.ts';
import { cancel, reactivate, setAutoRenew } from './change/change.ts';

const app = testApp();

const tools = ['risk-profile-ai', 'file-note-ai'];
const advisers = 16;
const rounds = 20;
const HOUR = DAY / 24;

type Actor = Awaited<ReturnType<typeof createUser>>;

const buy = async (actor: Actor, toolId: string) => {
  const { clientSecret } = await purchase(app.context, actor, { toolId, trial: false });
  if (clientSecret) await confirm(app, clientSecret, 'pm_card_visa');
};

/** What may happen to a payer's tools, at Stripe or through the adviser at the same time. */
const happenings: ((actor: Actor, toolId: string, subscription: Stripe.Subscription | null) => Promise<unknown>)[] = [
  async (actor, toolId) => buy(actor, toolId),
  async (actor, toolId) => purchase(app.context, actor, { toolId, trial: true }),
  async (actor, toolId) => setAutoRenew(app.context, actor, { toolId }, false),
  async (actor, toolId) => setAutoRenew(app.context, actor, { toolId }, true),
  async (actor, toolId) => cancel(app.context, actor, { toolId, cancelImmediately: true }),
  async (actor, toolId) => cancel(app.context, actor, { toolId, cancelImmediately: false }),
  async (actor, toolId) => reactivate(app.context, actor, { toolId }),
  async (actor) => payBill(app.context, actor, {}),
  async (_actor, _tool, one) => one && app.sandbox!.controls.failNextCharges(one.customer as string, 1),
  async (_actor, _tool, one) =>
    one && app.context.payments.stripe.subscriptions.update(one.id, { cancel_at_period_end: true }),
];

const alive = ['trialing', 'active', 'past_due'];

const isStripes = (error: unknown) =>
  error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe');

/** Rows, bill and Stripe say one thing. */
async function agrees(actor: Actor): Promise<string[]> {
  const payer = userPayer(actor.id);
  const { facts, input, slots } = await readBill(app.context, payer);
  const { stripeCustomerId: customer } = await requirePayerFacts(app.context.db, payer);
  const page = customer
    ? await app.context.payments.stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
    : { data: [] };
  const living = page.data.filter(({ status }) => alive.includes(status));
  expect(living.map(({ id }) => id)).toEqual(facts.stripeSubscriptionId ? [facts.stripeSubscriptionId] : []);
  const unpaid = (await openBillsOf(app.context.db, payer)).filter(({ status }) => status === 'unpaid');
  const graced = slots.filter(({ status }) => status === 'grace_period');
  expect(unpaid.length).toBeLessThanOrEqual(1);
  // The bill that comes after the last tool is in grace without one.
  const ofTools = unpaid.filter(({ kind }) => kind !== 'closing');
  expect([ofTools.length, graced.length > 0]).toEqual([Number(graced.length > 0), graced.length > 0]);
  const [subscription] = living;
  if (subscription) {
    const bill = billOf(input, facts.nextBillAt!);
    const goesOn = goOnAfter(input, bill);
    expect(facts.nextBillAt).toEqual(periodOf(subscription).end);
    expect(endsWithPeriod(subscription)).toBe(!goesOn);
    const lines = linesFor(bill.lines);
    const held = itemsOf(subscription).map(({ toolId, cents }) => `${toolId} ${cents}`);
    if (goesOn && lines.length > 0)
      expect(held.toSorted()).toEqual(lines.map(({ toolId, cents }) => `${toolId} ${cents}`).toSorted());
  }
  return slots.map(({ status }) => status);
}

it(`${advisers * rounds} histories: whatever order events come in, twice or never, rows and Stripe end alike`, async () => {
  const random = seededRandom(4);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const { stripe } = app.context.payments;
  const actors: Actor[] = [];
  for (let i = 0; i < advisers; i += 1) actors.push(await createUser(app.context));
  const live = async (actor: Actor, happen: (typeof happenings)[number], toolId: string) => {
    const { facts } = await readBill(app.context, userPayer(actor.id));
    const id = facts.stripeSubscriptionId;
    await happen(actor, toolId, id ? await stripe.subscriptions.retrieve(id) : null).catch((error: unknown) => {
      // Stripe or the rules may refuse; that is a history too.
      if (!(error instanceof AppError) && !isStripes(error)) throw error;
    });
  };
  const seen = new Map<string, number>();
  await app.sandbox!.webhooks.hold();
  await Promise.all(actors.map((actor) => buy(actor, tools[0]!)));
  for (let round = 0; round < rounds; round += 1) {
    const drawn = actors.map((actor) => [actor, pick(happenings), pick(tools)] as const);
    await Promise.all(drawn.map(([actor, happen, toolId]) => live(actor, happen, toolId)));
    await app.sandbox!.webhooks.release({ shuffle: true, duplicate: 0.3, drop: 0.3, random: seededRandom(round + 1) });
    await app.context.queue.drain();
    await app.clock.advance(round % 5 === 4 ? 31 * DAY : HOUR + 60_000);
    await app.sandbox!.webhooks.hold();
    await app.sandbox!.tick();
    await app.context.queue.drain();
    await app.clock.advance(HOUR + 60_000);
    await app.sandbox!.tick();
    await runDueJobs(app.context, undefined, { atTheEnd: false, beforeBills: true });
    await app.context.queue.drain();
    for (const statuses of await Promise.all(actors.map(agrees)))
      for (const status of statuses) seen.set(status, (seen.get(status) ?? 0) + 1);
  }
  expect([...seen.keys()]).toEqual(expect.arrayContaining(['active', 'cancelled', 'trial', 'grace_period']));
}, 900_000);
