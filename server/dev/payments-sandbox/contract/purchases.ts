import type Stripe from 'stripe';
import { HOURS, idOf, intentOf, invoiceOf, periodOf, refusal, short, type Case, type Scene } from './scene.ts';

const taxOf = (invoice: Stripe.Invoice) => (invoice.total_taxes ?? []).map(({ amount }) => amount);
const discountsOf = (invoice: Stripe.Invoice) => (invoice.total_discount_amounts ?? []).map(({ amount }) => amount);
const lost = { status: 402, type: 'card_error' };

/** What the bank says to a card; each line begins with Stripe's own name for the test card. */
const declines: [card: string, answer: object][] = [
  ['pm_card_visa_chargeDeclined', { code: 'card_declined', decline_code: 'generic_decline' }],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', { code: 'card_declined', decline_code: 'insufficient_funds' }],
  ['pm_card_visa_chargeDeclinedLostCard', { code: 'card_declined', decline_code: 'lost_card' }],
  ['pm_card_visa_chargeDeclinedStolenCard', { code: 'card_declined', decline_code: 'stolen_card' }],
  ['pm_card_chargeDeclinedExpiredCard', { code: 'expired_card', param: 'exp_month', decline_code: 'expired_card' }],
  ['pm_card_chargeDeclinedIncorrectCvc', { code: 'incorrect_cvc', param: 'cvc', decline_code: 'incorrect_cvc' }],
  ['pm_card_chargeDeclinedProcessingError', { code: 'processing_error', decline_code: 'processing_error' }],
];
const declined = ([card, answer]: (typeof declines)[number]): Case => ({
  name: `a purchase with ${card} is refused with its reason`,
  run: async ({ subscribe, pay }) => refusal(pay(await subscribe(), card)),
  is: { ...lost, ...answer },
});

const withCard = async ({ trial, card, stripe, read }: Scene) => {
  const subscription = await trial();
  await stripe.subscriptions.update(subscription.id, { default_payment_method: await card('pm_card_visa') });
  return read(subscription);
};

export const purchases: Case[] = [
  {
    name: 'a purchase is incomplete, with an open invoice and a secret, until it is paid',
    async run({ subscribe, stripe }) {
      const subscription = await subscribe();
      const invoice = invoiceOf(subscription);
      const intent = await stripe.paymentIntents.retrieve(intentOf(invoice));
      return [
        [subscription.status, invoice.status, invoice.billing_reason, invoice.amount_due, intent.status],
        Boolean(invoice.confirmation_secret?.client_secret),
      ];
    },
    is: [['incomplete', 'open', 'subscription_create', 2500, 'requires_payment_method'], true],
  },
  {
    name: 'the period is that of the items, a month long',
    async run({ subscribe, clock }) {
      const { start, end } = periodOf(await subscribe());
      return [Math.abs(start - clock.now()) < 60, (end - start) / 86_400 >= 28, (end - start) / 86_400 <= 31];
    },
    is: [true, true, true],
  },
  {
    name: 'GST is inside the price, an eleventh',
    async run({ subscribe, gst }) {
      const invoice = invoiceOf(await subscribe({ default_tax_rates: [await gst()] }));
      return { total: invoice.total, tax: taxOf(invoice), without: invoice.total_excluding_tax };
    },
    is: { total: 2500, tax: [227], without: 2273 },
  },
  {
    name: 'discounts follow each other, each of what the one before left',
    async run({ subscribe, coupon, gst }) {
      const discounts = [{ coupon: await coupon(50) }, { coupon: await coupon(10) }];
      const invoice = invoiceOf(await subscribe({ discounts, default_tax_rates: [await gst()] }));
      return { subtotal: invoice.subtotal, off: discountsOf(invoice), total: invoice.total, tax: taxOf(invoice) };
    },
    is: { subtotal: 2500, off: [1250, 125], total: 1125, tax: [102] },
  },
  {
    name: 'a discount is rounded half up to the cent',
    run: async ({ subscribe, coupon }) =>
      discountsOf(invoiceOf(await subscribe({ cents: 1250, discounts: [{ coupon: await coupon(5) }] }))),
    is: [63],
  },
  {
    name: 'the same coupon is given once',
    async run({ subscribe, coupon }) {
      const id = await coupon(10);
      return (await refusal(subscribe({ discounts: [{ coupon: id }, { coupon: id }] }))) !== 'accepted';
    },
    is: true,
  },
  {
    name: 'an unknown coupon is refused',
    async run({ subscribe }) {
      return short(subscribe({ discounts: [{ coupon: 'NOBODY' }] }));
    },
    is: { status: 400, code: 'resource_missing' },
  },
  {
    name: 'a purchase of nothing is active at once, without a secret',
    async run({ subscribe, coupon }) {
      const subscription = await subscribe({ discounts: [{ coupon: await coupon(100) }] });
      const invoice = invoiceOf(subscription);
      return [subscription.status, invoice.status, invoice.total, invoice.confirmation_secret ?? null];
    },
    is: ['active', 'paid', 0, null],
  },
  {
    name: 'less than 50 cents is not charged, but owed until the next invoice',
    async run({ subscribe, balance }) {
      const subscription = await subscribe({ cents: 40 });
      const { status, total, amount_due: due } = invoiceOf(subscription);
      return [subscription.status, status, total, due, await balance()];
    },
    is: ['active', 'paid', 40, 0, 40],
  },
  {
    name: 'a quantity multiplies the price',
    run: async ({ subscribe, newPrice }) =>
      invoiceOf(await subscribe({ items: [{ price: (await newPrice(2500)).id, quantity: 3 }] })).total,
    is: 7500,
  },
  {
    name: 'a card that pays makes it active, and stays with the subscription',
    async run({ subscribe, pay, read }) {
      const subscription = await subscribe();
      const intent = await pay(subscription);
      const after = await read(subscription);
      const invoice = invoiceOf(after);
      return [intent.status, after.status, invoice.status, invoice.amount_paid, Boolean(after.default_payment_method)];
    },
    is: ['succeeded', 'active', 'paid', 2500, true],
  },
  ...declines.map(declined),
  {
    name: 'a refused card names its charge, and another card pays the same intent',
    async run({ subscribe, pay, read }) {
      const subscription = await subscribe();
      const charge = await pay(subscription, 'pm_card_visa_chargeDeclined').catch((e: { charge?: string }) => e.charge);
      await pay(subscription);
      return [typeof charge, (await read(subscription)).status];
    },
    is: ['string', 'active'],
  },
  {
    name: 'a card that asks for authentication waits for it',
    async run({ subscribe, pay, read }) {
      const subscription = await subscribe();
      const intent = await pay(subscription, 'pm_card_authenticationRequired');
      return [intent.status, (await read(subscription)).status];
    },
    is: ['requires_action', 'incomplete'],
  },
  {
    name: 'who wants to be charged at once needs a card',
    async run({ subscribe }) {
      return short(subscribe({ payment_behavior: 'allow_incomplete' }));
    },
    is: { status: 400, code: 'resource_missing' },
  },
  {
    name: 'an unknown price is refused before the lack of a card is',
    async run({ subscribe }) {
      const items = [{ price: 'price_nobody' }];
      return refusal(subscribe({ payment_behavior: 'allow_incomplete', items }));
    },
    is: { status: 400, type: 'invalid_request_error', code: 'resource_missing', param: 'items[0][price]' },
  },
  {
    name: 'the first invoice is collected automatically, a charge says where, and an ordinary line credits nothing',
    async run({ subscribe, pay, stripe, coupon }) {
      const subscription = await subscribe({ discounts: [{ coupon: await coupon(50) }] });
      const { auto_advance: automatic, lines, hosted_invoice_url: page } = invoiceOf(subscription);
      const { latest_charge: charge } = await pay(subscription);
      const { receipt_url: receipt } = await stripe.charges.retrieve(idOf(charge));
      const [line] = lines.data;
      const credits = line!.parent?.subscription_item_details?.proration_details;
      return [automatic, typeof page, typeof receipt, credits, line!.discounts, line!.discount_amounts?.length];
    },
    is: [true, 'string', 'string', { credited_items: null }, [], 1],
  },
  {
    name: 'a purchase that nobody pays is over after 23 hours, and its invoice void',
    async run({ subscribe, clock, read }) {
      const subscription = await subscribe();
      await clock.pass(24 * HOURS);
      const after = await read(subscription);
      return [after.status, invoiceOf(after).status];
    },
    is: ['incomplete_expired', 'void'],
  },
  {
    name: 'before it is paid only metadata and card can be changed',
    async run({ subscribe, stripe }) {
      const { id, items } = await subscribe();
      const update = (params: Stripe.SubscriptionUpdateParams) => refusal(stripe.subscriptions.update(id, params));
      const seats = { items: [{ id: items.data[0]!.id, quantity: 2 }] };
      return [await update({ metadata: { a: '1' } }), (await update(seats)) !== 'accepted'];
    },
    is: ['accepted', true],
  },
  {
    name: 'a purchase can be withdrawn, and can’t be paid then',
    async run({ subscribe, stripe, pay, read }) {
      const subscription = await subscribe();
      await stripe.subscriptions.cancel(subscription.id, { invoice_now: false, prorate: false });
      return [(await read(subscription)).status, (await refusal(pay(subscription))) !== 'accepted'];
    },
    is: ['incomplete_expired', true],
  },
  {
    name: 'a trial runs at once, with an invoice of nothing and a setup intent for a card',
    async run({ trial }) {
      const subscription = await trial();
      const { status, total } = invoiceOf(subscription);
      const setup = subscription.pending_setup_intent as Stripe.SetupIntent | null;
      return [subscription.status, status, total, setup?.status, subscription.trial_end === periodOf(subscription).end];
    },
    is: ['trialing', 'paid', 0, 'requires_payment_method', true],
  },
  {
    name: 'a trial’s invoice of nothing uses up a once-only coupon',
    run: async ({ trial, coupon }) =>
      (await trial(30, { discounts: [{ coupon: await coupon(15, 'once') }] })).discounts.length,
    is: 0,
  },
  {
    name: 'a trial without a card is cancelled at its end',
    async run({ trial, clock, read }) {
      const subscription = await trial(7);
      await clock.pass(7 + 2 * HOURS);
      return (await read(subscription)).status;
    },
    is: 'canceled',
  },
  {
    name: 'a trial with a card becomes active at its end, with a draft for an hour, and is then charged',
    async run(scene) {
      const draft = await scene.toRenewal(await withCard(scene));
      await scene.clock.pass(2 * HOURS);
      const invoice = invoiceOf(await scene.read(draft));
      return [
        [draft.status, invoiceOf(draft).status, invoiceOf(draft).billing_reason],
        [invoice.status, invoice.amount_paid],
      ];
    },
    is: [
      ['active', 'draft', 'subscription_cycle'],
      ['paid', 2500],
    ],
  },
  {
    name: 'a card given for a trial’s setup intent is attached to its customer',
    async run({ trial, stripe, customer }) {
      const setup = (await trial()).pending_setup_intent;
      await stripe.setupIntents.confirm(idOf(setup), { payment_method: 'pm_card_visa' });
      const { data } = await stripe.customers.listPaymentMethods(customer);
      return data.map(({ card }) => card?.last4);
    },
    is: ['4242'],
  },
];
