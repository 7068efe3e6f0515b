import type pg from 'pg';
import type Stripe from 'stripe';
import { queueDelivery } from './delivery-queries.ts';
import { dueAt } from './due.ts';
import { newId, type AnyObject, type Hidden, type Kind, type Objects } from './objects.ts';
import * as queries from './queries.ts';
import { missing } from './sandbox-error.ts';
import { apiVersion } from './schema.ts';

export type Store = {
  /** Seconds: the time at which what is done here happens. */
  at: number;
  /** Throws the provider's resource_missing; `param` names the request field the id came from. */
  get<K extends Kind>(kind: K, id: string, param?: string): Promise<Objects[K]>;
  find(id: string): Promise<AnyObject | null>;
  select<K extends Kind>(kind: K, filter: queries.Filter, page?: queries.Page): Promise<Objects[K][]>;
  save<T extends AnyObject>(object: T): Promise<T>;
  remove(id: string): Promise<void>;
  hidden(id: string): Promise<Hidden>;
  hide(object: AnyObject, hidden: Hidden): Promise<void>;
  /** Records an event; it is posted once the transaction is committed. */
  emit(type: Stripe.Event['type'], object: AnyObject, previous?: object): Promise<void>;
};

export type Origin = { requestId: string | null; idempotencyKey: string | null };

export function createStore(client: pg.ClientBase, at: number, origin?: Origin): Store {
  const save = async <T extends AnyObject>(object: T): Promise<T> => {
    // only a subscription's next step depends on what has been sent already
    const hidden = object.object === 'subscription' ? await queries.readHidden(client, object.id) : {};
    // a discount has no date of its own, though lists are ordered and filtered by one
    const created = 'created' in object ? object.created : at;
    await queries.saveObject(client, object, created, dueAt(object, hidden));
    return object;
  };
  return {
    at,
    async get<K extends Kind>(kind: K, id: string, param?: string) {
      const object = await queries.findObject(client, id);
      if (object?.object !== kind || 'deleted' in object) throw missing(kind, id, param);
      return object as Objects[K];
    },
    find: (id) => queries.findObject(client, id),
    select: (kind, filter, page) => queries.selectObjects(client, kind, filter, page),
    save,
    remove: (id) => queries.deleteObject(client, id),
    hidden: (id) => queries.readHidden(client, id),
    async hide(object, hidden) {
      await queries.writeHidden(client, object.id, hidden);
      await save(object);
    },
    async emit(type, object, previous) {
      const event = {
        id: newId('event'),
        object: 'event',
        api_version: apiVersion,
        created: at,
        data: { object, ...(previous ? { previous_attributes: previous } : {}) },
        livemode: false,
        pending_webhooks: 1,
        request: { id: origin?.requestId ?? null, idempotency_key: origin?.idempotencyKey ?? null },
        type,
      } as Stripe.Event;
      await save(event);
      await queueDelivery(client, event.id);
    },
  };
}
