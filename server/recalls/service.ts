/** Recalls: sessions with a tool that are to be looked at again. */
export { type PackRecall, type PackTouch, sessionsIn, touchedAmong, touchingRecalls } from './queries-pack.ts';
