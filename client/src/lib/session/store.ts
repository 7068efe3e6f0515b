import { useSyncExternalStore } from 'react';

/** Something that others listen to; `on` returns the function that unsubscribes. */
export const createEvent = () => {
  const listeners = new Set<() => void>();
  return {
    on: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    fire: () => {
      for (const listener of listeners) listener();
    },
  };
};

/** A value outside React; `use` renders again when it changes. On the server, and while hydrating, it is the first value. */
export const createStore = <T>(first: T) => {
  let value = first;
  const changed = createEvent();
  const get = () => value;
  return {
    get,
    set: (next: T) => {
      value = next;
      changed.fire();
    },
    use: () => useSyncExternalStore(changed.on, get, () => first),
  };
};
