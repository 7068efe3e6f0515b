import { shownPerson } from '#client/lib/request.ts';
import { tabStorage } from '#client/lib/tab-storage.ts';

/** The last tool this person looked at but doesn't have yet: where a newcomer's next step leads. */
export const chosenTool = () => tabStorage(`adviserly-chosen-tool:${shownPerson()}`);
