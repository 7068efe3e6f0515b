const attempt = <T>(act: (storage: Storage) => T): T | null => {
  try {
    return act(window.sessionStorage);
  } catch {
    // Storage can be forbidden or full; nothing is kept then.
    return null;
  }
};

/** A text that survives reloads, and lasts as long as the browser's tab. */
export const tabStorage = (key: string) => ({
  read: () => attempt((storage) => storage.getItem(key)),
  keep: (text: string) => attempt((storage) => storage.setItem(key, text)),
  forget: () => attempt((storage) => storage.removeItem(key)),
});

export const keysInTab = () => attempt((storage) => Object.keys(storage)) ?? [];
export const holdsInTab = (test: (key: string) => boolean) => keysInTab().some(test);
export const forgetInTab = (test: (key: string) => boolean) => {
  for (const key of keysInTab().filter(test)) tabStorage(key).forget();
};
