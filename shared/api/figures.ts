import * as z from 'zod';
import { cancellationReasons } from '#shared/rules/billing/cancellation.ts';

/** Null: it is about fewer than five people. */
const people = z.int().nullable();
/** How a tool does, for its maker. */
export const figures = z.object({
  /** Who has it now: with a subscription that is paid or in grace, and on trial. */
  subscribers: people,
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
