/** The use of the tools: sessions, and the events that tools report about them. */
export * from './queries.ts';
export * as recalled from './queries-recall.ts';
export * as packs from './queries-pack.ts';
export * as reports from './queries-events.ts';
export * as register from './queries-record.ts';
