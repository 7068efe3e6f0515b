/** The record of AI use: what advisers state about their sessions, what practices allow and review, what makers say about their tools. */
export {
  disclosuresOfTools,
  type PackDisclosure,
  type PackReview,
  type PackStatement,
  reviewsOfTools,
  statementsOfSessions,
} from './queries-pack.ts';
export { state } from './tool-register.ts';
export { disclose } from './disclosure.ts';
