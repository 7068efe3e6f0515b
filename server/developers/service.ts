/** What administrators decide about the tools of makers. */
export { approve, closeMakersTools, listOffered, listRequests, refuse, setClosed } from './publish.ts';
export { tryOut } from './try-out.ts';
