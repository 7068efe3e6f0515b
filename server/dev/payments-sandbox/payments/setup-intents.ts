import type Stripe from 'stripe';
import { unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { newObject } from '../store/new-object.ts';
import { idOf, newClientSecret, newId, type Objects } from '../store/objects.ts';
import { confirming, failed, intentActions, succeeded } from './intents.ts';
import { attachMethod } from './payment-methods.ts';

type Intent = Objects['setup_intent'];

/** What this account has enabled: cards, and Link, as on new accounts. */
const enabled: Intent['payment_method_types'] = ['card', 'link'];

/** Keeps a card on file. */
export const setupIntents = intentActions<Intent>({
  refusal: async (_store, _intent, { decline = null }) => decline,
  async succeed(store, intent, method) {
    const done = await store.save(succeeded(intent, method));
    if (intent.customer) await attachMethod(store, method, idOf(intent.customer));
    await store.emit('setup_intent.succeeded', done);
    return done;
  },
  fail: (store, intent, method, decline) => store.save(failed(intent, method, decline), 'setup_intent.setup_failed'),
  wait: () => Promise.resolve(),
});
export const confirm = confirming('setup_intent', setupIntents);

export const create = handle<Stripe.SetupIntentCreateParams>(
  ['customer', 'usage', 'automatic_payment_methods', 'allowed_payment_method_types'],
  async (store, { customer, usage = 'off_session', allowed_payment_method_types: allowed = null }) => {
    if (!customer || usage !== 'off_session') throw unsupported('setup intents for anything but later charges');
    await store.get('customer', customer, 'customer');
    const id = newId('setup_intent');
    const intent = newObject('setup_intent', store.at, {
      id,
      allowed_payment_method_types: allowed,
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      client_secret: newClientSecret(id),
      customer,
      payment_method_types: allowed ?? enabled,
      status: 'requires_payment_method',
      usage: 'off_session',
    });
    return store.save(intent, 'setup_intent.created');
  },
);
