import { undoMs } from './admin.ts';
import { plus } from '../dates.ts';

/** What an administrator does for somebody that is written down first: Stripe carries it out, a second one approves it, or it can be undone. */
export const actKinds = [
  'cancel',
  'extend_trial',
  'retry_charge',
  'void_invoice',
  'refund',
  'free_access',
  'free_months',
  'make_admin',
  'change_email',
  'set_password',
] as const;
export type ActKind = (typeof actKinds)[number];

/** The kinds that can be undone: money that was sent back is gone, and nobody knows the former password. */
export const undoableKinds: readonly ActKind[] = ['free_access', 'free_months', 'make_admin', 'change_email'];

export const actStates = ['waiting', 'approved', 'refused', 'expired'] as const;
export type ActState = (typeof actStates)[number];

type Facts = { kind: ActKind; state: ActState; expiresAt: Date | null; doneAt: Date | null; undoneAt: Date | null };

/** The stored state, corrected by the clock. */
export const stateOf = ({ state, expiresAt }: Pick<Facts, 'state' | 'expiresAt'>, now: Date): ActState =>
  state === 'waiting' && expiresAt !== null && expiresAt <= now ? 'expired' : state;

/** Until when it can be undone; null where it can't. */
export const undoUntil = ({ kind, doneAt, undoneAt }: Facts): Date | null =>
  undoableKinds.includes(kind) && doneAt !== null && undoneAt === null ? plus(doneAt, undoMs) : null;

export const mayUndo = (facts: Facts, now: Date): boolean => {
  const until = undoUntil(facts);
  return until !== null && until > now;
};
