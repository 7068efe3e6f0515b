/** On whose behalf work is done, which decides who is next. */
export type Asker = {
  /** An address, device or person: each has a share of the line. */
  key: string;
  /** Goes before all others, such as a device that has signed in before. */
  first?: boolean;
  /** Whether nobody waits for the answer any more. */
  hungUp?: () => boolean;
};

type Place<T> = { one: T; asker: Asker | undefined };

/** How many askers are remembered; the one served longest ago is forgotten first. */
const memory = 1000;

/**
 * A short line that nobody can block for others: each asker has at most `share` of its `limit` places. Those who go first are taken
 * first, then whoever was served longest ago. Whoever hangs up loses their place. Our own work, without an asker, has no share to keep to.
 */
export function createWaitingLine<T>({ limit, share }: { limit: number; share: number }) {
  let places: Place<T>[] = [];
  // In the order they were served, each with its turn.
  const served = new Map<string, number>();
  let turn = 0;

  const forgetThoseWhoHungUp = () => {
    places = places.filter(({ asker }) => !asker?.hungUp?.());
  };
  const rank = ({ asker }: Place<T>) => (asker ? (served.get(asker.key) ?? 0) : 0);
  const isBefore = (a: Place<T>, b: Place<T>) => {
    const first = Number(b.asker?.first ?? false) - Number(a.asker?.first ?? false);
    return first === 0 ? rank(a) < rank(b) : first < 0;
  };

  return {
    /** False if the line, or the asker's share of it, is full. */
    enter(one: T, asker?: Asker): boolean {
      forgetThoseWhoHungUp();
      // Strangers never fill the part that is kept for those who go first.
      const free = asker?.first ? limit : Math.ceil(limit * 0.75);
      if (places.length >= free) return false;
      if (asker && places.filter((place) => place.asker?.key === asker.key).length >= share) return false;
      places.push({ one, asker });
      return true;
    },
    /** Takes out whoever's turn it is; undefined if nobody waits. */
    next(): T | undefined {
      forgetThoseWhoHungUp();
      const [head, ...others] = places;
      if (!head) return undefined;
      const chosen = others.reduce((best, place) => (isBefore(place, best) ? place : best), head);
      places = places.filter((place) => place !== chosen);
      if (chosen.asker) {
        served.delete(chosen.asker.key);
        served.set(chosen.asker.key, (turn += 1));
        const [oldest] = served.keys();
        if (served.size > memory && oldest !== undefined) served.delete(oldest);
      }
      return chosen.one;
    },
    leave(one: T): void {
      places = places.filter((place) => place.one !== one);
    },
    /** Empties the line. */
    clear: () => places.splice(0).map(({ one }) => one),
  };
}
