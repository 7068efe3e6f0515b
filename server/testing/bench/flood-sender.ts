import { randomUUID } from 'node:crypto';
import { call } from '../faults/people.ts';
import { password } from '../newcomer.ts';

export type Flood = {
  base: string;
  pdfs: { id: string; cookie: string }[];
  exports: string[];
  wrongSignIns: number;
  members: string[];
};

/**
 * Sends the whole flood at once, in a process of its own: what is measured beside it must not wait for the sending. Tells its parent when
 * it has begun, and then what was answered.
 */
process.once('message', async ({ base, pdfs, exports, wrongSignIns, members }: Flood) => {
  const counts: Record<string, number> = {};
  const count = async (what: string, sent: Promise<Response>) => {
    const answer = await sent;
    await answer.arrayBuffer();
    const key = `${what}: ${answer.status}`;
    counts[key] = (counts[key] ?? 0) + 1;
  };
  const wrong = () => ({
    body: { email: `${randomUUID()}@practice.example`, password: 'wrong' },
    headers: { 'x-forwarded-for': '203.0.113.66' },
  });
  /** Signed in, and with the right password: ten proofs at once, again and again for ten seconds. */
  const prove = async (cookie: string) => {
    for (const end = performance.now() + 10_000; performance.now() < end;)
      await count('proof of a member', call({ base }, '/api/user/proof', { body: { password }, cookie }));
  };
  const all = Promise.all([
    ...members.flatMap((cookie) => Array.from({ length: 10 }, () => prove(cookie))),
    ...Array.from({ length: wrongSignIns }, () => count('wrong sign-in', call({ base }, '/api/login', wrong()))),
    ...pdfs.map(({ id, cookie }) => count('PDF', call({ base }, `/api/billing/invoices/${id}/pdf`, { cookie }))),
    ...exports.map((cookie) => count('export', call({ base }, '/api/user/export', { cookie }))),
  ]);
  process.send!('begun');
  await all;
  process.send!(counts, () => process.disconnect());
});
