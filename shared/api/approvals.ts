import * as z from 'zod';
import { actKinds, actStates } from '#shared/rules/operators/acts.ts';
import { reason } from './acts.ts';
import { csrf } from './csrf.ts';
import { defineApi } from './endpoint.ts';
import { date, id, message } from './fields.ts';

const params = z.strictObject({ id });
const text = z.string().nullable();

const approval = z.object({
  id: z.string(),
  kind: z.enum(actKinds),
  state: z.enum(actStates),
  /** Who asks for what, for whom. */
  sentence: z.string(),
  reason: z.string(),
  subject: z.object({ type: z.enum(['user', 'team']), id: z.string() }),
  askedAt: date,
  /** Null where no second administrator was needed. */
  expiresAt: date.nullable(),
  /** What became of it, and what still may. */
  outcome: text,
  /** Whether the reader may approve it; if not, why. */
  mayApprove: z.boolean(),
  whyNot: text,
  mayUndo: z.boolean(),
  undoUntil: date.nullable(),
});
export type Approval = z.output<typeof approval>;

/** What needs a second administrator, and what can be undone. */
export const approvalsApi = defineApi({
  list: {
    method: 'GET',
    path: '/api/admin/approvals',
    access: 'admin',
    summary: 'What waits for a second administrator, what was decided of late, and what can be undone',
    response: z.object({
      /** Whether a second administrator is asked at all. */
      fourEyes: z.boolean(),
      /** What a sole administrator has to know. */
      note: text,
      approvals: z.array(approval),
    }),
  },
  approve: {
    method: 'POST',
    path: '/api/admin/approvals/:id/approve',
    access: 'admin',
    proof: 'always',
    summary: 'Approve what another administrator asked; it is done at once',
    params,
    body: z.strictObject(csrf),
    response: message,
  },
  refuse: {
    method: 'POST',
    path: '/api/admin/approvals/:id/refuse',
    access: 'admin',
    proof: 'always',
    summary: 'Refuse what another administrator asked, or take back what one asked oneself',
    params,
    body: z.strictObject({ reason, ...csrf }),
    response: message,
  },
  undo: {
    method: 'POST',
    path: '/api/admin/approvals/:id/undo',
    access: 'admin',
    proof: 'always',
    summary: 'Undo within 24 hours what was done; a refund or a password can’t be',
    params,
    body: z.strictObject({ reason, ...csrf }),
    response: message,
  },
});
