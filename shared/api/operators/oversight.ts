import * as z from 'zod';
import { unpaidBillLimit } from '#shared/rules/operators/admin.ts';
import { cappedPagination } from './admin.ts';
import { defineAdminApi } from '../endpoint.ts';
import { cents, date, id, line, page, requiredLine } from '../fields.ts';

/** A person by id; name and e-mail are today's, null once the account is closed. */
const person = z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() });
const details = z.record(z.string(), z.unknown()).nullable();

const auditRow = z.object({
  id: z.string(),
  createdAt: date,
  /** `noun.verb`, such as `account.password_reset`. */
  action: z.string(),
  /** Null: the system itself. */
  actor: person.nullable(),
  subject: z
    .object({ type: z.string(), id: z.string(), name: z.string().nullable(), email: z.string().nullable() })
    .nullable(),
  before: details,
  after: details,
  ip: z.string().nullable(),
  device: z.string().nullable(),
  /** What was done to whom; in the log without who did it, whose name is beside it. */
  sentence: z.string(),
  /** What changed, in words. */
  details: z.array(z.string()),
});
export type AuditRow = z.output<typeof auditRow>;

const filters = {
  /** Who did it. */
  actor: id.optional(),
  action: line(100).optional(),
  /** To whom or what it was done. */
  subject: line(100).optional(),
  without: z.literal('sign-ins', { error: 'Only "sign-ins" can be left out' }).optional(),
};
export type AuditFilters = z.output<z.ZodObject<typeof filters>>;

/** The adviser or team, with the id of their page where they have one. */
const who = z.object({ userId: z.string().nullable(), teamId: z.string().nullable(), name: z.string() });
export type Who = z.output<typeof who>;

const unpaidBill = z.object({
  id: z.string(),
  who,
  dueCents: cents,
  /** What the bank said; empty where it said nothing. */
  reason: z.string(),
  /** Its tools end then. */
  graceEnd: date,
});

const incident = z.object({
  id: z.string(),
  kind: z.enum(['webhook', 'job']),
  /** The event's type or the job's name. */
  name: z.string(),
  /** What happened. */
  title: z.string(),
  /** What to do about it. */
  nextStep: z.string(),
  who: who.nullable(),
  /** How much a dispute is about. */
  amountCents: cents.nullable(),
  /** Until when a dispute can be answered at Stripe. */
  answerBy: date.nullable(),
  /** The dispute at Stripe. */
  answerAt: z.string().nullable(),
  toolName: z.string().nullable(),
  /** The Stripe object, or the job's data. */
  about: z.string().nullable(),
  error: z.string().nullable(),
  attempts: z.int(),
  /** Trying again can fix it; a dispute, by contrast, is answered at Stripe. */
  canReplay: z.boolean(),
  /** A tool has not confirmed an erasure: an administrator can confirm it for the tool. */
  canConfirm: z.boolean(),
  /** There is nothing to try again: whoever has dealt with it says so. */
  canSettle: z.boolean(),
  failedAt: date,
});
export type Incident = z.output<typeof incident>;

/** The audit log, and failed webhook events and jobs. */
export const oversightApi = defineAdminApi({
  audit: {
    route: 'GET /api/admin/audit',
    summary: 'The audit log, newest first, with the actions it knows',
    query: z.strictObject({ page, ...filters }),
    response: z.object({
      rows: z.array(auditRow),
      actions: z.array(z.string()),
      /** What each action is called, in the same order. */
      labels: z.array(z.string()),
      pagination: cappedPagination,
    }),
  },
  auditCsv: {
    route: 'GET /api/admin/audit.csv',
    summary: 'The whole audit log, or what the filters leave, for a spreadsheet',
    query: z.strictObject(filters),
    file: 'text/csv',
  },
  incidents: {
    route: 'GET /api/admin/incidents',
    summary: 'Webhook events and jobs that stopped after repeated failures, and what the operator should know',
    response: z.object({ incidents: z.array(incident), warnings: z.array(z.string()) }),
  },
  unpaidBills: {
    route: 'GET /api/admin/unpaid-bills',
    summary: `Bills in grace, those that end soonest first, at most ${unpaidBillLimit}`,
    response: z.array(unpaidBill),
  },
  replay: {
    route: 'POST /api/admin/incidents/:id/replay',
    summary: 'Try a failed event or job again',
    params: z.strictObject({ id: z.string().regex(/^[\w-]{1,100}$/, { error: 'Not a valid id' }) }),
  },
  settle: {
    route: 'POST /api/admin/incidents/:id/settle',
    summary: 'Say that an incident was seen to',
    body: z.strictObject({ reason: requiredLine(500, 'Please say what was done') }),
  },
  confirmErasure: {
    route: 'POST /api/admin/incidents/:id/confirm-erasure',
    summary: 'Confirm an erasure that a tool confirmed outside the product, or that there was nothing to erase',
    body: z.strictObject({
      /** The day of the erasure, in Sydney. */
      erasedOn: z.iso.date({ error: 'Please enter the day' }),
      reason: requiredLine(500, 'Please say how you know'),
    }),
  },
});
