import { realNow } from '#server/platform/clock.ts';
import { stripeTestKey } from '#server/platform/env.ts';
import { createStripe } from '#server/platform/payments.ts';
import { cases } from './cases.ts';
import { DAY, runCases, type Side } from './scene.ts';

/**
 * `STRIPE_TEST_KEY=sk_test_… npm run stripe:contract`: asks a real test account everything that the sandbox is held to in
 * `npm test`, on test clocks, and prints where the two differ. Takes an hour or so; leaves products and coupons behind.
 */
const key = stripeTestKey();
if (key === null) {
  console.error(`STRIPE_TEST_KEY must be a test key (sk_test_…). ${cases.length} cases wait for it; none was asked.`);
  process.exit(2);
}
const stripe = createStripe({ secretKey: key });
const clocks: string[] = [];
const patienceMs = 120_000;

const side: Side = {
  stripe,
  async clock() {
    let now = Math.floor(realNow().getTime() / 1000);
    const { id } = await stripe.testHelpers.testClocks.create({ frozen_time: now, name: 'Adviserly contract' });
    clocks.push(id);
    return {
      customer: { test_clock: id },
      now: () => now,
      async pass(days) {
        now += Math.round(days * DAY);
        await stripe.testHelpers.testClocks.advance(id, { frozen_time: now });
        for (const until = realNow().getTime() + patienceMs; ;) {
          const { status } = await stripe.testHelpers.testClocks.retrieve(id);
          if (status === 'ready') return;
          if (status !== 'advancing' || realNow().getTime() > until) throw new Error(`the test clock is ${status}`);
          await new Promise((resolve) => setTimeout(resolve, 1000));
        }
      },
    };
  },
};

const outcomes = await runCases(side, cases, ({ name, alike, is, was }) => {
  console.log(`${alike ? 'alike ' : 'DIFFER'}  ${name}`);
  if (!alike) console.log(`        sandbox ${JSON.stringify(is)}\n        Stripe  ${JSON.stringify(was)}`);
});
for (const id of clocks) await stripe.testHelpers.testClocks.del(id).catch(() => undefined);
const differing = outcomes.filter(({ alike }) => !alike);
console.log(`${cases.length} cases: ${cases.length - differing.length} alike, ${differing.length} different.`);
process.exit(differing.length > 0 ? 1 : 0);
