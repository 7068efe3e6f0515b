/** What is done with the tools: sessions, and the events that tools report about them. */
export {
  countSessions,
  endSilentSessions,
  findSession,
  insertEvents,
  findSessionOfToken,
  findSessionsOfTool,
  insertSession,
  knownEventIds,
  lockSessions,
  type NewEvent,
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
