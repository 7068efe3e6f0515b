import { expect, it, vi } from 'vitest';
import { buy, pass, passTo, rowsOf, shown } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';

vi.setConfig({ testTimeout: 120_000 });

const app = testApp();

it('a credit note on an unpaid invoice gives no money back, and nobody is told of a refund', async () => {
  const { agent, user } = await app.signedIn();
  for (const tool of ['risk-profile-ai', 'file-note-ai']) await buy(app, agent, tool);
  const [payer] = await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [user.id]);
  await app.sandbox!.controls.failNextCharges(payer!['id'] as string, 1);
  await passTo(app, (await shown(agent, 'risk-profile-ai'))!.endDate!, 60_000);
  await pass(app, 2 * 3600_000);
  await agent.post('/api/cancel-subscription').send({ toolId: 'risk-profile-ai' }).expect(200);
  await pass(app, 60_000);
  expect(await rowsOf(app, 'select total_cents from adjustment_notes')).toEqual([{ total_cents: 2850 }]);
  const mails = await rowsOf(app, 'select kind from mails where to_address = $1', [user.email]);
  expect(mails.map(({ kind }) => kind)).toContain('cancelled');
  expect(mails.map(({ kind }) => kind)).not.toContain('refund');
});
