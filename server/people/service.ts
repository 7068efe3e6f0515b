/** The people behind the accounts, for rooms that neither sign anybody in nor keep profiles. */
export * from './queries.ts';
export * as identities from './queries-identities.ts';
export * as demoAccounts from './queries-demo.ts';
export * as listedPeople from './queries-listed.ts';
export * as testAdvisers from './queries-test-advisers.ts';
