import * as z from 'zod';
import { cancellationReasons } from '#shared/rules/billing/cancellation.ts';
import { cents, date } from './fields.ts';

/** Null: it is about fewer than five people. */
const people = z.int().nullable();
/** How a tool does, for its maker. */
export const figures = z.object({
  /** Who has it now: with a subscription that is paid or in grace, which what is due shows as well, and on trial. */
  subscribers: z.int(),
  trials: people,
  /** Who ever began a trial, and who paid after one. */
  trialsBegun: people,
  trialsPaid: people,
  reasons: z.array(z.object({ reason: z.enum(cancellationReasons), people })),
  /** Of the last 90 days: who used it, and which share of their sessions its adviser checked, or reviewed as not checked. */
  users: people,
  reviewedPercent: people,
  notCheckedPercent: people,
});

/** What it earns. */
export const takings = z.object({
  /** What was agreed on last. */
  agreed: z.object({ priceCents: cents, sharePercent: z.int(), since: date }).nullable(),
  /** The price that the maker proposes, which waits for us. */
  proposedCents: cents.nullable(),
  /** By the day in Sydney on which money was paid or given back, the newest first. All include GST. */
  months: z.array(z.object({ month: z.string(), paidCents: cents, refundedCents: cents, dueCents: z.int() })),
});
export type Takings = z.output<typeof takings>;
