import { describe, expect, it } from 'vitest';
import { coming, due, on, row, trial } from './bill-samples.ts';
import { billingSummary } from './billing-summary.ts';

const none = { nextBillAt: null, billingDay: null, cardOnFile: false };

describe('Billing Summary', () => {
  it('takes partner discount, then bulk discount off the subtotal, and rounds the savings', () => {
    const rows = [row('A'), row('B', { price: { unitCents: 2500, number: 0 } })];
    expect(billingSummary(coming(rows, { membershipType: 'shaw_partners' }))).toEqual({
      subtotalCents: 5500,
      discounts: [
        { kind: 'partner', cents: 2750 },
        { kind: 'bulk', cents: 75 + 63 },
      ],
      monthCents: 2612,
      savingsPercent: 53,
      onlyIfKept: false,
    });
  });

  it.each([
    ['what is paid is counted as the bill has it', [row('A'), row('B')], {}, 5700],
    ['a trial with a card, that ends before the bill', [trial('A', on('2027-01-20'))], {}, 3000],
    ['not what ends', [row('A'), row('B', { autoRenew: false })], {}, 3000],
    [
      'what is in grace, as if it is paid',
      [row('A', { status: 'grace_period', endDate: on('2026-12-26'), gracePeriodEnd: on('2027-01-10') })],
      {},
      3000,
    ],
    ['free access: everything is taken off', [row('A')], { freeAccess: true }, 0],
  ] as const)('counts what the next bill charges: %s', (_name, rows, facts, monthCents) => {
    expect(billingSummary(coming([...rows], facts))).toMatchObject({ monthCents, onlyIfKept: false });
  });

  it('says of trials without a card that they are due only if they are kept', () => {
    const trials = [trial('A', on('2027-01-20')), trial('B', on('2027-01-21'))];
    expect(billingSummary(coming(trials, none))).toEqual({
      subtotalCents: 5700,
      discounts: [],
      monthCents: 5700,
      savingsPercent: 0,
      onlyIfKept: true,
    });
  });

  it('is nothing where no month is billed', () => {
    expect(billingSummary(coming([], none))).toBeNull();
    const closing = { bill: { lines: [] }, endings: [] };
    expect(billingSummary(closing)).toBeNull();
    expect(coming([row('A')]).bill?.at).toEqual(due);
  });
});
