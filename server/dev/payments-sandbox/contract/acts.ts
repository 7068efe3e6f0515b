import { DAY, invoiceOf, periodOf, short, type Case } from './scene.ts';

/** What administrators have Stripe do. */
export const acts: Case[] = [
  {
    name: 'a credit note that does not add up, or is more than what is left, is refused and sends nothing back',
    async run({ stripe, paid }) {
      const invoice = invoiceOf(await paid()).id;
      const note = (amount: number, refund_amount: number) =>
        short(stripe.creditNotes.create({ invoice, amount, refund_amount }));
      const refused = [await note(1000, 900), await note(0, 0), await note(2501, 2501)];
      const first = await stripe.creditNotes.create({
        invoice,
        amount: 1500,
        refund_amount: 1500,
        metadata: { key: 'one' },
      });
      const rest = await note(1001, 1001);
      const { data } = await stripe.creditNotes.list({ invoice, limit: 100 });
      return [
        [...refused, rest].map((said) => (typeof said === 'string' ? said : said.status)),
        first.metadata,
        data.map(({ total, metadata }) => [total, metadata?.['key']]),
      ];
    },
    is: [[400, 400, 400, 400], { key: 'one' }, [[1500, 'one']]],
  },
  {
    name: 'a running trial ends later when told to, and charges nothing until then; an end in the past is refused',
    async run({ stripe, trial, defaultCard, read }) {
      await defaultCard('pm_card_visa');
      const subscription = await trial(30);
      const end = subscription.trial_end! + 14 * DAY;
      const move = (trial_end: number) =>
        stripe.subscriptions.update(subscription.id, { trial_end, proration_behavior: 'none' });
      await move(end);
      const after = await read(subscription);
      const past = await short(move(subscription.created - DAY));
      return [
        after.status,
        after.trial_end === end,
        periodOf(after).end === end,
        invoiceOf(after).total,
        typeof past === 'string' ? past : past.status,
      ];
    },
    is: ['trialing', true, true, 0, 400],
  },
  {
    name: 'a renewal with everything taken off is paid without a charge, and the next one is charged once that is taken away',
    async run({ stripe, paid, coupon, renewed }) {
      const subscription = await paid();
      const update = (discounts: { coupon: string }[] | '') =>
        stripe.subscriptions.update(subscription.id, { discounts, proration_behavior: 'none' });
      await update([{ coupon: await coupon(100) }]);
      const free = await renewed(subscription);
      await update('');
      const charged = await renewed(free);
      return [free, charged].map((one) => [one.status, invoiceOf(one).status, invoiceOf(one).amount_paid]);
    },
    is: [
      ['active', 'paid', 0],
      ['active', 'paid', 2500],
    ],
  },
  {
    name: 'paying an invoice under a key answers the same again',
    async run({ stripe, subscribe, card }) {
      const method = await card('pm_card_visa');
      const open = invoiceOf(await subscribe());
      const pay = () =>
        stripe.invoices.pay(
          open.id,
          { payment_method: method, off_session: true },
          { idempotencyKey: `pay:${open.id}` },
        );
      const answers = [await pay(), await pay()].map(({ status }) => status);
      const without = await short(stripe.invoices.pay(open.id, { payment_method: method }));
      return [answers, typeof without === 'string' ? without : without.status];
    },
    is: [['paid', 'paid'], 400],
  },
];
