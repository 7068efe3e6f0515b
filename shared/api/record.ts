import * as z from 'zod';
import { inventoryDays, purposes, sources, trainingAnswers } from '#shared/rules/record/record.ts';
import { defineApi } from './endpoint.ts';
import { clientReferenceOrNone, date, daysBack, id, line, multiline, remark, toolId } from './fields.ts';

/** A calendar day in Sydney. */
const day = z.iso.date({ error: 'Please enter a day' });

/** One session with a tool, and what is stated about it now. */
const session = z.object({
  id: z.string(),
  userId: z.string(),
  /** Whose session it was; empty where they have closed their account. */
  firstName: z.string(),
  lastName: z.string(),
  teamId: z.string().nullable(),
  toolId: z.string(),
  toolName: z.string(),
  createdAt: date,
  /** Null where the tool reported no length. */
  durationSeconds: z.int().nullable(),
  toolVersion: z.string().nullable(),
  purpose: z.enum(purposes).nullable(),
  purposeFrom: z.enum(sources).nullable(),
  clientReference: z.string().nullable(),
  referenceFrom: z.enum(sources).nullable(),
  /** Whether the adviser checked the output; null where not stated. */
  checked: z.boolean().nullable(),
  statedAt: date.nullable(),
  remark: z.string().nullable(),
  /** How many lines its history has. */
  lines: z.int(),
});
export type RecordSession = z.output<typeof session>;

const statement = z.object({
  id: z.string(),
  checked: z.boolean().nullable(),
  remark: z.string().nullable(),
  purpose: z.enum(purposes).nullable(),
  /** Empty where it was taken back. */
  clientReference: z.string().nullable(),
  madeAt: date,
});
export type Statement = z.output<typeof statement>;

const filter = {
  from: day.optional(),
  to: day.optional(),
  toolId: toolId.optional(),
  unstated: z.literal('true', { error: 'unstated is true, or left out' }).optional(),
  after: id.optional(),
};
const pageOf = z.object({ sessions: z.array(session), next: z.string().nullable() });

const certificate = z.strictObject({
  name: line(80).min(1, { error: 'Please name the certificate' }),
  evidenceUrl: z.url({ protocol: /^https$/, error: 'Please enter an https:// address of the evidence' }).max(500),
});
const said = (max: number) =>
  multiline(max)
    .transform((text) => text || null)
    .nullable();
/** What a maker may say; null or empty means not stated. */
export const disclosureAnswers = z.strictObject({
  maker: said(120),
  does: said(500),
  model: said(200),
  version: said(40),
  dataLocation: said(300),
  training: z.enum(trainingAnswers).nullable(),
  trainingDetails: said(500),
  certificates: z.array(certificate).max(10, { error: 'At most ten certificates' }),
  reviewedOn: day.nullable(),
});

/** What a maker said about a tool, in the newest version or an earlier one. */
const disclosure = z.object({
  tool: z.object({ id: z.string(), name: z.string(), description: z.string().nullable() }),
  version: z.int().nullable(),
  madeAt: date.nullable(),
  answers: disclosureAnswers,
  history: z.array(z.object({ version: z.int(), madeAt: date })),
});
export type ToolDisclosure = z.output<typeof disclosure>;

const review = z.object({
  id: z.string(),
  toolId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  remark: z.string(),
  disclosureVersion: z.int().nullable(),
  nextDue: day.nullable(),
  madeAt: date,
});

/** One tool of a practice's inventory. */
const inventoryTool = z.object({
  toolId: z.string(),
  toolName: z.string(),
  /** By decision or, without one, by the practice's rule for new tools. */
  allowed: z.boolean(),
  decided: z.boolean(),
  reason: z.string().nullable(),
  reviewDue: day.nullable(),
  reviews: z.array(review),
  /** Null: its maker has stated nothing. */
  disclosedAt: date.nullable(),
  version: z.string().nullable(),
  sessions: z.int(),
  durationSeconds: z.int(),
  unstated: z.int(),
  unchecked: z.int(),
  lastUsedAt: date.nullable(),
  people: z.array(
    z.object({
      userId: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      sessions: z.int(),
      unstated: z.int(),
    }),
  ),
});
export type InventoryTool = z.output<typeof inventoryTool>;

const inventory = z.object({ days: z.int(), newToolsAllowed: z.boolean(), tools: z.array(inventoryTool) });
export type Inventory = z.output<typeof inventory>;

export const recordApi = defineApi('member', {
  sessions: {
    route: 'GET /api/record/sessions',
    summary: 'One’s own register of AI use, newest first',
    query: z.strictObject(filter),
    response: pageOf,
  },
  session: {
    route: 'GET /api/record/sessions/:id',
    summary: 'A session with every line that was stated of it',
    response: z.object({ session, statements: z.array(statement) }),
  },
  state: {
    route: 'POST /api/record/sessions/:id/statements',
    summary: 'State that the output was checked or not, or what the session was for: a new line, never a change',
    body: z
      .strictObject({
        checked: z.boolean({ error: 'Please say whether you checked the output' }).optional(),
        remark: remark.optional(),
        purpose: z.enum(purposes, { error: 'Please choose a purpose of the list' }).optional(),
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
      }),
    response: session,
  },
  unstated: {
    route: 'GET /api/record/unstated',
    summary: 'How many sessions of the last 30 days are not stated, and the newest of them',
    response: z.object({ count: z.int(), newest: session.nullable() }),
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
    summary: 'The team’s sessions, newest first',
    query: z.strictObject({ ...filter, userId: id.optional() }),
    response: pageOf,
  },
  decide: {
    route: 'PUT /api/teams/:teamId/record/tools/:toolId',
    summary: 'Allow a tool in the team, or not; when its next review is due',
    body: z.strictObject({
      allowed: z.boolean({ error: 'Please say whether it is allowed' }).optional(),
      reason: line(200).optional(),
      reviewDue: day.nullable().optional(),
    }),
    response: inventory,
  },
  allowNewTools: {
    route: 'PUT /api/teams/:teamId/record/new-tools',
    summary: 'Whether tools without a decision are allowed in the team',
    body: z.strictObject({ allowed: z.boolean({ error: 'Please say whether they are allowed' }) }),
    response: inventory,
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
    query: z.strictObject({ version: z.coerce.number().int().min(1).max(100_000).optional() }),
    response: disclosure,
  },
});
