import { expect, test, vi } from 'vitest';
import { sandboxWorld } from '../testing/world.ts';

test('events are signed, posted once by two processes, and tried again when refused', async () => {
  const world = await sandboxWorld();
  const other = await world.startAnother();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => world.stripe.customers.create({ email: `c${index}@example.com` })),
  );
  await Promise.all([world.sandbox.deliverPending(), other.deliverPending()]);
  const ids = world.received.map(({ id }) => id);
  expect(ids).toHaveLength(20);
  expect(new Set(ids).size).toBe(20);
  expect(world.received[0]).toMatchObject({
    object: 'event',
    type: 'customer.created',
    api_version: '2026-10-28.endive',
  });
  expect(world.received[0]?.created).toBe(world.seconds());

  world.refuse(1);
  const customer = await world.stripe.customers.create({ email: 'late@example.com' });
  await vi.waitFor(() => expect(world.received.at(-1)?.data.object).toMatchObject({ id: customer.id }), {
    timeout: 10_000,
  });

  const listed = await world.stripe.events.list({ type: 'customer.created', limit: 1 });
  expect(listed.data[0]?.id).toBe(world.received.at(-1)?.id);
  expect(world.faults).toEqual([]);
  await other.close();
});

test('a purchase from before a restart is still there after it', async () => {
  const world = await sandboxWorld();
  const customer = await world.stripe.customers.create({ email: 'kept@example.com' });
  const again = await world.startAnother();
  expect((await again.list()).customers).toMatchObject([{ id: customer.id }]);
  await again.close();
});
