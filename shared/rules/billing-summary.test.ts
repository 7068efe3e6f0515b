import { describe, expect, it } from 'vitest';
import { billingSummary, type BilledSubscription } from './billing-summary.ts';

const sub = (more: Partial<BilledSubscription> = {}): BilledSubscription => ({
  status: 'active',
  autoRenew: true,
  endDate: new Date('2026-12-10T03:00:00Z'),
  trialEndDate: null,
  createdAt: new Date('2026-11-10T03:00:00Z'),
  cardOnFile: true,
  canManage: true,
  teamId: null,
  baseCents: 3000,
  discounts: [],
  paymentProblem: null,
  monthlyCents: 3000,
  ...more,
});

describe('B §2 Billing Summary', () => {
  it('B §9: subtotal minus partner discount minus bulk discount; savings rounded', () => {
    const partner = (base: number, off: number, bulk: number) =>
      sub({
        baseCents: base,
        discounts: [
          { kind: 'partner', cents: off },
          { kind: 'bulk', cents: bulk },
        ],
        monthlyCents: base - off - bulk,
      });
    expect(billingSummary([partner(3000, 1500, 75), partner(2500, 1250, 63)])).toEqual({
      subtotalCents: 5500,
      discounts: [
        { kind: 'partner', cents: 2750 },
        { kind: 'bulk', cents: 138 },
      ],
      totalCents: 2612,
      savingsPercent: 53,
      overdueCents: 0,
      next: { at: new Date('2026-12-10T03:00:00Z'), cents: 2612 },
    });
  });

  it('counts what a month costs: trials, renewing and overdue ones, of this payer only', () => {
    const summary = billingSummary([
      sub(),
      sub({
        status: 'trial',
        trialEndDate: new Date('2026-12-05T00:00:00Z'),
        cardOnFile: false,
        monthlyCents: 2500,
        baseCents: 2500,
      }),
      sub({ status: 'grace_period', monthlyCents: 4000, baseCents: 4000, paymentProblem: { amountCents: 3800 } }),
      sub({ status: 'cancelled', monthlyCents: 9999, baseCents: 9999 }),
      sub({ status: 'expired', monthlyCents: 9999, baseCents: 9999 }),
      sub({ autoRenew: false, monthlyCents: 9999, baseCents: 9999 }),
      sub({ teamId: 'team', monthlyCents: 9999, baseCents: 9999 }),
      sub({ canManage: false, monthlyCents: 9999, baseCents: 9999 }),
    ]);
    expect(summary).toMatchObject({ subtotalCents: 9500, totalCents: 9500, savingsPercent: 0, overdueCents: 3800 });
    // The trial has no card, so nothing is taken for it; the overdue one is owed already.
    expect(summary?.next).toEqual({ at: new Date('2026-12-10T03:00:00Z'), cents: 3000 });
  });

  it('decisions §10: the next payment is the earliest real one, with all of that day in Sydney', () => {
    const at = (iso: string, cents: number) => sub({ endDate: new Date(iso), monthlyCents: cents });
    expect(
      billingSummary([
        at('2026-12-09T13:30:00Z', 200), // 10 December in Sydney already
        at('2026-12-10T05:00:00Z', 300),
        at('2026-12-10T13:30:00Z', 400), // 11 December
      ])?.next,
    ).toEqual({ at: new Date('2026-12-09T13:30:00Z'), cents: 500 });
  });

  it('is nothing where nothing is billed', () => {
    expect(billingSummary([])).toBeNull();
    expect(billingSummary([sub({ status: 'expired' })])).toBeNull();
  });

  it('100% Free Access: everything is taken off', () => {
    const free = sub({ discounts: [{ kind: 'free', cents: 3000 }], monthlyCents: 0 });
    expect(billingSummary([free])).toMatchObject({ totalCents: 0, savingsPercent: 100, next: null });
  });
});
