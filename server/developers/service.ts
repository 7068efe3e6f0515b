/** What administrators decide about the tools of makers. */
export { approve, listRequests, refuse } from './publish.ts';
