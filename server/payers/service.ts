/** Who pays, an adviser or a team, with their card, Stripe customer and billing address. */
export {
  claimCustomer,
  columnsOf,
  customerDetails,
  findPayerOfCustomer,
  findTeamRole,
  hasCustomers,
  liveTeamIds,
  lockPayer,
  metadataOf,
  noCard,
  ofPayer,
  ownedTeamIds,
  payerFor,
  payerKey,
  payerOf,
  payingAdviser,
  payingTeam,
  peopleOf,
  storeCard,
  storeCredit,
  subjectOf,
  teamPayer,
  trialIdentityOf,
  userPayer,
  type Card,
  type Payer,
} from './queries.ts';
export { findPayerFacts, type PayerFacts } from './queries-facts.ts';
export { buyerOf, findAddress, storeAddress } from './queries-buyer.ts';
export { wordsFor, type PayerWords } from './words.ts';
export { decide, decisionsOf, reviewsDue, toolRulesFor } from './queries-allowed.ts';
