import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False in a page as the server rendered it, until the app has taken it over; true in one the app made itself. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
