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

describe('Billing Summary', () => {
  it('subtotal minus partner discount minus bulk discount; savings rounded', () => {
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
      onlyIfKept: false,
      savingsPercent: 53,
      overdueCents: 0,
    });
  });

  it('counts what a month costs: trials, renewing and overdue ones, of this payer only', () => {
    const summary = billingSummary([
      sub(),
      sub({
        status: 'trial',
        trialEndDate: new Date('2026-12-05T00:00:00Z'),
        monthlyCents: 2500,
        baseCents: 2500,
      }),
      sub({
        status: 'grace_period',
        monthlyCents: 4000,
        baseCents: 4000,
        paymentProblem: { amountCents: 3800, tried: true },
      }),
      sub({ status: 'grace_period', monthlyCents: 9999, paymentProblem: { amountCents: 9999, tried: false } }),
      sub({ status: 'cancelled', monthlyCents: 9999, baseCents: 9999 }),
      sub({ status: 'expired', monthlyCents: 9999, baseCents: 9999 }),
      sub({ autoRenew: false, monthlyCents: 9999, baseCents: 9999 }),
      sub({ teamId: 'team', monthlyCents: 9999, baseCents: 9999 }),
      sub({ canManage: false, monthlyCents: 9999, baseCents: 9999 }),
    ]);
    expect(summary).toMatchObject({ subtotalCents: 9500, totalCents: 9500, savingsPercent: 0, overdueCents: 3800 });
  });

  it('of trials without a card is due only if they are kept', () => {
    const trial = sub({ status: 'trial', trialEndDate: new Date('2026-12-05T00:00:00Z'), cardOnFile: false });
    const free = sub({ endDate: null, baseCents: 0, monthlyCents: 0 });
    expect(billingSummary([trial, free])).toMatchObject({ totalCents: 3000, onlyIfKept: true });
    expect(billingSummary([trial, sub()])).toMatchObject({ totalCents: 6000, onlyIfKept: false });
    expect(billingSummary([{ ...trial, cardOnFile: true }])).toMatchObject({ onlyIfKept: false });
    expect(billingSummary([free])).toMatchObject({ totalCents: 0, onlyIfKept: false });
  });

  it('is nothing where nothing is billed', () => {
    expect(billingSummary([])).toBeNull();
    expect(billingSummary([sub({ status: 'expired' })])).toBeNull();
  });

  it('100% Free Access: everything is taken off', () => {
    const free = sub({ discounts: [{ kind: 'free', cents: 3000 }], monthlyCents: 0 });
    expect(billingSummary([free])).toMatchObject({ totalCents: 0, savingsPercent: 100 });
  });
});
