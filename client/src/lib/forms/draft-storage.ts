import { forgetInTab, holdsInTab } from '#client/lib/session/tab-storage.ts';

const prefix = 'adviserly-draft:';
export const ownedBy = (userId: string | undefined) => `${prefix}${userId ?? 'visitor'}:`;

/** The bytes that the server gives to whoever signs in; null for a visitor. They are nowhere but in memory. */
let key: string | null = null;
export const draftKey = () => key;
export const sealDraftsWith = (given: string | null) => {
  key = given;
};

/** Whether a draft survives this page: what has no key stays in memory. */
export const outlivesPage = () => key !== null && 'subtle' in crypto;

/** What this page keeps itself, by name: sealing takes a moment. */
export const typed = new Map<string, string>();

/** Everybody's, or all but one person's: on Sign Out, and when somebody else signs in. */
export const forgetDrafts = (exceptOf?: string) => {
  const goes = (name: string) => name.startsWith(prefix) && !(exceptOf && name.startsWith(ownedBy(exceptOf)));
  for (const name of [...typed.keys()].filter(goes)) typed.delete(name);
  forgetInTab(goes);
};

/** Whether this tab holds something that somebody typed and has not saved. */
export const hasDrafts = () => typed.size > 0 || holdsInTab((name) => name.startsWith(prefix));
