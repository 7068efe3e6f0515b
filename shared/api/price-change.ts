import * as z from 'zod';
import { cents, date } from './fields.ts';

/** What one of the payer's other tools will cost a month, from that invoice on. */
export const priceChange = z.object({
  toolName: z.string(),
  at: date,
  fromCents: cents,
  toCents: cents,
  /** The volume discount before and after, where that alone changes; a server of the release before does not say. */
  volume: z.object({ from: z.number(), to: z.number() }).nullable().default(null),
});

/** What a bill has beside the months of its tools; a server of the release before does not say. */
export const restRows = z.array(z.object({ label: z.string(), cents })).default([]);
