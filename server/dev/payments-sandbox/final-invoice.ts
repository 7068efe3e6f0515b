import { draftInvoice } from './drafts.ts';
import type { Objects } from './objects.ts';
import { waitingProrations } from './prorations.ts';
import type { Store } from './store.ts';

/** Drafts what waited for a renewal that never comes, when the subscription ends; null when nothing waited. */
export async function draftFinalInvoice(
  store: Store,
  ended: Objects['subscription'],
  finalizesAt: number | null,
): Promise<Objects['invoice'] | null> {
  if (!(await waitingProrations(store, ended.id)).length) return null;
  const start = ended.items.data[0]?.current_period_start ?? store.at;
  const { invoice } = await draftInvoice(store, {
    subscription: ended,
    items: [],
    reason: 'subscription_cycle',
    period: { start, end: store.at },
    finalizesAt,
  });
  return invoice;
}
