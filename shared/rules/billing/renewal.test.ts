import { describe, expect, it } from 'vitest';
import { isBillSoon, renewalBadge, type RenewingSubscription } from './renewal.ts';

const now = new Date('2026-11-21T00:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 24 * 3600_000);
const active = (more: Partial<RenewingSubscription> = {}): RenewingSubscription => ({
  status: 'active',
  autoRenew: true,
  endDate: inDays(20),
  monthlyCents: 3000,
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
  ])('shows, %i days ahead: %s', (days, label, tone) => {
    expect(renewalBadge(active({ endDate: inDays(days) }), now)).toEqual({ tone, label });
    expect(isBillSoon(inDays(days), now)).toBe(true);
  });

  it.each([
    ['8 days ahead', { endDate: inDays(8) }],
    ['auto-renew off', { endDate: inDays(2), autoRenew: false }],
    ['a trial', { status: 'trial', endDate: null }],
    ['cancelled', { status: 'cancelled', endDate: inDays(2) }],
    ['in grace', { status: 'grace_period', endDate: inDays(2) }],
    ['expired', { status: 'expired', endDate: inDays(2) }],
    ['free, without an end', { endDate: null, monthlyCents: 0 }],
    ['a free month', { endDate: inDays(2), monthlyCents: 0 }],
  ] as [string, Partial<RenewingSubscription>][])('shows no badge: %s', (_name, more) => {
    expect(renewalBadge(active(more), now)).toBeNull();
  });

  it('counts days by the calendar in Sydney', () => {
    const evening = new Date('2026-11-21T12:30:00Z'); // 23:30 in Sydney
    expect(renewalBadge(active({ endDate: new Date('2026-11-22T13:30:00Z') }), evening)?.label).toBe(
      'Renews in 2 days',
    );
    expect(isBillSoon(new Date('2026-11-28T13:30:00Z'), evening)).toBe(false);
  });
});
