import * as z from 'zod';
import { askOutcomes } from '#shared/rules/record/record.ts';
import { defineApi } from './endpoint.ts';
import { cents, date, id, toolId } from './fields.ts';
import { whyText } from './record.ts';

const asked = z.object({
  id: z.string(),
  teamId: z.string(),
  toolId: z.string(),
  reason: z.string(),
  askedAt: date,
  /** Null while it waits for an answer. */
  outcome: z.enum(askOutcomes).nullable(),
  answer: z.string().nullable(),
  answeredAt: date.nullable(),
});

const ofTeam = asked.extend({
  userId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  toolName: z.string(),
});
const open = ofTeam.extend({
  /** Whether the practice allows the tool now; then it can only be bought or declined. */
  allowed: z.boolean(),
  /** The practice pays for it, but for others only. */
  forOthers: z.boolean(),
  /** Null where they have it. */
  cost: z
    .object({
      /** For how many members. */
      members: z.int(),
      toolCents: cents,
      /** How much dearer the month gets; its discounts count. */
      moreCents: z.int(),
      /** The next bill, and what its month then comes to; null where none is coming. */
      billDay: z.string().nullable(),
      billCents: cents.nullable(),
    })
    .nullable(),
  /** When its supplier answered; null: not yet. */
  disclosedAt: date.nullable(),
});
export type OpenAsk = z.output<typeof open>;
const asksOfTeam = z.object({ open: z.array(open), answered: z.array(ofTeam) });

export const asksApi = defineApi('member', {
  own: {
    route: 'GET /api/asks',
    summary: 'What the adviser asks their practice for, with the answers of the last 60 days',
    response: z.array(asked),
  },
  ask: {
    route: 'POST /api/teams/:teamId/asks',
    summary: 'Ask for a tool that the practice lacks or does not allow; its owner, admins and reviewers are told',
    status: 201,
    body: z.strictObject({ toolId, reason: whyText }),
    response: z.object({ id }),
  },
  ofTeam: {
    route: 'GET /api/teams/:teamId/asks',
    summary: 'What members ask for, with what it would cost, and the last answers',
    response: asksOfTeam,
  },
  answer: {
    route: 'POST /api/teams/:teamId/asks/:id/answer',
    summary: 'Allow the tool, or decline and say why; buying it answers by itself',
    body: z.strictObject({
      outcome: z.enum(['allowed', 'declined'], { error: 'Please allow or decline' }),
      answer: whyText.optional(),
    }),
    response: asksOfTeam,
  },
});
