import type pg from 'pg';
import type { Objects } from '../store/objects.ts';
import * as queries from '../store/queries.ts';
import { createStore, type Store } from '../store/store.ts';
import { currentPeriod, DAY } from '../subscriptions/periods.ts';

type Subscription = Objects['subscription'];
const earliest = (moments: number[]): Date | null => (moments.length ? new Date(Math.min(...moments) * 1000) : null);
const ending = ({ cancel_at: at }: Subscription, end: number) => at !== null && at <= end;

const read = <T>(pool: pg.Pool, work: (store: Store) => Promise<T>) =>
  queries.change(pool, (client) => work(createStore(client, 0)));

async function waitingDrafts(store: Store, afterTrial: boolean): Promise<number[]> {
  const drafts = await store.select('invoice', { equal: { status: 'draft' } });
  const kept = await Promise.all(
    drafts.map(async (draft) => Boolean((await store.hidden(draft.id)).endsTrial) === afterTrial),
  );
  return drafts.flatMap((draft, index) => (kept[index] && draft.automatically_finalizes_at ? [draft.created] : []));
}

/** When the next period begins. Its invoice is finalised and charged an hour later; until then this returns the period's start. */
export const nextRenewal = (pool: pg.Pool) =>
  read(pool, async (store) => {
    const renewing = await store.select('subscription', { oneOf: ['status', ['active', 'past_due']] });
    const ends = renewing.map((subscription) => ({ subscription, end: currentPeriod(subscription).end }));
    const charged = ends.filter(({ subscription, end }) => !ending(subscription, end)).map(({ end }) => end);
    return earliest([...charged, ...(await waitingDrafts(store, false))]);
  });

/** When the next trial ends. With a card on file the first charge follows an hour later; until then this returns the trial's end. */
export const nextTrialEnd = (pool: pg.Pool) =>
  read(pool, async (store) => {
    const trials = await store.select('subscription', { equal: { status: 'trialing' } });
    const ends = trials.map((subscription) => subscription.trial_end ?? currentPeriod(subscription).end);
    return earliest([...ends, ...(await waitingDrafts(store, true))]);
  });

/** When anything next falls due by the passing of time, up to a century ahead. */
export const nextDue = async (pool: pg.Pool, from: Date): Promise<Date | null> => {
  const century = Math.floor(from.getTime() / 1000) + 36_525 * DAY;
  const due = await queries.selectDue(pool, century);
  return due ? new Date(due.at * 1000) : null;
};
