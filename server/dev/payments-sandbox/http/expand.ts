import type Stripe from 'stripe';
import { idOf, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { SandboxError } from './error.ts';
import { listOf } from './lists.ts';

type Value = Record<string, unknown>;
const isObject = (value: unknown): value is Value => typeof value === 'object' && value !== null;

async function confirmationSecret(
  store: Store,
  invoice: Objects['invoice'],
): Promise<Stripe.Invoice.ConfirmationSecret | null> {
  const [payment] = await store.select('invoice_payment', { equal: { invoice: invoice.id } });
  const id = payment?.payment.payment_intent;
  const secret = id ? (await store.get('payment_intent', idOf(id))).client_secret : null;
  return secret ? { client_secret: secret, type: 'payment_intent' } : null;
}

/** Fields that Stripe leaves out of an object until they are asked for. */
const includable: Record<string, (store: Store, object: never) => Promise<unknown>> = {
  'invoice.confirmation_secret': confirmationSecret,
  'invoice.payments': async (store, invoice: Objects['invoice']) =>
    listOf(
      await store.select('invoice_payment', { equal: { invoice: invoice.id } }),
      `/v1/invoice_payments?invoice=${invoice.id}`,
    ),
};

async function grow(store: Store, value: unknown, path: string[], whole: string): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((entry) => grow(store, entry, path, whole)));
  const object = typeof value === 'string' ? ((await store.find(value)) ?? value) : value;
  const [head, ...rest] = path;
  if (head === undefined || !isObject(object)) return object;
  const include = includable[`${String(object['object'])}.${head}`];
  if (include) {
    const found = object[head] ?? (await include(store, object as never));
    return found === null ? object : { ...object, [head]: await grow(store, found, rest, whole) };
  }
  if (!(head in object)) throw new SandboxError(`This property cannot be expanded (${whole}).`, { param: 'expand' });
  return { ...object, [head]: await grow(store, object[head], rest, whole) };
}

/** Replaces ids with their objects and adds fields on request, dotted as in Stripe (`data.latest_invoice`). */
export async function expandObject<T extends object>(store: Store, object: T, paths: string[]): Promise<T> {
  let grown: unknown = object;
  for (const path of paths) {
    const parts = path.split('.');
    if (parts.length > 4)
      throw new SandboxError(`You cannot expand more than 4 levels of a property (${path}).`, { param: 'expand' });
    grown = await grow(store, grown, parts, path);
  }
  return grown as T;
}
