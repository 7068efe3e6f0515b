import { AppError } from './app-error.ts';
import { type Asker, createWaitingLine, type LineBounds } from './waiting-line.ts';

/** How many may wait, and how many of them for one asker; others are refused as busy. */
export type GateOptions = LineBounds & {
  /** How much of this work is done at the same time. */
  atOnce: number;
  /** How long somebody waits for their turn. Our own work, without an asker, waits as long as it takes. */
  deadlineMs: number;
};

type Waiting = { begin: () => void; reject: (error: Error) => void; deadline: NodeJS.Timeout | undefined };

const busyFor = (retryAfterSeconds: number) => new AppError('busy', { retryAfterSeconds });

/** Does costly work a little at a time, in the order of a waiting line. */
export function createGate({ atOnce, deadlineMs, ...bounds }: GateOptions) {
  const line = createWaitingLine<Waiting>(bounds);
  let running = 0;
  let closed = false;

  function next(): void {
    while (running < atOnce) {
      const one = line.next();
      if (!one) return;
      clearTimeout(one.deadline);
      running += 1;
      one.begin();
    }
  }

  return {
    run: <T>(work: () => Promise<T>, asker?: Asker): Promise<T> => {
      if (closed) return Promise.reject(busyFor(2));
      return new Promise((resolve, reject) => {
        const begin = () =>
          void work()
            .then(resolve, reject)
            .finally(() => {
              running -= 1;
              line.done(asker);
              next();
            });
        const one: Waiting = { begin, reject, deadline: undefined };
        const { entered, displaced } = line.enter(one, asker);
        if (!entered) return reject(busyFor(5));
        clearTimeout(displaced?.deadline);
        displaced?.reject(busyFor(5));
        const giveUp = () => {
          line.leave(one);
          reject(busyFor(5));
        };
        if (asker) one.deadline = setTimeout(giveUp, deadlineMs);
        next();
      });
    },
    /** Refuses whoever is waiting, and whoever comes later. */
    close: () => {
      closed = true;
      for (const { deadline, reject } of line.clear()) {
        clearTimeout(deadline);
        reject(busyFor(2));
      }
    },
  };
}
