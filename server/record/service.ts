/** The record of AI use: what advisers state about their sessions, what practices allow and review, what makers say about their tools. */
export {
  disclosuresOfTools,
  type PackDecision,
  type PackDisclosure,
  type PackReview,
  type PackSignOff,
  type PackStatement,
  reviewsOfTools,
  signOffsOfSessions,
  statementsOfSessions,
} from './queries-pack.ts';
export * as forPacks from './for-packs.ts';
export { sessionsOfClosed, state } from './tool-register.ts';
export * as keeping from './keeping.ts';
export { holdingTeams } from './jobs.ts';
export { announce, announcementsFor } from './announce.ts';
export { disclose, disclosureOf } from './disclosure.ts';
export { findDisclosure, insertStatements } from './queries.ts';
