import { expect, test } from 'vitest';
import { sandboxWorld, seeded } from '../testing/world.ts';

test('webhooks are held back, then sent shuffled, twice or never, as the control was told', async () => {
  const world = await sandboxWorld();
  const { webhooks } = world.sandbox;
  const names = Array.from({ length: 20 }, (_, index) => `c${index}@example.com`);
  const make = async () => {
    await webhooks.hold();
    for (const email of names) await world.stripe.customers.create({ email });
    await world.sandbox.deliverPending();
  };
  const emails = (from: number) =>
    world.received.slice(from).map(({ data }) => (data.object as { email?: string }).email);

  await make();
  expect(world.received).toEqual([]);
  expect((await webhooks.held()).map(({ type }) => type)).toEqual(names.map(() => 'customer.created'));
  expect(await webhooks.release()).toEqual({ posted: 20, duplicated: 0, dropped: 0 });
  expect(emails(0)).toEqual(names);

  await make();
  const chaos = () => ({ shuffle: true, duplicate: 0.3, drop: 0.2, random: seeded(7) });
  const done = await webhooks.release(chaos());
  expect(done.posted + done.dropped).toBe(20);
  for (const count of [done.duplicated, done.dropped]) expect(count).toBeGreaterThan(0);
  const first = emails(20);
  expect(first).toHaveLength(done.posted + done.duplicated);
  expect(new Set(first).size).toBe(done.posted);
  expect([...new Set(first)]).not.toEqual(names.filter((name) => first.includes(name)));
  expect(await webhooks.release()).toMatchObject({ posted: 0 });
  expect(new Set(emails(20)).size).toBe(20 - done.dropped);

  const again = world.received.length;
  await make();
  await webhooks.release(chaos());
  expect(emails(again)).toEqual(first);

  await world.stripe.customers.create({ email: 'after@example.com' });
  await world.sandbox.deliverPending();
  expect(emails(0).at(-1)).toBe('after@example.com');
  await webhooks.resend(world.received[0]!.id);
  expect(emails(0).at(-1)).toBe(names[0]);
  await expect(webhooks.resend('evt_none')).rejects.toMatchObject({ status: 404 });
});
