import { shownPerson } from '#client/lib/request.ts';
import { forgetInTab, holdsInTab, tabStorage } from '#client/lib/tab-storage.ts';

const prefix = 'adviserly-draft:';
const ownedBy = (userId: string | undefined) => `${prefix}${userId ?? 'visitor'}:`;

/** What the person whom the page shows typed into a form of this name. */
export const draftStorage = (form: string) => tabStorage(ownedBy(shownPerson()) + form);

/** All but one person's, or everybody's: with Sign Out, and when somebody else signs in. */
export const forgetDrafts = (exceptOf?: string) =>
  forgetInTab((key) => key.startsWith(prefix) && !(exceptOf && key.startsWith(ownedBy(exceptOf))));

/** Whether this tab holds something that somebody typed and has not saved. */
export const hasDrafts = () => holdsInTab((key) => key.startsWith(prefix));
