/** Recalls: sessions with a tool that are to be looked at again. */
export { sessionsIn } from './queries.ts';
export { type PackRecall, type PackTouch, touchedAmong, touchingRecalls } from './queries-pack.ts';
