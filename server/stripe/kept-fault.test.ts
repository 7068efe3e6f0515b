import { describe, expect, it } from 'vitest';
import { buy, providerSubscriptions } from '#server/testing/purchases.ts';
import { faultyApp } from '#server/testing/replica.ts';

const { app, line, replica } = faultyApp();

const listed = async (path: string): Promise<number> => {
  const { customers, subscriptions, taxRates } = app.context.payments.stripe;
  const lists: Record<string, () => Promise<{ data: object[] }>> = {
    '/v1/customers': () => customers.list({ limit: 100 }),
    '/v1/subscriptions': () => subscriptions.list({ status: 'all', limit: 100 }),
    '/v1/tax_rates': () => taxRates.list({ limit: 100 }),
  };
  return (await lists[path]!()).data.length;
};

describe('a purchase succeeds, once, though Stripe keeps a 500 under its key', () => {
  it.each([
    ['/v1/tax_rates', false, 'risk-profile-ai'],
    ['/v1/customers', false, 'risk-profile-ai'],
    ['/v1/customers', true, 'risk-profile-ai'],
    ['/v1/subscriptions', false, 'risk-profile-ai'],
    ['/v1/subscriptions', true, 'risk-profile-ai'],
  ])('%s (made all the same: %s)', async (path, made, tool) => {
    const { user } = await app.signedIn();
    const agent = await replica.agent(user.email);
    const before = await listed(path);
    line.spoilNext(new RegExp(`^${path}$`), { made });
    expect(await buy(app, agent, tool)).toMatchObject({ status: 'active' });
    expect((await listed(path)) - before).toBe(1);
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
  });
});
