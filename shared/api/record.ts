import * as z from 'zod';
import {
  inventoryDays,
  longestCheck,
  longestReason,
  longestToolName,
  mostChecks,
  mostLateAfterDays,
  purposes,
  recordPageSize,
} from '#shared/rules/record/record.ts';
import { disclosure } from './disclosure.ts';
import { defineApi } from './endpoint.ts';
import { hold, inventory, outsideTool, session, signOff, statement } from './recorded.ts';
import {
  clientReference,
  clientReferenceOrNone,
  date,
  day,
  daysBack,
  id,
  line,
  remark,
  requiredLine,
  toolId,
  whole,
  wholeText,
} from './fields.ts';

const answersVersion = wholeText(1, 100_000, 'A version is a whole number from 1');
const filter = {
  from: day.optional(),
  to: day.optional(),
  toolId: toolId.optional(),
  unstated: z.literal('true', { error: 'unstated is true, or left out' }).optional(),
  after: id.optional(),
};
const pageOf = z.object({
  sessions: z.array(session),
  next: z.string().nullable(),
  /** Null where the list is no sample. */
  sample: z.object({ id: z.string(), size: z.int(), drawnFrom: z.int(), drawnAt: date }).nullable(),
});
const howMany = z.object({ sessions: z.int(), reviews: z.int() });
/** Sessions at once. */
const ids = z
  .array(id)
  .min(1, { error: 'Please choose a session' })
  .max(recordPageSize, { error: `At most ${recordPageSize} sessions at once` });

/** What was checked, from the practice's list. */
const checks = z
  .array(line(longestCheck))
  .max(mostChecks, { error: `At most ${mostChecks} at once` })
  .optional();
const onlyIfChecked = ({ checked, checks: ticked }: { checked?: boolean | undefined; checks?: string[] | undefined }) =>
  checked === true || !ticked?.length;
const onlyChecked = { error: 'Only an output that you checked has these', path: ['checks'] };

/** What a practice says of a tool that it uses. */
const aboutTool = {
  usedFor: line(longestReason),
  dataAllowed: line(longestReason),
  accountableId: id.nullable(),
  reviewDue: day.nullable(),
};

/** Why something of the record is held or taken out. */
export const whyText = remark
  .max(longestReason, { error: `Please use at most ${longestReason} characters` })
  .min(1, { error: 'Please say why' });

export const recordApi = defineApi('member', {
  sessions: {
    route: 'GET /api/record/sessions',
    summary: 'One’s own register of AI use, newest first',
    query: z.strictObject(filter),
    response: pageOf,
  },
  session: {
    route: 'GET /api/record/sessions/:id',
    summary: 'A session with every review of it and every sign-off',
    response: z.object({ session, statements: z.array(statement), signOffs: z.array(signOff) }),
  },
  state: {
    route: 'POST /api/record/sessions/:id/statements',
    summary: 'State that the output was checked or not, or what the session was for: a new line, never a change',
    body: z
      .strictObject({
        checked: z.boolean({ error: 'Please say whether you checked the output' }).optional(),
        checks,
        remark: remark.optional(),
        purpose: z.enum(purposes, { error: 'Please choose a purpose from the list' }).optional(),
        clientReference: clientReferenceOrNone.optional(),
      })
      .refine(
        (line) =>
          line.remark || line.checked !== undefined || line.purpose !== undefined || line.clientReference !== undefined,
        { error: 'Please state something', path: ['checked'] },
      )
      .refine((line) => !line.remark || line.checked !== undefined, {
        error: 'A remark needs a statement',
        path: ['remark'],
      })
      .refine(onlyIfChecked, onlyChecked),
    response: session,
  },
  outside: {
    route: 'GET /api/record/outside-tools',
    summary: 'Tools from elsewhere that the adviser’s practice lists, with what may go into them',
    response: z.array(outsideTool),
  },
  recordByHand: {
    route: 'POST /api/record/sessions',
    summary: 'Record a session with a tool from elsewhere; a second call with the same id adds nothing',
    body: z
      .strictObject({
        /** A new one for each session. */
        id,
        toolId,
        usedAt: z.coerce.date({ error: 'Please say when it was' }),
        purpose: z.enum(purposes, { error: 'Please choose a purpose from the list' }),
        clientReference: clientReferenceOrNone,
        checked: z.boolean({ error: 'Please say whether you checked the output' }),
        checks,
        remark,
      })
      .refine(onlyIfChecked, onlyChecked),
    response: session,
  },
  stateMany: {
    route: 'POST /api/record/statements',
    summary: 'State of several of one’s own sessions whether the output was checked',
    body: z
      .strictObject({
        ids,
        checked: z.boolean({ error: 'Please say whether you checked the output' }),
        checks,
      })
      .refine(onlyIfChecked, onlyChecked),
    response: z.object({ sessions: z.int() }),
  },
  unstated: {
    route: 'GET /api/record/unstated',
    summary: 'How many sessions of the last 30 days wait for a review, and the newest of them',
    response: z.object({
      count: z.int(),
      newest: session.nullable(),
      /** Whether they keep a record: they have reviewed a session, or their practice pays for one. */
      kept: z.boolean(),
    }),
  },
  staying: {
    route: 'GET /api/record/staying',
    summary:
      'How many of one’s sessions and reviews stay with which practice when one closes the account, and how many are one’s own',
    response: z.object({
      own: howMany,
      practices: z.array(howMany.extend({ teamId: z.string(), teamName: z.string() })),
    }),
  },
  recentClients: {
    route: 'GET /api/record/recent-clients',
    summary: 'The client references of one’s newest sessions, each with its last purpose, to open a tool for one again',
    response: z.array(z.object({ clientReference: z.string(), purpose: z.enum(purposes).nullable() })),
  },
  notAllowed: {
    route: 'GET /api/record/not-allowed',
    summary: 'The tools that the adviser’s practice doesn’t allow',
    response: z.array(z.object({ toolId: z.string(), teamName: z.string(), reason: z.string().nullable() })),
  },
  inventory: {
    route: 'GET /api/teams/:teamId/record',
    summary: 'The tools in use in the team: by whom, how much, allowed or not, reviews',
    query: z.strictObject({ days: daysBack.default(inventoryDays) }),
    response: inventory,
  },
  teamSessions: {
    route: 'GET /api/teams/:teamId/record/sessions',
    summary: 'The team’s sessions, newest first, or those of a sample that was drawn',
    query: z.strictObject({
      ...filter,
      userId: id.optional(),
      /** The whole sample: nothing else narrows it. */
      sample: id.optional(),
    }),
    response: pageOf,
  },
  drawSample: {
    route: 'POST /api/teams/:teamId/record/samples',
    summary: 'Draw a sample of the sessions of others at random, and keep it',
    body: z.strictObject({
      size: whole(1, recordPageSize, `A sample has 1 to ${recordPageSize} sessions`),
      from: filter.from,
      to: filter.to,
      toolId: filter.toolId,
      userId: id.optional(),
      unstated: z.boolean({ error: 'Please say whether only sessions to review are drawn' }).optional(),
    }),
    response: z.object({ id: z.string() }),
  },
  signOff: {
    route: 'POST /api/teams/:teamId/record/sign-offs',
    summary: 'Sign sessions of others off, as their supervisor: of all, or of none',
    body: z.strictObject({
      ids,
      remark,
      /** The sample that they are of; null where they were chosen. */
      sampleId: id.nullable(),
    }),
    response: z.object({ sessions: z.int() }),
  },
  decide: {
    route: 'PUT /api/teams/:teamId/record/tools/:toolId',
    summary:
      'Allow a tool in the team, or not; what it is for, what may go in, who answers for it, when its next review is due',
    body: z
      .strictObject({
        ...aboutTool,
        allowed: z.boolean({ error: 'Please say whether it is allowed' }),
        reason: line(longestReason),
        name: requiredLine(longestToolName, 'Please name the tool'),
      })
      .partial(),
    response: inventory,
  },
  addTool: {
    route: 'POST /api/teams/:teamId/record/tools',
    summary: 'List a tool from elsewhere that the team uses; it is allowed from then on',
    body: z.strictObject({
      ...aboutTool,
      name: requiredLine(longestToolName, 'Please name the tool'),
      usedFor: requiredLine(longestReason, 'Please say what it is used for'),
      dataAllowed: requiredLine(longestReason, 'Please say which data may go in'),
      accountableId: z.uuid({ error: 'Please choose who is responsible' }).toLowerCase(),
    }),
    response: inventory,
  },
  allowNewTools: {
    route: 'PUT /api/teams/:teamId/record/new-tools',
    summary: 'Whether tools that the team hasn’t assessed are allowed',
    body: z.strictObject({ allowed: z.boolean({ error: 'Please say whether they are allowed' }) }),
    response: inventory,
  },
  setRules: {
    route: 'PUT /api/teams/:teamId/record/rules',
    summary:
      'After how many days a review is late, whether late ones are refused, the weekly reminder, what can be ticked as checked, and whether tools open for a client only',
    body: z.strictObject({
      lateAfterDays: whole(1, mostLateAfterDays, `Please enter 1 to ${mostLateAfterDays} days`),
      refusesLate: z.boolean({ error: 'Please say whether late reviews are refused' }),
      remindsWeekly: z.boolean({ error: 'Please say whether everybody is reminded' }),
      needsClient: z.boolean({ error: 'Please say whether tools open for a client only' }).optional(),
      checks: z
        .array(requiredLine(longestCheck, 'Please write what is checked'))
        .max(mostChecks, { error: `Please write at most ${mostChecks}` })
        .refine((list) => new Set(list).size === list.length, { error: 'Please write each one once' })
        .optional(),
    }),
    response: inventory,
  },
  holds: {
    route: 'GET /api/teams/:teamId/record/holds',
    summary: 'Client references of which nothing is forgotten',
    response: z.array(hold),
  },
  hold: {
    route: 'POST /api/teams/:teamId/record/holds',
    summary: 'Forget nothing of a client reference until it is released',
    body: z.strictObject({
      clientReference,
      reason: whyText,
    }),
    response: z.array(hold),
  },
  release: {
    route: 'DELETE /api/teams/:teamId/record/holds/:id',
    summary: 'Release a client reference',
    response: z.array(hold),
  },
  review: {
    route: 'POST /api/teams/:teamId/record/tools/:toolId/reviews',
    summary: 'Record a review of a tool, and when the next is due',
    body: z.strictObject({
      remark: remark.min(1, { error: 'Please say what you found' }),
      nextDue: day.nullable(),
    }),
    response: inventory,
  },
  disclosure: {
    route: 'GET /api/tools/:toolId/disclosure',
    access: 'public',
    summary: 'What a tool’s maker says of it for due diligence',
    query: z.strictObject({ version: answersVersion.optional(), since: answersVersion.optional() }),
    response: disclosure,
  },
});
