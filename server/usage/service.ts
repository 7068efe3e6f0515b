/** The use of the tools: sessions, and the events that tools report about them. */
export {
  countSessions,
  endSilentSessions,
  findSession,
  findSessionOfToken,
  findSessionsOfTool,
  insertSession,
  newestOf,
  type NewestRow,
  newestSessions,
  recentSessions,
  sessionsOfTokens,
  type SessionRow,
  upsertSession,
  usageSince,
} from './queries.ts';
export { countPackSessions, inPack, packSessions, type PackScope, type PackSession } from './queries-pack.ts';
export {
  eventKey,
  findReported,
  insertEvents,
  keepSaid,
  type NewEvent,
  type ReportedSession,
  type Said,
} from './queries-events.ts';
export {
  countUnstated,
  findRecord,
  forgetReferences,
  lockOwnSession,
  noteStated,
  recordOf,
  type RecordFilter,
  type RecordRow,
  teamTotals,
} from './queries-record.ts';
