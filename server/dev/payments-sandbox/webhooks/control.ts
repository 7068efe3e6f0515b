import type pg from 'pg';
import {
  areDeliveriesHeld,
  holdDeliveries,
  releaseDeliveries,
  repeatDelivery,
  waitingDeliveries,
  type Plan,
} from './queries.ts';

type Release = {
  /** in any order instead of the order in which they happened */
  shuffle?: boolean;
  /** chance from 0 to 1 that an event comes a second time */
  duplicate?: number;
  /** chance from 0 to 1 that an event never comes */
  drop?: number;
  /** numbers from 0 to 1, from which all this is chosen */
  random?: () => number;
};

function planOf(ids: string[], { shuffle, duplicate = 0, drop = 0, random = Math.random }: Release): Plan {
  const plan: Plan = { post: [], drop: [] };
  for (const id of ids) {
    if (random() < drop) plan.drop.push(id);
    else plan.post.push(...(random() < duplicate ? [id, id] : [id]));
  }
  const drawn = plan.post.map((id) => ({ id, place: random() })).toSorted((a, b) => a.place - b.place);
  return shuffle ? { ...plan, post: drawn.map(({ id }) => id) } : plan;
}

/** Webhooks as a bad network delivers them, for tests and the development console. */
export const createWebhookControl = (pool: pg.Pool, deliverPending: () => Promise<void>) => ({
  /** From now on every process on this database keeps events back instead of posting them. */
  hold: () => holdDeliveries(pool),
  holding: () => areDeliveriesHeld(pool),
  /** The events kept back now, oldest first. */
  held: () => waitingDeliveries(pool),
  /** Lets the kept events go as told; later ones are posted as they come. Resolves when they have been tried. */
  async release(how: Release = {}) {
    const plan = await releaseDeliveries(pool, (ids) => planOf(ids, how));
    await deliverPending();
    const posted = new Set(plan.post).size;
    return { posted, duplicated: plan.post.length - posted, dropped: plan.drop.length };
  },
  /** Posts an event (again). */
  async resend(eventId: string) {
    await repeatDelivery(pool, eventId);
    await deliverPending();
  },
});
