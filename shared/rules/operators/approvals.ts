import { undoMs } from './admin.ts';
import { plus } from '../dates.ts';

/** What may need a second administrator. */
export const approvalKinds = ['free_access', 'make_admin', 'change_email', 'refund', 'free_months'] as const;
export type ApprovalKind = (typeof approvalKinds)[number];
export const approvalStates = ['waiting', 'approved', 'refused', 'expired'] as const;
export type ApprovalState = (typeof approvalStates)[number];

type Facts = {
  kind: ApprovalKind;
  state: ApprovalState;
  expiresAt: Date;
  executedAt: Date | null;
  undoneAt: Date | null;
};

/** The stored state, corrected by the clock. */
export const approvalState = ({ state, expiresAt }: Pick<Facts, 'state' | 'expiresAt'>, now: Date): ApprovalState =>
  state === 'waiting' && expiresAt <= now ? 'expired' : state;

/** Until when it can be undone; null where it can't: money that was sent back is gone. */
export function undoUntil({ kind, executedAt, undoneAt }: Facts): Date | null {
  return kind === 'refund' || executedAt === null || undoneAt !== null ? null : plus(executedAt, undoMs);
}

export const mayUndo = (facts: Facts, now: Date): boolean => {
  const until = undoUntil(facts);
  return until !== null && until > now;
};
