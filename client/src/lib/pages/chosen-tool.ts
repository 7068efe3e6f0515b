import { shownPerson } from '#client/lib/calls/request.ts';
import { tabStorage } from '#client/lib/session/tab-storage.ts';

/** The last tool this person looked at but doesn't have yet: where a newcomer's next step leads. */
export const chosenTool = () => tabStorage(`adviserly-chosen-tool:${shownPerson()}`);
