import { describe, expect, it } from 'vitest';
import { cancellationTerms, type CancellableSubscription } from './cancellation.ts';

const now = new Date('2026-11-21T00:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 24 * 3600_000);
const sub = (more: Partial<CancellableSubscription>): CancellableSubscription => ({
  status: 'active',
  endDate: inDays(12),
  trialEndDate: null,
  gracePeriodEnd: null,
  createdAt: inDays(-18),
  ...more,
});

describe('a cancellation', () => {
  it.each([
    ['at the end of the paid period', sub({}), false, inDays(12), inDays(19)],
    ['now: access ends today, 7 days to reactivate', sub({}), true, inDays(0), inDays(7)],
    [
      'a trial at its end',
      sub({ status: 'trial', trialEndDate: inDays(20), endDate: inDays(20) }),
      false,
      inDays(20),
      inDays(27),
    ],
    ['a trial now', sub({ status: 'trial', trialEndDate: inDays(20) }), true, inDays(0), inDays(7)],
    [
      'without a price, at the next monthly anniversary',
      sub({ endDate: null, createdAt: new Date('2026-10-25T00:00:00Z') }),
      false,
      inDays(4),
      inDays(11),
    ],
    ['in the slack after a late renewal, at once', sub({ endDate: inDays(-1) }), false, inDays(0), inDays(7)],
    [
      'in grace at once, with the same last day',
      sub({ status: 'grace_period', gracePeriodEnd: inDays(5) }),
      false,
      inDays(0),
      inDays(5),
    ],
    ['in grace now, the same', sub({ status: 'grace_period', gracePeriodEnd: inDays(5) }), true, inDays(0), inDays(5)],
  ] as const)('has its last days: %s', (_name, row, immediately, endDate, gracePeriodEnd) => {
    expect(cancellationTerms(row, immediately, now)).toMatchObject({ endDate, gracePeriodEnd });
  });
});
