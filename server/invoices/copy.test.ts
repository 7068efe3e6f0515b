import { describe, expect, it } from 'vitest';
import type Stripe from 'stripe';
import type { BillPart } from '#shared/rules/billing/bill-types.ts';
import type { InvoiceLine } from '#shared/schema/billing.ts';
import { readMissedEvents } from '#server/billing/jobs.ts';
import { findBillByInvoice } from '#server/subscriptions/bill/queries-bills.ts';
import { buy, DAY, passTime, rowsOf } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';
import { copyInvoice } from './copy.ts';

const app = testApp();
const stripe = () => app.context.payments.stripe;
const settle = async () => {
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
};
const list = async (agent: Agent) =>
  (
    (await agent.get('/api/billing/invoices').expect(200)).body as {
      invoices: { description: string; amount: number; status: string }[];
    }
  ).invoices;
const linesOf = async (id: string) =>
  (await rowsOf(app, 'select lines, description, gst_cents from invoices where stripe_invoice_id = $1', [id]))[0] as {
    lines: InvoiceLine[];
    description: string;
    gst_cents: number;
  };

/** An adviser who has paid a month, with their customer, the paid bill and its invoice. */
async function paid() {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai');
  await settle();
  const [row] = await rowsOf(
    app,
    'select stripe_customer_id as customer, stripe_invoice_id as invoice from users join invoices on user_id = users.id where users.id = $1',
    [user.id],
  );
  const { customer, invoice: id } = row as { customer: string; invoice: string };
  const [bill, invoice] = await Promise.all([findBillByInvoice(app.context.db, id), stripe().invoices.retrieve(id)]);
  return { agent, user, customer, bill: bill!, invoice };
}

describe('an invoice that an operator makes in the dashboard', () => {
  it('is listed in Stripe’s words, unless it asks for nothing', async () => {
    const { agent, customer } = await paid();
    const make = async (amount: number) => {
      const { id } = await stripe().invoices.create({
        customer,
        auto_advance: false,
        pending_invoice_items_behavior: 'exclude',
      });
      if (amount > 0)
        await stripe().invoiceItems.create({
          customer,
          invoice: id,
          amount,
          currency: 'aud',
          description: 'A day of training',
        });
      await stripe().invoices.finalizeInvoice(id);
    };
    await make(5500);
    await make(0);
    await settle();
    await readMissedEvents(app.context);
    await settle();
    expect((await list(agent)).map(({ description, amount, status }) => [description, amount, status])).toEqual([
      ['A day of training', 5500, 'open'],
      [expect.stringMatching(/^Risk Profile AI, /), 3000, 'paid'],
    ]);
  });
});

describe('the copy of a bill’s invoice', () => {
  it('keeps its lines, whatever is taken off the bill later', async () => {
    const { bill, invoice } = await paid();
    const before = await linesOf(invoice.id);
    await copyInvoice(app.context.db, invoice, { ...bill, lines: [] });
    expect(await linesOf(invoice.id)).toEqual(before);
    expect(before.lines).toMatchObject([
      { toolId: 'risk-profile-ai', cents: 3000, gstCents: 273, stripeLineId: invoice.lines.data[0]!.id },
    ]);
  });

  it('names each person, where Stripe has one amount for very many changes of members', async () => {
    const { bill, invoice } = await paid();
    const people = Array.from({ length: 230 }, (_, index): BillPart => {
      const cents = index % 5 === 0 ? -101 : 207;
      const days = cents > 0 ? 4 : -2;
      const part = { toolId: 'file-note-ai', toolName: 'File Note AI', from: '2027-02-06', to: '2027-02-09' };
      return {
        id: `part-${index}`,
        cause: 'joined',
        subscriptionId: null,
        person: `P${index}`,
        days,
        cents,
        gstCents: 0,
        ...part,
      };
    });
    const amount = people.reduce((sum, { cents }) => sum + cents, 0);
    const tax = Math.round(amount / 11);
    const [month] = invoice.lines.data;
    const grouped = {
      ...month!,
      id: 'il_grouped',
      amount,
      metadata: { key: 'tool:file-note-ai', toolId: 'file-note-ai' },
      parent: { ...month!.parent!, type: 'invoice_item_details' },
      taxes: [{ ...month!.taxes![0]!, amount: tax }],
    } as Stripe.InvoiceLineItem;
    const whole: Stripe.Invoice = {
      ...invoice,
      id: `${invoice.id}_grouped`,
      total: invoice.total + amount,
      total_taxes: [{ ...invoice.total_taxes![0]!, amount: 273 + tax }],
      lines: { ...invoice.lines, data: [month!, grouped] },
    };
    await copyInvoice(app.context.db, whole, { ...bill, parts: people });
    const { lines, gst_cents: gst } = await linesOf(whole.id);
    expect(lines).toHaveLength(231);
    expect(lines[1]).toMatchObject({
      description: 'File Note AI for P0, 6 to 9 Feb 2027 (2 days, credit)',
      cents: -101,
      days: -2,
      stripeLineId: 'il_grouped',
    });
    expect(lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(whole.total);
    expect(lines.reduce((sum, { gstCents = 0 }) => sum + gstCents, 0)).toBe(gst);
    for (const { cents, gstCents = 0 } of lines) expect(Math.abs(gstCents - cents / 11)).toBeLessThanOrEqual(1);
  });

  it('leaves out a purchase that nobody has paid, and Stripe’s $0.00 invoice of a bill that begins later', async () => {
    const { agent, user } = await app.signedIn();
    await agent.post('/api/create-subscription').send({ toolId: 'pre-fill-ai' }).expect(200);
    await passTime(app, DAY);
    expect(await list(agent)).toEqual([]);
    expect(await rowsOf(app, 'select 1 from invoices where user_id = $1', [user.id])).toEqual([]);
  });
});
