import * as z from 'zod';
import { actKinds, actStates } from '#shared/rules/operators/acts.ts';
import { reason } from './acts.ts';
import { defineAdminApi } from '../endpoint.ts';
import { date } from '../fields.ts';

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
export const approvalsApi = defineAdminApi({
  list: {
    route: 'GET /api/admin/approvals',
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
    route: 'POST /api/admin/approvals/:id/approve',
    summary: 'Approve what another administrator asked; it is done at once',
  },
  refuse: {
    route: 'POST /api/admin/approvals/:id/refuse',
    summary: 'Refuse what another administrator asked, or take back what one asked oneself',
    body: z.strictObject({ reason }),
  },
  undo: {
    route: 'POST /api/admin/approvals/:id/undo',
    summary: 'Undo within 24 hours what was done; a refund or a password can’t be',
    body: z.strictObject({ reason }),
  },
});
