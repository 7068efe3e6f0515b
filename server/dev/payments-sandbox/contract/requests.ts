import { realNow } from '#server/platform/clock.ts';
import { refusal, short, type Case } from './scene.ts';

const abn = { type: 'au_abn', value: '51824753556' } as const;
const invalid = (rest: object) => ({ status: 400, type: 'invalid_request_error', ...rest });
const unknown = { colour: 'red' } as object;

export const requests: Case[] = [
  {
    name: 'an unknown parameter is refused by name',
    run: ({ stripe }) => refusal(stripe.customers.create(unknown)),
    is: invalid({ code: 'parameter_unknown', param: 'colour' }),
  },
  {
    name: 'a missing parameter is refused by name',
    run: ({ stripe }) => refusal(stripe.products.create({} as { name: string })),
    is: invalid({ code: 'parameter_missing', param: 'name' }),
  },
  {
    name: 'an unknown customer in a request is 400, by its parameter',
    run: ({ subscribe }) => refusal(subscribe({ customer: 'cus_nobody' })),
    is: invalid({ code: 'resource_missing', param: 'customer' }),
  },
  {
    name: 'an unknown customer in the path is 404',
    run: ({ stripe }) => refusal(stripe.customers.retrieve('cus_nobody')),
    is: invalid({ status: 404, code: 'resource_missing', param: 'id' }),
  },
  {
    name: 'a list of what an unknown customer has is refused, that of a deleted one is not',
    async run({ stripe, customer }) {
      await stripe.customers.del(customer);
      const { invoices, invoiceItems, subscriptions } = stripe;
      const asked = (of: string) => [
        invoices.list({ customer: of }),
        invoiceItems.list({ customer: of }),
        subscriptions.list({ customer: of }),
      ];
      return [
        await Promise.all(asked('cus_nobody').map(refusal)),
        (await Promise.all(asked(customer))).map(({ data }) => data.length),
      ];
    },
    is: [Array.from({ length: 3 }, () => invalid({ code: 'resource_missing', param: 'customer' })), [0, 0, 0]],
  },
  {
    name: 'a refusal names the page that explains it',
    run: ({ stripe }) =>
      stripe.customers.retrieve('cus_nobody').catch((e: { doc_url?: string }) => /error-codes/.test(e.doc_url ?? '')),
    is: true,
  },
  {
    name: 'an unknown intent in the path is 404, by the name intent; an unknown card to attach is 404',
    run: async ({ stripe, customer }) => [
      await refusal(stripe.paymentIntents.retrieve('pi_nobody')),
      await refusal(stripe.setupIntents.retrieve('seti_nobody')),
      await short(stripe.paymentMethods.attach('pm_nobody', { customer })),
    ],
    is: [
      invalid({ status: 404, code: 'resource_missing', param: 'intent' }),
      invalid({ status: 404, code: 'resource_missing', param: 'intent' }),
      { status: 404, code: 'resource_missing' },
    ],
  },
  {
    name: 'a customer shows their subscriptions when asked to',
    async run({ stripe, customer, paid }) {
      const { id } = await paid();
      const read = await stripe.customers.retrieve(customer, { expand: ['subscriptions'] });
      return !read.deleted && read.subscriptions?.data.map((one) => one.id === id);
    },
    is: [true],
  },
  {
    name: 'a deleted customer can still be read',
    async run({ stripe, customer }) {
      await stripe.customers.del(customer);
      return (await stripe.customers.retrieve(customer)).deleted;
    },
    is: true,
  },
  {
    name: 'deleting a customer ends their subscriptions',
    async run({ stripe, customer, paid, read }) {
      const subscription = await paid();
      await stripe.customers.del(customer);
      return (await read(subscription)).status;
    },
    is: 'canceled',
  },
  {
    name: 'the same idempotency key answers the same object',
    async run({ stripe, customer }) {
      const create = () =>
        stripe.customers.create({ name: 'Ada' }, { idempotencyKey: `contract:${customer}` }).then(({ id }) => id);
      return (await create()) === (await create());
    },
    is: true,
  },
  {
    name: 'the same idempotency key with another request is refused',
    async run({ stripe, customer }) {
      const create = (name: string) => stripe.customers.create({ name }, { idempotencyKey: `contract:${customer}` });
      await create('Ada');
      return refusal(create('Bea'));
    },
    is: { status: 400, type: 'idempotency_error' },
  },
  {
    name: 'metadata is merged, and an empty value takes a key away',
    async run({ paid, stripe }) {
      const { id } = await paid({ metadata: { a: '1', b: '2' } });
      return (await stripe.subscriptions.update(id, { metadata: { a: '', c: '3' } })).metadata;
    },
    is: { b: '2', c: '3' },
  },
  {
    name: 'metadata has fifty keys at most',
    run: async ({ newCustomer }) => {
      const keys = Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'] as const);
      return (await refusal(newCustomer({ metadata: Object.fromEntries(keys) }))) !== 'accepted';
    },
    is: true,
  },
  {
    name: 'a name in metadata has forty characters at most',
    run: async ({ newCustomer }) =>
      (await refusal(newCustomer({ metadata: { ['k'.repeat(41)]: 'v' } }))) !== 'accepted',
    is: true,
  },
  {
    name: 'a value in metadata has five hundred characters at most',
    run: async ({ newCustomer }) => (await refusal(newCustomer({ metadata: { k: 'v'.repeat(501) } }))) !== 'accepted',
    is: true,
  },
  {
    name: 'an ABN is kept with its customer',
    async run({ stripe, customer }) {
      await stripe.customers.createTaxId(customer, abn);
      const { data } = await stripe.customers.listTaxIds(customer, { limit: 100 });
      return data.map(({ type, value, country }) => ({ type, value, country }));
    },
    is: [{ ...abn, country: 'AU' }],
  },
  {
    name: 'an ABN that is none is refused',
    run: ({ stripe, customer }) => refusal(stripe.customers.createTaxId(customer, { ...abn, value: '123' })),
    is: invalid({ code: 'tax_id_invalid', param: 'value' }),
  },
  {
    name: 'an ABN can be taken away',
    async run({ stripe, customer }) {
      const { id } = await stripe.customers.createTaxId(customer, abn);
      return (await stripe.customers.deleteTaxId(customer, id)).deleted;
    },
    is: true,
  },
  {
    name: 'an empty text takes a detail of a customer away',
    async run({ stripe, newCustomer }) {
      const id = await newCustomer({ name: 'Ada', email: 'ada@example.com', phone: '0400 000 000' });
      const { name, email, phone } = await stripe.customers.update(id, { name: '', email: '', phone: '' });
      return { name: name ?? null, email: email ?? null, phone: phone ?? null };
    },
    is: { name: null, email: null, phone: null },
  },
  {
    name: 'lists are newest first, and go on after an id',
    async run({ stripe, customer, subscribe }) {
      const made = [(await subscribe()).id, (await subscribe()).id, (await subscribe()).id];
      const list = async (rest: { starting_after?: string }) =>
        stripe.subscriptions.list({ customer, status: 'all', limit: 2, ...rest });
      const first = await list({});
      const second = await list({ starting_after: first.data.at(-1)!.id });
      const order = [...first.data, ...second.data].map(({ id }) => made.indexOf(id));
      return { first: first.data.length, more: [first.has_more, second.has_more], all: order.toSorted() };
    },
    is: { first: 2, more: [true, false], all: [0, 1, 2] },
  },
  {
    name: 'a product of our own id is made once',
    async run({ stripe, customer }) {
      const create = () => stripe.products.create({ id: `tool_${customer}`, name: 'Tool' });
      await create();
      return short(create());
    },
    is: { status: 400, code: 'resource_already_exists' },
  },
  {
    name: 'a coupon of our own id is made once',
    async run({ stripe, customer }) {
      const create = () => stripe.coupons.create({ id: `C${customer}`, percent_off: 5, duration: 'forever' });
      await create();
      return short(create());
    },
    is: { status: 400, code: 'resource_already_exists' },
  },
  {
    name: 'a coupon says what it takes, and for how long',
    async run({ stripe, coupon }) {
      const { percent_off, duration, duration_in_months } = await stripe.coupons.retrieve(await coupon(12.5, 3));
      return { percent_off, duration, duration_in_months };
    },
    is: { percent_off: 12.5, duration: 'repeating', duration_in_months: 3 },
  },
  {
    name: 'a coupon takes more than nothing, and no more than all',
    run: async ({ coupon }) => [
      (await refusal(coupon(0))) !== 'accepted',
      (await refusal(coupon(101))) !== 'accepted',
      await refusal(coupon(100)),
    ],
    is: [true, true, 'accepted'],
  },
  {
    name: 'a lookup key belongs to one price',
    async run({ newPrice, customer }) {
      await newPrice(2500, { lookup_key: customer });
      return (await refusal(newPrice(2600, { lookup_key: customer }))) !== 'accepted';
    },
    is: true,
  },
  {
    name: 'an archived price keeps its lookup key, and is found with it unless active ones are asked for',
    async run({ stripe, newPrice, customer }) {
      const { id } = await newPrice(2500, { lookup_key: customer });
      await stripe.prices.update(id, { active: false });
      const found = async (active?: boolean) =>
        (await stripe.prices.list({ lookup_keys: [customer], ...(active && { active }) })).data.length;
      return { all: await found(), active: await found(true) };
    },
    is: { all: 1, active: 0 },
  },
  {
    name: 'a price can take over a lookup key, also from an archived one',
    async run({ stripe, newPrice, customer }) {
      const { id } = await newPrice(2500, { lookup_key: customer });
      await stripe.prices.update(id, { active: false });
      await newPrice(2500, { lookup_key: customer, transfer_lookup_key: true });
      const { data } = await stripe.prices.list({ lookup_keys: [customer] });
      return data.map((price) => [price.id === id, price.active]);
    },
    is: [[false, true]],
  },
  {
    name: 'an archived price can’t be subscribed to',
    async run({ stripe, newPrice, subscribe }) {
      const { id } = await newPrice(2500);
      await stripe.prices.update(id, { active: false });
      const { status, param } = (await refusal(subscribe({ items: [{ price: id }] }))) as Record<string, unknown>;
      return { status, param };
    },
    is: { status: 400, param: 'items[0][price]' },
  },
  {
    name: 'a price says its amount, currency, interval and that tax is inside',
    async run({ newPrice }) {
      const { unit_amount, currency, recurring, tax_behavior, active } = await newPrice(2500);
      return [unit_amount, currency, recurring?.interval, recurring?.interval_count, tax_behavior, active];
    },
    is: [2500, 'aud', 'month', 1, 'inclusive', true],
  },
  {
    name: 'events are listed by type and time, each with the version of its making',
    async run({ stripe, clock, newCustomer }) {
      const id = await newCustomer();
      await stripe.customers.update(id, { name: 'Ada' });
      for (let tries = 0; tries < 20; tries += 1) {
        const { data } = await stripe.events.list({
          types: ['customer.updated'],
          created: { gte: Math.min(clock.now(), Math.floor(realNow().getTime() / 1000)) - 60 },
          limit: 100,
        });
        const event = data.find((one) => (one.data.object as { id: string }).id === id);
        if (event) return { type: event.type, version: typeof event.api_version };
      }
      return 'no event';
    },
    is: { type: 'customer.updated', version: 'string' },
  },
];
