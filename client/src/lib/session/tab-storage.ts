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

const keysInTab = () => attempt((storage) => Object.keys(storage)) ?? [];
export const holdsInTab = (test: (key: string) => boolean) => keysInTab().some(test);
export const forgetInTab = (test: (key: string) => boolean) => {
  for (const key of keysInTab().filter(test)) tabStorage(key).forget();
};

const mailedKey = (path: string) => `adviserly-mailed-token ${path}`;
/** The token of an emailed link to this page. */
export const mailedToken = (path: string) => tabStorage(mailedKey(path));
/** On Sign Out all goes, but for the link that whoever signs in next is led on by. */
export const emptyTab = (exceptLinkTo = '') => forgetInTab((key) => key !== mailedKey(exceptLinkTo));
