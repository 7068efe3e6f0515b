import type Stripe from 'stripe';
import { handle } from './http/handler.ts';
import { newObject } from './store/new-object.ts';

/** The merchant: an Australian business that may take cards. */
export const retrieve = handle<object>([], async () => ({
  id: 'acct_sandbox',
  object: 'account',
  capabilities: { card_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  country: 'AU',
  default_currency: 'aud',
  details_submitted: true,
  email: null,
  payouts_enabled: true,
  type: 'standard',
}));

/** Stored as asked for, but the sandbox sends everything to the product's own address. */
export const createEndpoint = handle<Stripe.WebhookEndpointCreateParams>(
  ['url', 'enabled_events', 'api_version', 'description'],
  async (store, { api_version, description, enabled_events, url }) => {
    const said = { api_version, description: description || null, enabled_events, url };
    const endpoint = await store.save(newObject('webhook_endpoint', store.at, { ...said, status: 'enabled' }));
    return { ...endpoint, secret: `whsec_${endpoint.id}` };
  },
);

export const updateEndpoint = handle<Stripe.WebhookEndpointUpdateParams>(
  ['enabled_events', 'disabled'],
  async (store, { enabled_events, disabled }, id) => {
    const before = await store.get('webhook_endpoint', id);
    const status = disabled === undefined ? before.status : disabled ? 'disabled' : 'enabled';
    return store.save({ ...before, status, enabled_events: enabled_events ?? before.enabled_events });
  },
);
