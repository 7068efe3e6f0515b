import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { sampleSeller } from '#shared/brand.ts';
import { type DrawingJob, drawn } from './drawings.ts';

const at = new Date('2026-11-01T00:00:00Z');
const job = (number: string): DrawingJob => ({
  invoice: {
    id: randomUUID(),
    stripeInvoiceId: 'in_1',
    userId: randomUUID(),
    teamId: null,
    subscriptionId: null,
    number,
    status: 'paid',
    description: 'Risk Profile AI',
    totalCents: 3000,
    gstCents: 273,
    amountPaidCents: 3000,
    dueCents: 0,
    lines: [],
    buyer: null,
    issuedAt: at,
    paidAt: at,
    createdAt: at,
    updatedAt: at,
  },
  note: null,
  buyer: { name: 'Mia Wong', business: null, abn: null, address: [], email: 'mia@practice.example' },
  seller: sampleSeller,
});

it('draws in a thread, once for everybody who asks for the same, while the main thread goes on', async () => {
  const one = job('AD-1');
  let turns = 0;
  let done = false;
  const documents = Promise.all([drawn(one, { key: 'mia' }), drawn(structuredClone(one), { key: 'tom' })]);
  const settled = documents.finally(() => (done = true));
  while (!done) {
    turns += 1;
    await new Promise(setImmediate);
  }
  const [first, second] = await settled;
  expect(Buffer.from(first).subarray(0, 5).toString()).toBe('%PDF-');
  expect(second).toBe(first);
  expect(turns).toBeGreaterThan(10);
});

it('lets one person keep no more than a share of the line, and others pass', async () => {
  const asked = Array.from({ length: 40 }, (_, i) => drawn(job(`AD-${i + 2}`), { key: 'greedy' }));
  const other = drawn(job('AD-50'), { key: 'modest' });
  const results = await Promise.allSettled(asked);
  expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(20);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'busy' } });
  expect((await other).length).toBeGreaterThan(1000);
});
