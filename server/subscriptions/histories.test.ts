import type Stripe from 'stripe';
import { expect, it } from 'vitest';
import { nextInvoiceOf, periodOf, scheduledEnd } from '#server/stripe/service.ts';
import { seededRandom } from '#server/dev/seeded-random.ts';
import { createUser } from '#server/testing/factories.ts';
import { confirm, DAY } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { cancel, setAutoRenew } from './change/cancel.ts';
import { reconcileSubscriptions } from './jobs.ts';
import { purchase } from './purchase/purchase.ts';
import { findNewest } from './queries.ts';
import { pay, reactivate } from './change/reactivate.ts';

const app = testApp();

const toolId = 'risk-profile-ai';
const advisers = 20;
const rounds = 25;
const HOUR = DAY / 24;

type Actor = Awaited<ReturnType<typeof createUser>>;

/** What may happen to a subscription, at Stripe or through the adviser at the same time. */
const happenings: ((actor: Actor, stripeSubscription: Stripe.Subscription) => Promise<unknown>)[] = [
  async (_actor, { id }) => app.context.payments.stripe.subscriptions.update(id, { cancel_at_period_end: true }),
  async (_actor, { id }) => app.context.payments.stripe.subscriptions.update(id, { cancel_at_period_end: false }),
  async (_actor, { id }) => app.context.payments.stripe.subscriptions.update(id, { discounts: [{ coupon: 'ODD7' }] }),
  async (_actor, { id, items }) =>
    app.context.payments.stripe.subscriptions.update(id, {
      items: [{ id: items.data[0]!.id, quantity: 3 }],
      proration_behavior: 'none',
    }),
  async (actor) => setAutoRenew(app.context, actor, { toolId }, false),
  async (actor) => setAutoRenew(app.context, actor, { toolId }, true),
  async (actor) => cancel(app.context, actor, { toolId, cancelImmediately: true }),
  async (actor) => reactivate(app.context, actor, { toolId, charge: { cents: 3000, last4: '4242' } }),
  async (_actor, { id }) => app.context.payments.stripe.subscriptions.cancel(id),
  async (_actor, { customer }) => app.sandbox!.controls.failNextCharges(customer as string, 1),
  async (actor) => pay(app.context, actor, { toolId }),
];

/** The row is what Stripe's object says. */
async function agrees(actor: Actor): Promise<string> {
  const row = (await findNewest(app.context.db, { kind: 'user', userId: actor.id }, toolId))!;
  const stripeSubscription = await app.context.payments.stripe.subscriptions.retrieve(row.stripeSubscriptionId!, {
    expand: ['discounts', 'latest_invoice.discounts'],
  });
  const end = scheduledEnd(stripeSubscription);
  const bill = nextInvoiceOf(stripeSubscription);
  const over = stripeSubscription.status === 'canceled';
  const is = [
    row.status,
    row.autoRenew,
    row.endDate?.getTime(),
    row.quantity,
    row.purchase!.coupons.map(({ id }) => id),
  ];
  switch (row.status) {
    case 'active':
      expect(is).toEqual([
        'active',
        end === null,
        periodOf(stripeSubscription).end.getTime(),
        bill.quantity,
        bill.coupons,
      ]);
      expect([stripeSubscription.status, bill.quantity, bill.coupons]).toEqual(['active', 1, []]);
      break;
    case 'cancelled':
      // A reactivation that nobody has paid for is waiting.
      if (stripeSubscription.status === 'incomplete') break;
      expect(over || (end !== null && end <= periodOf(stripeSubscription).end)).toBe(true);
      break;
    case 'grace_period':
      expect(is.slice(0, 2)).toEqual(['grace_period', end === null]);
      expect(stripeSubscription.status).toBe('past_due');
      break;
    case 'incomplete':
      expect(stripeSubscription.status).toBe('incomplete');
      break;
    default:
      expect([row.status, stripeSubscription.status]).toEqual(['expired', 'canceled']);
  }
  return row.status;
}

it('500 histories: whatever order events come in, twice or never, the row ends as Stripe says', async () => {
  const random = seededRandom(4);
  const { stripe } = app.context.payments;
  await stripe.coupons.create({ id: 'ODD7', percent_off: 7, duration: 'forever' });
  const actors: Actor[] = [];
  for (let i = 0; i < advisers; i += 1) actors.push(await createUser(app.context));
  const buy = async (actor: Actor) => {
    const { clientSecret } = await purchase(app.context, actor, { toolId, trial: false });
    if (clientSecret) await confirm(app, clientSecret, 'pm_card_visa');
  };
  const live = async (actor: Actor, happen: (typeof happenings)[number]) => {
    const row = await findNewest(app.context.db, { kind: 'user', userId: actor.id }, toolId);
    const over =
      !row?.isActive ||
      row.status === 'incomplete' ||
      (row.status === 'cancelled' && row.gracePeriodEnd! <= app.context.now());
    // Stripe or the rules may refuse; that is a history too.
    if (over) await buy(actor).catch(() => undefined);
    else if (row.stripeSubscriptionId)
      await happen(actor, await stripe.subscriptions.retrieve(row.stripeSubscriptionId)).catch(() => undefined);
  };
  const seen = new Map<string, number>();
  await app.sandbox!.webhooks.hold();
  await Promise.all(actors.map(buy));
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(actors.map((actor) => live(actor, happenings[Math.floor(random() * happenings.length)]!)));
    await app.sandbox!.webhooks.release({ shuffle: true, duplicate: 0.3, drop: 0.3, seed: round + 1 });
    await app.context.queue.drain();
    await app.clock.advance(round % 8 === 7 ? 31 * DAY : HOUR + 60_000);
    await app.sandbox!.webhooks.hold();
    await app.sandbox!.tick();
    await app.clock.advance(HOUR + 60_000);
    await app.sandbox!.tick();
    await reconcileSubscriptions(app.context);
    await app.context.queue.drain();
    for (const status of await Promise.all(actors.map(agrees))) seen.set(status, (seen.get(status) ?? 0) + 1);
  }
  expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(advisers * rounds);
  expect([...seen.keys()]).toEqual(expect.arrayContaining(['active', 'cancelled', 'expired', 'grace_period']));
}, 600_000);
