import { intentOf } from '../invoices/collect.ts';
import { listOf, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { SandboxError } from './error.ts';

/** Fields of an invoice that Stripe leaves out until they are asked for. */
const includable: Record<string, (store: Store, invoice: Objects['invoice']) => Promise<unknown>> = {
  async confirmation_secret(store, invoice) {
    const secret = (await intentOf(store, invoice))?.client_secret;
    return secret ? { client_secret: secret, type: 'payment_intent' } : null;
  },
  payments: async (store, { id: invoice }) =>
    listOf(await store.select('invoice_payment', { equal: { invoice } }), `/v1/invoice_payments?invoice=${invoice}`),
};

async function grow(store: Store, value: unknown, path: string[], whole: string): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((entry) => grow(store, entry, path, whole)));
  const object = typeof value === 'string' ? ((await store.find(value)) ?? value) : value;
  const [head, ...rest] = path;
  if (head === undefined || typeof object !== 'object' || object === null) return object;
  const fields = object as Record<string, unknown>;
  if (fields['deleted'] === true) return object;
  const include = fields['object'] === 'invoice' ? includable[head] : undefined;
  const found = fields[head] ?? (await include?.(store, object as Objects['invoice']));
  if (!(head in object || include))
    throw new SandboxError(`This property cannot be expanded (${whole}).`, { param: 'expand' });
  return found === null ? object : { ...object, [head]: await grow(store, found, rest, whole) };
}

/** Replaces ids with their objects and adds fields on request, dotted as in Stripe (`data.latest_invoice`). */
export async function expandObject(store: Store, object: object, paths: string[]): Promise<object> {
  let grown = object;
  for (const path of paths) {
    const parts = path.split('.');
    if (parts.length > 4)
      throw new SandboxError(`You cannot expand more than 4 levels of a property (${path}).`, { param: 'expand' });
    grown = (await grow(store, grown, parts, path)) as object;
  }
  return grown;
}
