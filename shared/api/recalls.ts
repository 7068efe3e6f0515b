import * as z from 'zod';
import { findings, noVersion, severities } from '#shared/rules/record/recalls.ts';
import { purposes, recordPageSize } from '#shared/rules/record/record.ts';
import { defineAdminApi, defineApi } from './endpoint.ts';
import { clientReference, date, day, id, mailedText, remark, requiredLine, toolVersion } from './fields.ts';

const said = (sentence: string) => mailedText(1000).min(1, { error: sentence });

const terms = {
  /** Empty: all; an empty word: sessions whose tool reported none. */
  versions: z.array(z.union([z.literal(noVersion), toolVersion])).max(100),
  /** Sydney days on which the sessions began, both included; without a last day, until it is closed. */
  fromDay: day,
  untilDay: day.nullable(),
  wrong: said('Please say what may be wrong'),
  lookFor: said('Please say what to look for'),
  severity: z.enum(severities, { error: 'Please say how bad it is' }),
  /** The tool opens no new sessions until it is closed. */
  stops: z.boolean({ error: 'Please say whether the tool may open new sessions' }),
};
const inOrder = ({ fromDay, untilDay }: { fromDay: string; untilDay: string | null }) =>
  untilDay === null || fromDay <= untilDay;
const order = { path: ['untilDay'], error: 'The last day is before the first' };

const why = requiredLine(500, 'Please give a reason');
const opening = z.strictObject(terms).refine(inOrder, order);
const change = z.strictObject({ ...terms, reason: why }).refine(inOrder, order);

const recall = z.object({
  id: z.string(),
  toolId: z.string(),
  toolName: z.string(),
  byMaker: z.boolean(),
  versions: z.array(z.string()),
  fromDay: z.string(),
  untilDay: z.string().nullable(),
  wrong: z.string(),
  lookFor: z.string(),
  severity: z.enum(severities),
  stops: z.boolean(),
  createdAt: date,
  closedAt: date.nullable(),
  closedFor: z.string().nullable(),
});

/** How many sessions it touches, and how many of them nobody has looked at again. */
const counts = { sessions: z.int(), open: z.int() };

const touching = recall.extend(counts);
export type TouchingRecall = z.output<typeof touching>;

const reach = z.object({
  /** Of how many client files the sessions are. */
  files: z.int(),
  /** Of a practice: whose sessions they are, also of those who have left. Empty in one's own. */
  people: z.array(
    z.object({ userId: z.string(), firstName: z.string(), lastName: z.string(), left: z.boolean(), ...counts }),
  ),
});
export type RecallReach = z.output<typeof reach>;

const session = z.object({
  id: z.string(),
  userId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  createdAt: date,
  toolVersion: z.string().nullable(),
  purpose: z.enum(purposes).nullable(),
  clientReference: z.string().nullable(),
  lookedAt: date.nullable(),
  /** Whether whoever looked found something wrong; null until somebody has looked. */
  fault: z.boolean().nullable(),
});
export type RecallSession = z.output<typeof session>;

const operated = recall.extend({
  /** Whether people are told; a maker's that tells many waits for an administrator. */
  confirmed: z.boolean(),
  ...counts,
  people: z.int(),
  practices: z.int(),
  history: z.array(z.object({ act: z.string(), reason: z.string().nullable(), madeAt: date })),
});
export type OperatedRecall = z.output<typeof operated>;

const ofTool = z.object({
  /** Those that its sessions reported, the newest first. */
  versions: z.array(z.object({ version: z.string(), sessions: z.int(), lastUsedAt: date })),
  recalls: z.array(operated),
});
export type RecallsOfTool = z.output<typeof ofTool>;

const ofPractice = { teamId: id.optional() };

/** What advisers and practices see of recalls. */
export const recallsApi = defineApi('member', {
  list: {
    route: 'GET /api/record/recalls',
    summary:
      'The recalls that touch one’s own sessions, or those of a practice whose record one may read, newest first',
    query: z.strictObject(ofPractice),
    response: z.array(touching),
  },
  reach: {
    route: 'GET /api/record/recalls/:id',
    summary: 'Of how many client files, and of whom, the sessions are that a recall touches',
    query: z.strictObject(ofPractice),
    response: reach,
  },
  sessions: {
    route: 'GET /api/record/recalls/:id/sessions',
    summary: 'The sessions that a recall touches, newest first',
    query: z.strictObject({
      ...ofPractice,
      open: z.literal('true', { error: 'open is true, or left out' }).optional(),
      after: id.optional(),
    }),
    response: z.object({ sessions: z.array(session), next: z.string().nullable() }),
  },
  look: {
    route: 'POST /api/record/recalls/:id/looks',
    summary: 'State of some of these sessions, or of all for one client reference, what was found on looking again',
    body: z
      .strictObject({
        ...ofPractice,
        sessionIds: z
          .array(id)
          .min(1, { error: 'Please choose a session' })
          .max(recordPageSize, { error: `At most ${recordPageSize} sessions at once` })
          .optional(),
        clientReference: clientReference.optional(),
        found: z.enum(findings, { error: 'Please say what you found' }),
        remark: remark.optional(),
      })
      .refine((look) => (look.sessionIds === undefined) !== (look.clientReference === undefined), {
        error: 'Please choose sessions, or a client reference',
        path: ['sessionIds'],
      }),
    response: z.object({ sessions: z.int() }),
  },
});

/** What the maker of a tool does about its recalls. */
export const toolRecallsApi = defineApi('signedIn', {
  list: {
    route: 'GET /api/developers/tools/:toolId/recalls',
    summary: 'The recalls of a tool of mine, newest first, and the versions that its sessions reported',
    response: ofTool,
  },
  open: {
    route: 'POST /api/developers/tools/:toolId/recalls',
    summary: 'Have sessions with a tool of mine looked at again; everybody whose they are is told',
    proof: 'always',
    status: 201,
    body: opening,
    response: z.object({ id: z.string(), confirmed: z.boolean() }),
  },
  change: {
    route: 'PUT /api/developers/tools/:toolId/recalls/:id',
    summary: 'Widen, narrow or reword a recall of a tool of mine, with a reason',
    proof: 'always',
    body: change,
  },
  close: {
    route: 'POST /api/developers/tools/:toolId/recalls/:id/close',
    summary: 'Close a recall of a tool of mine: no more sessions are touched',
    proof: 'always',
    body: z.strictObject({ reason: why }),
  },
});

/** What administrators do about the recalls of any tool. */
export const adminRecallsApi = defineAdminApi({
  list: {
    route: 'GET /api/admin/tools/:toolId/recalls',
    summary: 'The recalls of a tool, newest first, and the versions that its sessions reported',
    response: ofTool,
  },
  open: {
    route: 'POST /api/admin/tools/:toolId/recalls',
    summary: 'Have sessions with a tool looked at again; everybody whose they are is told',
    status: 201,
    body: opening,
    response: z.object({ id: z.string(), confirmed: z.boolean() }),
  },
  change: {
    route: 'PUT /api/admin/tools/:toolId/recalls/:id',
    summary: 'Widen, narrow or reword a recall, with a reason',
    body: change,
  },
  confirm: {
    route: 'POST /api/admin/tools/:toolId/recalls/:id/confirm',
    summary: 'Have everybody told of a recall that its maker opened and that touches many people',
  },
  close: {
    route: 'POST /api/admin/tools/:toolId/recalls/:id/close',
    summary: 'Close a recall: no more sessions are touched',
    body: z.strictObject({ reason: why }),
  },
});
