import type pg from 'pg';
import * as queries from '../store/queries.ts';
import { createStore } from '../store/store.ts';
import { currentPeriod, DAY } from '../subscriptions/periods.ts';

/** When the next period begins. Its invoice is finalised and charged an hour later; until then this returns the period's start. */
export const nextRenewal = (pool: pg.Pool): Promise<Date | null> =>
  queries.change(pool, async (client) => {
    const store = createStore(client, 0);
    const renewing = await store.select('subscription', { oneOf: ['status', ['active', 'past_due']] });
    const begins = renewing.flatMap((subscription) => {
      const { end } = currentPeriod(subscription);
      return subscription.cancel_at !== null && subscription.cancel_at <= end ? [] : [end];
    });
    for (const draft of await store.select('invoice', { equal: { status: 'draft' } }))
      if (draft.automatically_finalizes_at) begins.push(draft.created);
    return begins.length ? new Date(Math.min(...begins) * 1000) : null;
  });

/** When anything next falls due by the passing of time, up to a century ahead. */
export const nextDue = async (pool: pg.Pool, from: Date): Promise<Date | null> => {
  const century = Math.floor(from.getTime() / 1000) + 36_525 * DAY;
  const due = await queries.selectDue(pool, century);
  return due ? new Date(due.at * 1000) : null;
};
