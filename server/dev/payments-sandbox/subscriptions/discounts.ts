import type { Reduction } from '../invoices/amounts.ts';
import { idOf, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';

type Discount = Reduction & { end: number | null; once: boolean };

/** What an older release's subscription has taken off. Nothing gives a discount any more. */
const discountsOf = (store: Store, { discounts }: Objects['subscription']): Promise<Discount[]> =>
  Promise.all(
    discounts.map(async (one) => {
      const { id, end, source } = await store.get('discount', idOf(one));
      const { percent_off, duration } = await store.get('coupon', idOf(source.coupon ?? ''));
      return { discount: id, percentOff: percent_off ?? 0, end, once: duration === 'once' };
    }),
  );

const runs = ({ end }: Discount, at: number) => end === null || end > at;

/** Those that run at this time (seconds). */
export const reductions = async (store: Store, subscription: Objects['subscription'], at: number) =>
  (await discountsOf(store, subscription)).filter((one) => runs(one, at));

/** The ids of those that go on after an invoice: a once-only one is used up by it. */
export const lasting = async (store: Store, subscription: Objects['subscription']) =>
  (await discountsOf(store, subscription))
    .filter((one) => !one.once && runs(one, store.at))
    .map(({ discount }) => discount);
