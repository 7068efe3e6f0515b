import type pg from 'pg';
import type Stripe from 'stripe';
import { asSent } from '../http/as-sent.ts';
import { missing } from '../http/error.ts';
import { apiVersion } from '../schema/schema.ts';
import { dueAt } from '../time/next-step.ts';
import { queueDelivery } from '../webhooks/queries.ts';
import { newId, type AnyObject, type Hidden, type Kind, type Objects } from './objects.ts';
import * as queries from './queries.ts';

/** The request that caused an event; the passing of time has none. */
type Origin = { requestId: string; idempotencyKey: string | null };

export type Store = {
  /** Seconds: when everything done here happens. */
  at: number;
  /** Throws Stripe's resource_missing; `param` names the request field the id came from. */
  get<K extends Kind>(kind: K, id: string, param?: string): Promise<Objects[K]>;
  find(id: string): Promise<AnyObject | null>;
  select<K extends Kind>(kind: K, filter: queries.Filter, page?: queries.Page): Promise<Objects[K][]>;
  /** With an event type it also records the event; `previous` is what the changed fields held before. */
  save<T extends AnyObject>(object: T, event?: Stripe.Event['type'], previous?: object): Promise<T>;
  remove(id: string): Promise<void>;
  hidden(id: string): Promise<Hidden>;
  hide(object: AnyObject, hidden: Hidden): Promise<void>;
  /** Records an event; it is posted once the transaction is committed. */
  emit(type: Stripe.Event['type'], object: AnyObject, previous?: object): Promise<void>;
};

/** For one change. What it has read or written is not read again, since nobody else writes meanwhile. */
export function createStore(client: pg.ClientBase, at: number, origin?: Origin): Store {
  /** As JSON, so that every caller gets its own copy. */
  const seen = new Map<string, string>();
  const store: Store = {
    at,
    async get<K extends Kind>(kind: K, id: string, param?: string) {
      const object = await store.find(id);
      if (object?.object !== kind || 'deleted' in object) throw missing(kind, id, param);
      return object as Objects[K];
    },
    async find(id) {
      const known = seen.get(id);
      if (known !== undefined) return JSON.parse(known) as AnyObject;
      const object = await queries.findObject(client, id);
      if (object) seen.set(id, JSON.stringify(object));
      return object;
    },
    select: (kind, filter, page) => queries.selectObjects(client, kind, filter, page),
    async save(object, event, previous) {
      // an invoice item has no `created` of its own, though lists are ordered by one
      const created = 'created' in object ? object.created : at;
      seen.set(object.id, await queries.saveObject(client, object, created, dueAt(object)));
      if (event) await store.emit(event, object, previous);
      return object;
    },
    async remove(id) {
      seen.delete(id);
      await queries.deleteObject(client, id);
    },
    hidden: (id) => queries.readHidden(client, id),
    async hide(object, hidden) {
      await queries.writeHidden(client, object.id, hidden);
      await store.save(object);
    },
    async emit(type, object, previous) {
      const event = {
        id: newId('event'),
        object: 'event',
        api_version: apiVersion,
        created: at,
        data: { object: asSent(object), ...(previous ? { previous_attributes: previous } : {}) },
        livemode: false,
        pending_webhooks: 1,
        request: { id: origin?.requestId ?? null, idempotency_key: origin?.idempotencyKey ?? null },
        type,
      } as Stripe.Event;
      await store.save(event);
      await queueDelivery(client, event.id);
    },
  };
  return store;
}
