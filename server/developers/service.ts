export { approve, closeMakersTools, listOffered, listRequests, refuse, setClosed } from './publish.ts';
export { promote } from './staging.ts';
export { tryOut } from './sandbox.ts';
export { issueSecret, withdrawSecret, withdrawSecretsSince } from './secrets.ts';
