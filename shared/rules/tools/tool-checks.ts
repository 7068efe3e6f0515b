/** What became of one check: `unknown` could not be judged. */
export const findingResults = ['ok', 'wrong', 'unknown'] as const;
export type ToolFinding = { id: string; check: string; result: (typeof findingResults)[number]; advice: string };

export type ToolReport = {
  event_id: string | null;
  session_id: string | null;
  accepted: boolean;
  duplicate: boolean;
  /** Whether the answer let the session go on. */
  access?: boolean | null;
  reason?: string;
  field?: string;
  message?: string;
  /** What distinguishes the work of two reports. */
  figures: string;
  duration_seconds: number;
};

/** One call of a tool's server as Adviserly heard and answered it: tokens as hashes, no secrets. */
export type ToolCall = {
  /** Milliseconds since 1970, real time. */
  at: number;
  call: 'introspect' | 'usage' | 'erasure';
  status: number;
  message?: string;
  tokenHash?: string;
  active?: boolean;
  session_id?: string;
  reports?: ToolReport[];
};

export const checkStates = ['waiting', 'running', 'finished', 'stopped'] as const;
export type CheckState = (typeof checkStates)[number];

/** An examination gives a sign of life every few seconds; after this long without one it is over. */
const silentMs = 30_000;
/** How long it may wait for its turn. */
export const longestWaitMs = 10 * 60_000;

/** How far an examination is: `stopped` is one that broke off, for instance because the server restarted. */
export function checkStateOf(
  check: { startedAt: Date | null; aliveAt: Date; finishedAt: Date | null; fault: string | null },
  now: Date,
): CheckState {
  if (check.finishedAt) return check.fault === null ? 'finished' : 'stopped';
  const silent = now.getTime() - check.aliveAt.getTime();
  if (check.startedAt === null) return silent > longestWaitMs ? 'stopped' : 'waiting';
  return silent > silentMs ? 'stopped' : 'running';
}
