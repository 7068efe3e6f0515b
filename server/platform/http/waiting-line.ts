/** On whose behalf work is done, which decides who is next. */
export type Asker = {
  /** An address, device or person: each has a share of the line. */
  key: string;
  /** The wider networks of the address, in which one customer may have many; each counts as `worth` addresses. */
  networks?: readonly { key: string; worth: number }[];
  /** A person or device that goes before strangers. */
  first?: boolean;
  /** Whether nobody waits for the answer any more. */
  hungUp?: () => boolean;
};

type Place<T> = { one: T; asker: Asker | undefined };

export type LineBounds = {
  limit: number;
  share: number;
  /** Whether whoever goes first gets one turn at a time; `done` gives the next. */
  oneEach?: boolean;
};

/** How many askers are remembered; the one served longest ago is forgotten first. */
const memory = 1000;
/** After this many turns of those who go first, a stranger has one: anybody can make accounts. */
const turnsInARow = 3;

const isFirst = ({ asker }: Place<unknown>) => asker?.first === true;

/** In what an asker counts, from the narrowest on. */
const groupsOf = ({ key, networks = [] }: Asker) => [{ key, worth: 1 }, ...networks];

/**
 * A short line that nobody can block for others: each asker has at most `share` of its `limit` places, and where it is full, a newcomer
 * displaces whoever holds most of them. Those who go first are taken first, then whoever was served longest ago. Whoever hangs up loses
 * their place. Our own work, without an asker, has no share to keep to.
 */
export function createWaitingLine<T>({ limit, share, oneEach = false }: LineBounds) {
  let places: Place<T>[] = [];
  // In the order they were served, each with its turn.
  const served = new Map<string, number>();
  const atWork = new Set<string>();
  let turn = 0;
  let firstInARow = 0;

  const forgetThoseWhoHungUp = () => {
    places = places.filter(({ asker }) => !asker?.hungUp?.());
  };
  const heldIn = (group: string) =>
    places.filter(({ asker }) => asker && groupsOf(asker).some(({ key }) => key === group)).length;
  /** How many places an asker holds, or as part of a network; with `more` about to be added. */
  const load = (asker: Asker | undefined, more = 0) =>
    asker ? Math.max(...groupsOf(asker).map(({ key, worth }) => (heldIn(key) + more) / worth)) : more;
  const rank = ({ asker }: Place<T>) =>
    asker ? Math.max(...groupsOf(asker).map(({ key }) => served.get(key) ?? 0)) : 0;

  /** The last place of whoever holds most of these, if that is more than the newcomer then holds. */
  function heaviest(among: Place<T>[], newcomer: Asker | undefined): Place<T> | undefined {
    let most = load(newcomer, 1);
    let found: Place<T> | undefined;
    for (const place of among.toReversed()) {
      const held = load(place.asker);
      if (held > most) [most, found] = [held, place];
    }
    return found;
  }

  function noteServed(asker: Asker): void {
    turn += 1;
    for (const { key } of groupsOf(asker)) {
      served.delete(key);
      served.set(key, turn);
    }
    while (served.size > memory) served.delete(served.keys().next().value!);
    if (oneEach && asker.first) atWork.add(asker.key);
  }

  return {
    /** Whether it got a place, and whose it took. It has none where the asker's share is used up, or nobody holds more than they would. */
    enter(one: T, asker?: Asker): { entered: boolean; displaced?: T } {
      forgetThoseWhoHungUp();
      if (asker && places.filter((place) => place.asker?.key === asker.key).length >= share) return { entered: false };
      const strangers = places.filter((place) => !isFirst(place));
      // Strangers never fill the part that is kept for those who go first.
      const tooManyStrangers = !asker?.first && strangers.length >= Math.ceil(limit * 0.75);
      if (!tooManyStrangers && places.length < limit) {
        places.push({ one, asker });
        return { entered: true };
      }
      const victim = heaviest(tooManyStrangers ? strangers : places, asker);
      if (!victim) return { entered: false };
      places = [...places.filter((place) => place !== victim), { one, asker }];
      return { entered: true, displaced: victim.one };
    },
    /** Takes out whoever's turn it is; undefined if nobody waits who may have one. */
    next(): T | undefined {
      forgetThoseWhoHungUp();
      const waiting = places.filter(({ asker }) => !(asker?.first && atWork.has(asker.key)));
      const strangers = waiting.filter((place) => !isFirst(place));
      const others = waiting.filter(isFirst);
      const strangersTurn = others.length === 0 || (firstInARow >= turnsInARow && strangers.length > 0);
      const [head, ...rest] = strangersTurn ? strangers : others;
      if (!head) return undefined;
      firstInARow = strangersTurn ? 0 : firstInARow + 1;
      const chosen = rest.reduce((best, place) => (rank(place) < rank(best) ? place : best), head);
      places = places.filter((place) => place !== chosen);
      if (chosen.asker) noteServed(chosen.asker);
      return chosen.one;
    },
    /** Says that the work is over on which somebody was sent. */
    done(asker: Asker | undefined): void {
      if (asker) atWork.delete(asker.key);
    },
    leave(one: T): void {
      places = places.filter((place) => place.one !== one);
    },
    clear: () => places.splice(0).map(({ one }) => one),
  };
}
