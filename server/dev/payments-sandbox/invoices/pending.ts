import { idOf, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';

type Item = Objects['invoiceitem'];

const subscriptionOf = (item: Item): string | null => item.parent?.subscription_details?.subscription ?? null;

/** Newest first, what the subscription's next invoice takes up: its own items and prorations, and those that name no subscription. */
export async function waitingItems(store: Store, { id, customer }: Objects['subscription']): Promise<Item[]> {
  const waiting = await store.select('invoiceitem', { equal: { customer: idOf(customer), invoice: null } });
  return waiting.filter((item) => [id, null].includes(subscriptionOf(item)));
}
