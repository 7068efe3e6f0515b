import type { accountsApi } from '#shared/api/accounts.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { send } from '#client/lib/calls/request.ts';
import { forgetInTab, keysInTab, tabStorage } from '#client/lib/session/tab-storage.ts';

/**
 * What links brought to this tab: a mailed token, or for which client a tool is opened. It outlives a reload and a sign-in on the way.
 * The tab's storage holds it sealed with a key that the server gives by a cookie that scripts can't read.
 */
const prefix = 'adviserly-brought:';
const kept = new Map<string, string>();

type TabKey = (typeof accountsApi)['tabKey'];
const path: TabKey['path'] = '/api/tab-key';
// Without the contract, which visitors' pages don't load.
const read = (answer: unknown) => (answer as Reply<TabKey>).key;
const askForKey = () => send({ method: 'GET', path, read }, {}, { background: true });
let asked: Promise<string> | undefined;
/** Two tabs that ask at once would get two cookies, so they ask one after the other. */
const keyOfBrowser = () => {
  asked ??= (navigator.locks ? navigator.locks.request('adviserly-tab-key', askForKey) : askForKey()).catch(
    (error: unknown) => {
      asked = undefined;
      throw error;
    },
  );
  return asked;
};

// Storage and cryptography can be forbidden, and the server away: then it is kept until the page goes.
const store = async (name: string, text: string) => {
  const { seal } = await import('#client/lib/session/seal.ts');
  const sealed = await seal(await keyOfBrowser(), text);
  if (kept.get(name) === text) tabStorage(prefix + name).keep(sealed);
};

export const brought = (name: string) => ({
  read: () => kept.get(name) ?? null,
  /** Resolves once a reload would find it, or once that is known to be impossible. */
  keep: async (text: string): Promise<void> => {
    kept.set(name, text);
    await store(name, text).catch(() => undefined);
  },
  forget: () => {
    kept.delete(name);
    tabStorage(prefix + name).forget();
  },
});

/** Takes what the tab holds into memory, before the page reads it. What the address brings now is newer. */
export const restoreBrought = async (): Promise<void> => {
  const held = keysInTab().filter((key) => key.startsWith(prefix));
  if (held.length === 0) return;
  const [{ unseal }, secret] = await Promise.all([import('#client/lib/session/seal.ts'), keyOfBrowser()]);
  for (const key of held) {
    const name = key.slice(prefix.length);
    const storage = tabStorage(key);
    const text = await unseal(secret, storage.read() ?? '').catch(() => null);
    if (text === null) storage.forget();
    else if (!kept.has(name)) kept.set(name, text);
  }
};

const mailedName = (page: string) => `mailed-token ${page}`;
/** The token of an emailed link to this page. */
export const mailedToken = (page: string) => brought(mailedName(page));

/** On Sign Out all that the tab holds goes, but for the link that whoever signs in next is led on by. */
export const emptyTab = (exceptLinkTo = '') => {
  const stays = mailedName(exceptLinkTo);
  for (const name of kept.keys()) if (name !== stays) kept.delete(name);
  forgetInTab((key) => key !== prefix + stays);
};
