import { expect, it, vi } from 'vitest';
import type { AdministeredInvoice } from '#shared/api/operators/acts.ts';
import { financialYearOf, sydneyDate } from '#shared/rules/dates.ts';
import { statements } from '#server/invoices/service.ts';
import { userPayer } from '#server/payers/service.ts';
import { administrator } from '#server/testing/administrator.ts';
import { buy, DAY, pass, passTo, rowsOf, shown } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { mailCopies } from './copies.ts';

vi.setConfig({ testTimeout: 120_000 });

const app = testApp();

/** An adviser in grace who has cancelled one of two tools, which came off the bill. */
async function withCreditNote(refusals: number) {
  const { agent, user } = await app.signedIn();
  for (const tool of ['risk-profile-ai', 'file-note-ai']) await buy(app, agent, tool);
  const [payer] = await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [user.id]);
  await app.sandbox!.controls.failNextCharges(payer!['id'] as string, refusals);
  await passTo(app, (await shown(agent, 'risk-profile-ai'))!.endDate!, 60_000);
  await pass(app, 2 * 3600_000);
  await agent.post('/api/cancel-subscription').send({ toolId: 'risk-profile-ai' }).expect(200);
  await pass(app, 60_000);
  return { agent, user };
}
const statementOf = ({ user }: { user: { id: string } }) =>
  statements.readStatement(app.context, userPayer(user.id), financialYearOf(sydneyDate(app.context.now())));

it('what comes off a bill before it is paid is no refund, to administrators, bookkeepers and in the statement', async () => {
  const payer = await withCreditNote(1);
  const { agent, user } = payer;
  await rowsOf(
    app,
    'insert into bookkeepers (user_id, email, token, asked_at, confirmed_at) values ($1, $2, $2, now(), now())',
    [user.id, `books-${user.email}`],
  );
  const before = await statementOf(payer);
  const { owed } = (await agent.get('/api/billing/forecast').expect(200)).body as { owed: { dueCents: number } };
  await pass(app, 60_000);
  await agent
    .post('/api/billing/pay')
    .send({ charge: { cents: owed.dueCents, last4: '4242' } })
    .expect(200);
  await pass(app, 60_000);
  const after = await statementOf(payer);
  expect([before.refunded.cents, after.refunded.cents]).toEqual([0, 0]);
  expect(after.paid.cents - before.paid.cents).toBe(owed.dueCents);
  const admin = await administrator(app);
  const { body } = await admin.agent.get(`/api/admin/users/${user.id}/invoices`).expect(200);
  expect((body as AdministeredInvoice[])[0]).toMatchObject({ refundedCents: 0, whyNoRefund: null });
  await mailCopies(app.context);
  const copies = await rowsOf(app, 'select text_body as text from mails where to_address = $1', [
    `books-${user.email}`,
  ]);
  expect(copies.map(({ text }) => text).join()).toContain('$28.50 was taken off');
  expect(copies.map(({ text }) => text).join()).not.toContain('was refunded');
  const [paid] = copies.map(({ text }) => /paid \$.+/.exec(text as string)?.[0]).filter(Boolean);
  expect(paid).toMatch(
    /^paid \$23\.75 of \$52\.25 for 2 tools, .+; \$28\.50 was credit\. \$4\.75 of the \$52\.25 is GST\.$/,
  );
});

it('nor is it one where the bill is never paid', async () => {
  const payer = await withCreditNote(99);
  const { paid } = await statementOf(payer);
  for (const days of [3, 4, 1]) await pass(app, days * DAY);
  const [invoice] = await rowsOf(app, 'select status from invoices where user_id = $1 order by issued_at desc', [
    payer.user.id,
  ]);
  expect(invoice).toEqual({ status: 'void' });
  const after = await statementOf(payer);
  expect([after.paid, after.refunded.cents]).toEqual([paid, 0]);
});
