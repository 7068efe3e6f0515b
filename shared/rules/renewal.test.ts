import { describe, expect, it } from 'vitest';
import { renewalBadge, renewalDate, renewsSoon, type RenewingSubscription } from './renewal.ts';

const now = new Date('2026-11-21T00:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 24 * 3600_000);
const active = (more: Partial<RenewingSubscription> = {}): RenewingSubscription => ({
  status: 'active',
  autoRenew: true,
  endDate: inDays(20),
  trialEndDate: null,
  createdAt: inDays(-10),
  monthlyCents: 3000,
  cardOnFile: true,
  ...more,
});

describe('Renewal: badge and alert', () => {
  it.each([
    [0, 'Renews tomorrow', 'warning'],
    [1, 'Renews tomorrow', 'warning'],
    [2, 'Renews in 2 days', 'warning'],
    [3, 'Renews in 3 days', 'warning'],
    [4, 'Renews in 4 days', 'info'],
    [7, 'Renews in 7 days', 'info'],
  ])('%i days ahead: %s', (days, label, tone) => {
    expect(renewalBadge(active({ endDate: inDays(days) }), now)).toEqual({ tone, label });
    expect(renewsSoon(active({ endDate: inDays(days) }), now)).toBe(true);
  });

  it.each([
    ['8 days ahead', { endDate: inDays(8) }],
    ['auto-renew off', { endDate: inDays(2), autoRenew: false }],
    ['a trial', { status: 'trial', trialEndDate: inDays(2) }],
    ['cancelled', { status: 'cancelled', endDate: inDays(2) }],
    ['in grace', { status: 'grace_period', endDate: inDays(2) }],
    ['expired', { status: 'expired', endDate: inDays(2) }],
  ] as [string, Partial<RenewingSubscription>][])('nothing: %s', (_name, more) => {
    expect(renewalBadge(active(more), now)).toBeNull();
    expect(renewsSoon(active(more), now)).toBe(false);
  });

  it('a missing end date is treated as one month after creation, and alerts nobody where nothing is charged', () => {
    const free = active({ endDate: null, createdAt: new Date('2026-10-23T00:00:00Z'), monthlyCents: 0 });
    expect(renewalDate(free, now)).toEqual(new Date('2026-11-23T00:00:00Z'));
    expect(renewalBadge(free, now)).toEqual({ tone: 'info', label: 'Renews in 2 days' });
    expect(renewsSoon(free, now)).toBe(false);
  });
});
