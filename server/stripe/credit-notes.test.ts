import { describe, expect, it } from 'vitest';
import { userPayer } from '#server/payers/service.ts';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { refund } from './credit-notes.ts';
import { createInvoice } from './invoices.ts';

const app = testApp();

/** A paid invoice of $68.00: $60.00 for a month and $12.00 for days, less a credit of $4.00. */
async function paidInvoice() {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai');
  const about = { description: 'Days', toolId: 'risk-profile-ai', from: '2026-11-01', to: '2026-11-30' };
  const items = Object.entries({ month: 6000, joined: 1200, unused: -400 }).map(([key, cents]) => ({
    ...about,
    key,
    cents,
  }));
  const order = { payer: userPayer(user.id), billId: user.id, attempt: 1, items, collect: true };
  const { id } = await createInvoice(app.context, order);
  const { lines } = await app.context.payments.stripe.invoices.pay(id, { off_session: true });
  const keyOf = (line?: string | null) => lines.data.find((one) => one.id === line)?.metadata['key'] ?? null;
  return {
    id,
    back: (cents: number, key: string) => refund(app.context, id, { cents, key, memo: 'Agreed' }),
    /** The notes, oldest first, with what each takes off which line. */
    notes: async () =>
      (await app.context.payments.stripe.creditNotes.list({ invoice: id })).data.toReversed().map((note) => ({
        total: note.total,
        gst: note.total_taxes?.[0]?.amount ?? null,
        lines: note.lines.data.map(({ invoice_line_item: line, amount }) => [keyOf(line), amount]),
      })),
  };
}

describe('a refund', () => {
  it('credits the largest lines, none beyond what is left of it, and their GST is Stripe’s', async () => {
    const { back, notes } = await paidInvoice();
    expect(await back(5500, 'first')).toBe(5500);
    expect(await back(1300, 'second')).toBe(1300);
    const second = [
      ['joined', 1200],
      ['month', 100],
    ];
    expect(await notes()).toEqual([
      { total: 5500, gst: 500, lines: [['month', 5500]] },
      { total: 1300, gst: 118, lines: second },
    ]);
    expect(await back(1, 'third')).toBe(0);
  });

  it('happens once under a key, also when Stripe has forgotten the key', async () => {
    const { back, notes } = await paidInvoice();
    await back(1000, 'once');
    await rowsOf(app, 'truncate sandbox.answers');
    expect(await back(1000, 'once')).toBe(1000);
    expect(await notes()).toHaveLength(1);
  });

  it('is by amount where the lines don’t come to the sum', async () => {
    const { id, back, notes } = await paidInvoice();
    await rowsOf(app, `update sandbox.objects set data = jsonb_set(data, '{lines,data}', '[]') where id = $1`, [id]);
    expect(await back(1000, 'other')).toBe(1000);
    expect(await notes()).toEqual([{ total: 1000, gst: null, lines: [[null, 1000]] }]);
  });

  it('is by amount where Stripe refuses the lines, which an older release’s coupon took half off', async () => {
    const { id, back, notes } = await paidInvoice();
    const halved = '[{"amount": 3000, "discount": "di_older"}]';
    await rowsOf(
      app,
      `update sandbox.objects set data = jsonb_set(data, '{lines,data}', (select jsonb_agg(
         case when line ->> 'amount' = '6000' then line || jsonb_build_object('discount_amounts', $2::jsonb) else line end)
         from jsonb_array_elements(data #> '{lines,data}') line)) where id = $1`,
      [id, halved],
    );
    expect(await back(1000, 'older')).toBe(1000);
    expect(await notes()).toEqual([{ total: 1000, gst: null, lines: [[null, 1000]] }]);
  });
});
