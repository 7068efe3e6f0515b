import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { users } from '#shared/schema/accounts.ts';
import type { NewUser } from '#server/testing/factories.ts';
import { buy, giveCard, rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();

const customerOf = async (userId: string) => {
  const sql = 'select stripe_customer_id as id from users where id = $1';
  const customer = await app.context.payments.stripe.customers.retrieve(
    (await rowsOf(app, sql, [userId]))[0]!.id as string,
  );
  if (customer.deleted) throw new Error('the customer is deleted');
  return customer;
};

const twoPhones = '0412 345 678 or 02 5550 1234';
const refused: [string, NewUser, object][] = [
  ['a phone of 28 characters (woocommerce-payments#4433, odoo#109728)', { mobile: twoPhones }, { phone: null }],
  ['a phone with an extension', { mobile: '+61 2 5550 1234 ext. 725' }, { phone: null }],
  ['an address without a dot in its domain (fjordllc/bootcamp#4134)', { email: 'kim@com' }, { email: null }],
  ['an internationalised address', { email: 'kim@münchen.example' }, { email: null }],
  [
    'a name of 401 characters (cocalc#4656)',
    { firstName: 'Q'.repeat(200), lastName: 'R'.repeat(200) },
    { name: `${'Q'.repeat(200)} ${'R'.repeat(55)}` },
  ],
  [
    'both at once',
    { email: 'lee@com', mobile: twoPhones, firstName: 'Lee' },
    { email: null, phone: null, name: 'Lee Nguyen' },
  ],
];

it.each(refused)('a purchase succeeds with %s', async (_what, details, atStripe) => {
  const { agent, user } = await app.signedIn();
  await app.context.db.update(users).set(details).where(eq(users.id, user.id));
  expect(await buy(app, agent, 'risk-profile-ai')).toMatchObject({ status: 'active' });
  expect(await customerOf(user.id)).toMatchObject({ metadata: { userId: user.id }, ...atStripe });
});

it('a trial and a card succeed with a phone that Stripe refuses', async () => {
  const { agent } = await app.signedIn({ mobile: twoPhones });
  await agent.post('/api/create-subscription').send({ toolId: 'risk-profile-ai', trial: true }).expect(200);
  await giveCard(app, agent);
});

it('a phone that Stripe had goes there when the new one is refused, and the rest of the change arrives', async () => {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai');
  expect(await customerOf(user.id)).toMatchObject({ phone: '+61412345678' });
  await agent.patch('/api/user/profile').send({ mobile: twoPhones, firstName: 'Robin' }).expect(200);
  await app.context.queue.drain();
  expect(await customerOf(user.id)).toMatchObject({ phone: null, name: 'Robin Nguyen' });
});
