import { beforeAll, describe, expect, it } from 'vitest';
import type { AdministeredInvoice, actsApi } from '#shared/api/operators/acts.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp({ FOUR_EYES: 'on' });
type Admin = Awaited<ReturnType<typeof administrator>>;
let first: Admin;
let second: Admin;
beforeAll(async () => {
  first = await administrator(app);
  second = await administrator(app);
});

const reason = 'Agreed on the telephone';
const waits = 'It waits for a second administrator, who was told by email.';
const settle = async () => {
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
};
const outlookOf = async (id: string) =>
  (await first.agent.get(`/api/admin/invoices/${id}/outlook`).expect(200)).body as Reply<typeof actsApi.invoiceOutlook>;
const refund = (admin: Admin, id: string, cents: number, leftCents: number) =>
  admin.post(`/api/admin/invoices/${id}/refund`, { cents, leftCents, reason });

/** Somebody who paid $120.00 for a team of their own, and $30.00 for themselves. */
async function payer() {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id, members: 3 });
  await buy(app, agent, 'risk-profile-ai', 'pm_card_visa', { teamId: team.id });
  await buy(app, agent, 'file-note-ai', 'pm_card_visa', { teamId: team.id });
  await buy(app, agent, 'risk-profile-ai');
  await settle();
  const list = async (path: string) =>
    (await first.agent.get(`/api/admin/${path}/invoices`).expect(200)).body as AdministeredInvoice[];
  const [ofTeam, own] = [await list(`teams/${team.id}`), await list(`users/${user.id}`)];
  return { user, invoices: [...ofTeam, ...own].toSorted((a, b) => b.totalCents - a.totalCents) };
}

describe('small refunds to one person', () => {
  it('add up over thirty days, whoever makes them and whichever payer of theirs gets them', async () => {
    const { user, invoices } = await payer();
    const [large, middle, small] = invoices as [AdministeredInvoice, AdministeredInvoice, AdministeredInvoice];
    await refund(first, large.id, 110_00, large.totalCents).expect(200);
    const before = await outlookOf(middle.id);
    expect(before.refund.at(-1)).toBe(
      'More than $90.00 needs a second administrator: administrators refunded this person $110.00 alone in the last 30 days, and the limit is $200.00 in all.',
    );
    const done = await refund(second, middle.id, 80_00, middle.totalCents).expect(200);
    expect((done.body as { message: string }).message).toContain('$80.00 goes back');
    const last = await refund(first, small.id, 10_01, small.totalCents).expect(200);
    expect(last.body).toEqual({ message: waits });
    await refund(second, small.id, 10_00, small.totalCents).expect(200);
    expect(await rowsOf(app, "select 1 from acts where kind = 'refund' and state = 'waiting'")).toHaveLength(1);
    // A month later they no longer count.
    await rowsOf(app, "update acts set asked_at = asked_at - interval '30 days' where person_id = $1", [user.id]);
    expect((await outlookOf(middle.id)).refund.join()).not.toContain('second administrator');
  });

  it('come to no more together, made at once, than one may make alone', async () => {
    const { user, invoices } = await payer();
    const [large, middle] = invoices as [AdministeredInvoice, AdministeredInvoice];
    const answers = await Promise.all([
      refund(first, large.id, 110_00, large.totalCents),
      refund(second, middle.id, 95_00, middle.totalCents),
    ]);
    const alone = await rowsOf(
      app,
      'select coalesce(sum(cents), 0)::int as cents from acts where person_id = $1 and failure is null',
      [user.id],
    );
    expect([110_00, 95_00]).toContain(alone[0]!['cents']);
    expect(answers.filter(({ body }) => (body as { message?: string }).message?.includes('goes back'))).toHaveLength(1);
  });

  it('are not offered where nothing can be refunded', async () => {
    const { user, invoices } = await payer();
    const own = invoices.at(-1)!;
    expect(own.whyNoRefund).toBeNull();
    await refund(first, own.id, own.totalCents, own.totalCents).expect(200);
    await settle();
    const list = (await first.agent.get(`/api/admin/users/${user.id}/invoices`).expect(200))
      .body as AdministeredInvoice[];
    expect(list).toMatchObject([{ id: own.id, whyNoRefund: 'All of it was refunded' }]);
  });
});
