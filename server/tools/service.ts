export { bodyOf, erasureJob, replay } from './deliver.ts';
export { launchTool } from './launch.ts';
export * as checkRuns from './queries-checks.ts';
export { confirmForTool, eventsById, eventsOf, findEvent } from './queries-events.ts';
export { peopleKnown } from './queries-people.ts';
export { refusalsOf } from './queries-refusals.ts';
export { send as sendEvent, sendOwnEvent } from './tell-tools.ts';
export { subjectOf } from './subject.ts';
export * as signing from './signing.ts';
