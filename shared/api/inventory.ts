import * as z from 'zod';
import { date, day } from './fields.ts';

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

/** What a practice asks of reviews of sessions, and whether its tools open only for a client. */
const reviewRules = z.object({
  lateAfterDays: z.int(),
  refusesLate: z.boolean(),
  remindsWeekly: z.boolean(),
  needsClient: z.boolean(),
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

export const inventory = z.object({
  days: z.int(),
  newToolsAllowed: z.boolean(),
  rules: reviewRules,
  tools: z.array(inventoryTool),
});
export type Inventory = z.output<typeof inventory>;
