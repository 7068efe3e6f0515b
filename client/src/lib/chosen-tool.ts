import { shownPerson } from '#client/lib/request.ts';
import { tabStorage } from '#client/lib/tab-storage.ts';

/** The tool that this person looked at last without having it yet: where a newcomer's next step leads. */
export const chosenTool = () => tabStorage(`adviserly-chosen-tool:${shownPerson()}`);
