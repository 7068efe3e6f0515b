/** Who pays, an adviser or a team. */
export * as onFile from './queries-on-file.ts';
export * as practices from './queries-practices.ts';
export {
  columnsOf,
  findPayerBy,
  findPayerFacts,
  findPayersBy,
  lockPayer,
  ofPayer,
  payerFor,
  payerKey,
  payerOf,
  payingAdviser,
  payingTeam,
  requirePayerFacts,
  rowsByPayer,
  subjectOf,
  teamPayer,
  trialIdentityOf,
  userPayer,
  type Payer,
} from './queries.ts';
