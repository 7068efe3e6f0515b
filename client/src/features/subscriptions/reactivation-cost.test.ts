import { describe, expect, it } from 'vitest';
import { reactivationCost } from './reactivation-cost.ts';

const now = new Date('2026-12-17T00:00:00Z');
const later = new Date('2026-12-21T00:00:00Z');
const cancelled = { status: 'cancelled', paidUntil: null, monthlyCents: 2800 } as const;

describe('what Reactivate charges', () => {
  it.each([
    ['cancelled at once, the month still paid for: nothing', { ...cancelled, paidUntil: later }, 2800, 0],
    ['the paid month is over: a new one at the price of today', { ...cancelled, paidUntil: now }, 3150, 3150],
    ['nothing was paid for: a new month', cancelled, 3150, 3150],
    ['the price of today is not known yet: the last one', cancelled, undefined, 2800],
    ['free by now: nothing', cancelled, 0, 0],
  ] as const)('%s', (_case, sub, quoted, cost) => expect(reactivationCost(sub, quoted, now)).toBe(cost));
});
