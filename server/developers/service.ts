/** What administrators decide about tools. */
export { approve, closeMakersTools, listOffered, listRequests, refuse, setClosed } from './publish.ts';
export { issueSecret, withdrawSecret } from './secrets.ts';
