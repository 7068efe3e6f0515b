import type Stripe from 'stripe';
import { handle } from './handler.ts';
import { listPage } from './lists.ts';

export const retrieve = handle<Stripe.EventRetrieveParams>([], (store, _params, id) => store.get('event', id));

export const list = handle<Stripe.EventListParams>(
  ['type', 'types', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) => {
    const types = params.types ?? (params.type ? [params.type] : null);
    return listPage(store, 'event', params, types ? { oneOf: ['type', types] } : {}, '/v1/events');
  },
);
