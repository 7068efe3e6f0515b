import * as z from 'zod';
import { purposes, sources } from '#shared/rules/record/record.ts';
import { difference } from './announcements.ts';
import { date, day } from './fields.ts';

/** Why its words were taken out, when and by whom; null where they were not. */
const redaction = {
  redactedFor: z.string().nullable(),
  redactedAt: date.nullable(),
  redactedBy: z.string().nullable(),
};
export type Redaction = z.output<z.ZodObject<typeof redaction>>;

/** A supervisor's sign-off on a session. */
export const signOff = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  remark: z.string().nullable(),
  /** From how many sessions it was drawn; without a `sampleId`, as whoever signed off said. Null where it was chosen. */
  sampledFrom: z.int().nullable(),
  sampleId: z.string().nullable(),
  madeAt: date,
  ...redaction,
});
export type SignOff = z.output<typeof signOff>;

/** One session with a tool, and what is stated about it now. */
export const session = z.object({
  id: z.string(),
  userId: z.string(),
  /** Whose session it was; empty where they have closed their account. */
  firstName: z.string(),
  lastName: z.string(),
  teamId: z.string().nullable(),
  toolId: z.string(),
  toolName: z.string(),
  /** With a tool from elsewhere: recorded by hand. */
  outside: z.boolean(),
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
  /** What the last review says was checked, and what can be ticked. */
  checks: z.array(z.string()),
  checkList: z.array(z.string()),
  statedAt: date.nullable(),
  remark: z.string().nullable(),
  /** The last review came late by the practice's rule, or from somebody who had left the practice. */
  late: z.boolean(),
  byFormer: z.boolean(),
  /** The practice's last sign-off. */
  signedOff: signOff
    .pick({ firstName: true, lastName: true, remark: true, sampledFrom: true, sampleId: true, madeAt: true })
    .nullable(),
  /** How many lines its history has. */
  lines: z.int(),
});
export type RecordSession = z.output<typeof session>;

export const statement = z.object({
  id: z.string(),
  checked: z.boolean().nullable(),
  checks: z.array(z.string()).nullable(),
  remark: z.string().nullable(),
  purpose: z.enum(purposes).nullable(),
  /** Empty where it was taken back. */
  clientReference: z.string().nullable(),
  madeAt: date,
  late: z.boolean(),
  byFormer: z.boolean(),
  /** It says that somebody looked at the session again because of a recall, and whether something was wrong; else null. */
  recallFault: z.boolean().nullable(),
  ...redaction,
});
export type Statement = z.output<typeof statement>;

/** A session of a closed practice's record, as administrators see it. */
export const closedSession = session
  .pick({ id: true, firstName: true, lastName: true, toolName: true, createdAt: true, clientReference: true })
  .extend({ statements: z.array(statement), signOffs: z.array(signOff) });
export type ClosedSession = z.output<typeof closedSession>;

const review = z.object({
  id: z.string(),
  toolId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  remark: z.string(),
  disclosureVersion: z.int().nullable(),
  nextDue: day.nullable(),
  madeAt: date,
  ...redaction,
});

/** One tool of a practice's inventory. */
const inventoryTool = z.object({
  toolId: z.string(),
  toolName: z.string(),
  /** By decision or, without one, by the practice's rule for new tools. */
  allowed: z.boolean(),
  decided: z.boolean(),
  reason: z.string().nullable(),
  /** A tool from elsewhere, which this practice lists. */
  outside: z.boolean(),
  usedFor: z.string().nullable(),
  dataAllowed: z.string().nullable(),
  /** Who answers for it, and whether they are still in the practice. */
  accountable: z
    .object({ userId: z.string(), firstName: z.string(), lastName: z.string(), isMember: z.boolean() })
    .nullable(),
  reviewDue: day.nullable(),
  reviews: z.array(review),
  /** Null: its maker has stated nothing. */
  disclosedAt: date.nullable(),
  /** What differs, or is announced to differ, from the maker's answers that the practice reviewed last. */
  differences: z.array(difference),
  /** How many of the maker's other answers differ from those. */
  otherDifferences: z.int(),
  /** Whether a change was announced that the practice has neither reviewed nor decided on since. */
  toDecide: z.boolean(),
  version: z.string().nullable(),
  /** Whether the maker stated or announced that version. */
  announced: z.boolean(),
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

/** What a practice asks of reviews of sessions. */
const reviewRules = z.object({
  lateAfterDays: z.int(),
  refusesLate: z.boolean(),
  remindsWeekly: z.boolean(),
  needsClient: z.boolean(),
  checks: z.array(z.string()),
});
export type ReviewRules = z.output<typeof reviewRules>;

export const hold = z.object({
  id: z.string(),
  clientReference: z.string(),
  reason: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  heldAt: date,
});
export type RecordHold = z.output<typeof hold>;

/** What a closed practice's record holds beside its sessions, as administrators see it. */
export const closedKept = z.object({ reviews: z.array(review.extend({ toolName: z.string() })), holds: z.array(hold) });
export type ClosedKept = z.output<typeof closedKept>;

export const inventory = z.object({
  days: z.int(),
  newToolsAllowed: z.boolean(),
  rules: reviewRules,
  tools: z.array(inventoryTool),
});
export type Inventory = z.output<typeof inventory>;

/** A tool from elsewhere that a practice of the adviser's lists. */
export const outsideTool = z.object({
  toolId: z.string(),
  toolName: z.string(),
  teamName: z.string(),
  allowed: z.boolean(),
  usedFor: z.string().nullable(),
  dataAllowed: z.string().nullable(),
  checkList: z.array(z.string()),
});
