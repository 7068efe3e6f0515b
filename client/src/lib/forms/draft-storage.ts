import { shownPerson } from '#client/lib/calls/request.ts';
import { forgetInTab, holdsInTab, tabStorage } from '#client/lib/session/tab-storage.ts';

const prefix = 'adviserly-draft:';
const ownedBy = (userId: string | undefined) => `${prefix}${userId ?? 'visitor'}:`;

/** What the person whose page this is typed into the form of this name. */
export const draftStorage = (form: string) => tabStorage(ownedBy(shownPerson()) + form);

/** Everybody's, or all but one person's: on Sign Out, and when somebody else signs in. */
export const forgetDrafts = (exceptOf?: string) =>
  forgetInTab((key) => key.startsWith(prefix) && !(exceptOf && key.startsWith(ownedBy(exceptOf))));

/** Whether this tab holds something that somebody typed and has not saved. */
export const hasDrafts = () => holdsInTab((key) => key.startsWith(prefix));
