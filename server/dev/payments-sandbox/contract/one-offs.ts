import type Stripe from 'stripe';
import { adjust } from './adjustments.ts';
import { billOf, productOf } from './bills.ts';
import { HOURS, intentOf, invoiceOf, periodOf, refusal, short, type Case, type Scene } from './scene.ts';

const expand = ['payments', 'confirmation_secret'];

/** Another tool for the rest of a month, on a final invoice of its own that nobody charges by itself. */
async function partMonth(scene: Scene, bill: Stripe.Subscription, cents = 1710) {
  const { stripe, customer, rate } = scene;
  const product = await scene.newProduct('Risk profile');
  const draft = await stripe.invoices.create({
    customer,
    auto_advance: false,
    collection_method: 'charge_automatically',
    pending_invoice_items_behavior: 'exclude',
    default_tax_rates: [await rate()],
    description: 'Until the next bill',
    metadata: { order: '7' },
  });
  await stripe.invoiceItems.create({
    customer,
    invoice: draft.id,
    price_data: { currency: 'aud', product, unit_amount: cents, tax_behavior: 'inclusive' },
    period: { start: scene.clock.now(), end: periodOf(bill).end },
    description: 'Risk profile for 8 to 25 December',
    metadata: { tool: 'risk-profile' },
  });
  const invoice = await stripe.invoices.finalizeInvoice(draft.id, { auto_advance: false, expand });
  return { draft, invoice, product };
}

/** Invoices beside the bill. */
export const oneOffs: Case[] = [
  {
    name: 'a one-off invoice has the lines that are put on it, leaves alone what waits, and is not charged by itself',
    async run(scene) {
      const bill = await billOf(scene, 5000);
      await adjust(scene, bill, 300);
      const { draft, invoice, product } = await partMonth(scene, bill);
      await scene.clock.pass(2 * HOURS);
      const later = await scene.stripe.invoices.retrieve(invoice.id);
      const [line] = invoice.lines.data;
      return [
        [draft.status, draft.billing_reason, draft.auto_advance, draft.total, draft.parent],
        [invoice.status, invoice.total, (invoice.total_taxes ?? []).map(({ amount }) => amount), invoice.metadata],
        [invoice.lines.data.length, line!.parent?.type, productOf(line!) === product, line!.metadata],
        [invoice.auto_advance, invoice.next_payment_attempt, Boolean(invoice.confirmation_secret?.client_secret)],
        [later.status, later.attempted, (await scene.waiting()).length],
      ];
    },
    is: [
      ['draft', 'manual', false, 0, null],
      ['open', 1710, [155], { order: '7' }],
      [1, 'invoice_item_details', true, { tool: 'risk-profile' }],
      [false, null, true],
      ['open', false, 1],
    ],
  },
  {
    name: 'a one-off invoice is paid with the card that is named, and the bill knows nothing of it',
    async run(scene) {
      const bill = await billOf(scene, 5000);
      const { invoice } = await partMonth(scene, bill);
      const payment_method = await scene.card('pm_card_mastercard');
      const paid = await scene.stripe.invoices.pay(invoice.id, { payment_method, off_session: false, expand });
      const intent = await scene.stripe.paymentIntents.retrieve(intentOf(paid));
      const { data } = await scene.stripe.invoices.list({ subscription: bill.id });
      const after = await scene.read(bill);
      return [
        [paid.status, paid.amount_paid, intent.status, intent.payment_method === payment_method],
        [data.length, invoiceOf(after).id === invoiceOf(bill).id, after.default_payment_method === payment_method],
      ];
    },
    is: [
      ['paid', 1710, 'succeeded', true],
      [1, true, false],
    ],
  },
  {
    name: 'with its owner there, a card that asks for authentication leaves the payment waiting for it, with a secret',
    async run(scene) {
      const { invoice } = await partMonth(scene, await billOf(scene, 5000));
      const payment_method = await scene.card('pm_card_authenticationRequired');
      const said = await short(scene.stripe.invoices.pay(invoice.id, { payment_method, off_session: false }));
      const after = await scene.stripe.invoices.retrieve(invoice.id, { expand });
      const intent = await scene.stripe.paymentIntents.retrieve(intentOf(after));
      return [said, after.status, intent.status, after.confirmation_secret?.client_secret === intent.client_secret];
    },
    is: [{ status: 402, code: 'invoice_payment_intent_requires_action' }, 'open', 'requires_action', true],
  },
  {
    name: 'with nobody there, which is the default, a card that asks for authentication is refused',
    async run(scene) {
      const { invoice } = await partMonth(scene, await billOf(scene, 5000));
      const payment_method = await scene.card('pm_card_authenticationRequired');
      const said = (await refusal(scene.stripe.invoices.pay(invoice.id, { payment_method }))) as Record<
        string,
        unknown
      >;
      const after = await scene.stripe.invoices.retrieve(invoice.id, { expand });
      const intent = await scene.stripe.paymentIntents.retrieve(intentOf(after));
      return [said['status'], said['type'], said['code'], after.status, intent.status];
    },
    is: [402, 'card_error', 'authentication_required', 'open', 'requires_payment_method'],
  },
  {
    name: 'a one-off invoice that was refused is not tried again by itself, and another card pays it',
    async run(scene) {
      const { stripe, card, clock } = scene;
      const { invoice } = await partMonth(scene, await billOf(scene, 5000));
      const bad = await card('pm_card_chargeCustomerFail');
      const pay = (payment_method: string) => stripe.invoices.pay(invoice.id, { payment_method, off_session: false });
      const said = await short(pay(bad));
      const { auto_advance, next_payment_attempt } = await stripe.invoices.retrieve(invoice.id);
      await clock.pass(4);
      const later = await stripe.invoices.retrieve(invoice.id);
      return [said, auto_advance, next_payment_attempt, later.status, (await pay(await card('pm_card_visa'))).status];
    },
    is: [{ status: 402, code: 'card_declined' }, false, null, 'open', 'paid'],
  },
  {
    name: 'a one-off invoice that is made void can’t be paid',
    async run(scene) {
      const { invoice } = await partMonth(scene, await billOf(scene, 5000));
      const { status } = await scene.stripe.invoices.voidInvoice(invoice.id);
      const payment_method = await scene.card('pm_card_visa');
      const again = await refusal(scene.stripe.invoices.pay(invoice.id, { payment_method }));
      const typed = await refusal(
        scene.stripe.paymentIntents.confirm(intentOf(invoice), { payment_method: 'pm_card_visa' }),
      );
      return [status, again !== 'accepted', typed !== 'accepted'];
    },
    is: ['void', true, true],
  },
  {
    name: 'a draft beside the bill is deleted, a final one and the bill’s own draft are not',
    async run(scene) {
      const { stripe, customer, toRenewal } = scene;
      const bill = await toRenewal(await billOf(scene, 5000));
      const draft = await stripe.invoices.create({ customer, currency: 'aud' });
      const { deleted } = await stripe.invoices.del(draft.id);
      const { invoice } = await partMonth(scene, bill);
      const others = [
        await refusal(stripe.invoices.del(invoice.id)),
        await refusal(stripe.invoices.del(invoiceOf(bill).id)),
      ];
      return [deleted, await short(stripe.invoices.retrieve(draft.id)), others.map((said) => said !== 'accepted')];
    },
    is: [true, { status: 404, code: 'resource_missing' }, [true, true]],
  },
  {
    name: 'lines are put on a draft in one call, new ones and what waits for the bill',
    async run(scene) {
      const { stripe, customer, rate } = scene;
      const bill = await billOf(scene, 5000);
      const waits = await adjust(scene, bill, 4760);
      const { id } = await stripe.invoices.create({ customer, currency: 'aud', default_tax_rates: [await rate()] });
      const { lines, total } = await stripe.invoices.addLines(id, {
        lines: [
          { invoice_item: waits.id },
          { amount: -660, description: 'Hugh Lang left', metadata: { tool: 'note' } },
        ],
      });
      const open = await stripe.invoices.finalizeInvoice(id, { auto_advance: false });
      return [
        [total, open.total, (open.total_taxes ?? []).map(({ amount }) => amount)],
        lines.data.map(({ amount, metadata }) => [amount, metadata]),
        (await scene.waiting()).length,
      ];
    },
    is: [
      [4100, 4100, [373]],
      [
        [4760, {}],
        [-660, { tool: 'note' }],
      ],
      0,
    ],
  },
  {
    name: 'a final invoice keeps its description, and takes other metadata',
    async run(scene) {
      const { invoice } = await partMonth(scene, await billOf(scene, 5000));
      const say = (params: Stripe.InvoiceUpdateParams) => scene.stripe.invoices.update(invoice.id, params);
      const { metadata } = await say({ metadata: { bill: '1' } });
      return [metadata, (await refusal(say({ description: 'Other' }))) !== 'accepted'];
    },
    is: [{ order: '7', bill: '1' }, true],
  },
];
