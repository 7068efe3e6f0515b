import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { sandboxWorld } from '../testing.ts';
import { cases } from './cases.ts';
import { runCases, type Case, type Side } from './scene.ts';

const world = await sandboxWorld();
const side: Side = {
  stripe: world.stripe,
  clock: () => Promise.resolve({ customer: {}, now: world.seconds, pass: world.advance }),
};

/** The sandbox with one fault: taking back an end within the period does not restore the period. */
const planted = new Proxy(world.stripe, {
  get: (stripe, name) =>
    name === 'subscriptions'
      ? new Proxy(stripe.subscriptions, {
          get: (subscriptions, method) =>
            method === 'update'
              ? (id: string, params: Stripe.SubscriptionUpdateParams) =>
                  params.cancel_at === '' ? subscriptions.retrieve(id) : subscriptions.update(id, params)
              : (subscriptions[method as keyof typeof subscriptions] as () => unknown).bind(subscriptions),
        })
      : stripe[name as keyof typeof stripe],
});

test.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
  const [outcome] = await runCases(side, [one], () => undefined);
  expect(outcome!.was).toEqual(one.is);
  expect(world.faults).toEqual([]);
});

test(`${cases.length} cases, each with a name of its own`, () => {
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  expect(cases.length).toBeGreaterThanOrEqual(76);
});

test('a planted deviation fails by name, and nothing else does', async () => {
  const about: Case[] = cases.filter(({ name }) => /within the period/.test(name));
  const outcomes = await runCases({ ...side, stripe: planted }, about, () => undefined);
  expect(outcomes.filter(({ alike }) => !alike).map(({ name }) => name)).toEqual([
    'taking an end within the period back restores it, and charges nothing where nothing is to be prorated',
    'taking an end within the period back charges the rest of it unless told not to',
  ]);
});
