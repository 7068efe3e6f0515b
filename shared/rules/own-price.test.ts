import { describe, expect, it } from 'vitest';
import { type OwnPrice, ownPriceAfter, type PriceDecision, unitCentsAt } from './own-price.ts';

const now = new Date('2026-11-22T00:00:00Z');
const on = (date: string) => new Date(`${date}T00:00:00Z`);
/** Invoices are written on the 10th. */
const invoiceFrom = (from: Date) => {
  const at = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), 10));
  return at >= from ? at : new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 10));
};
const change = (number: number, beforeCents: number, unitCents: number, from = '2026-12-24'): PriceDecision => ({
  kind: 'change',
  number,
  beforeCents,
  unitCents,
  from: on(from),
});
const withdrawal = (number: number, withdraws: number, withdrawnCents: number, unitCents: number): PriceDecision => ({
  kind: 'withdrawal',
  number,
  withdraws,
  withdrawnCents,
  unitCents,
});
const after = (own: OwnPrice, ...decisions: PriceDecision[]) =>
  decisions.reduce((price, decision) => ownPriceAfter(price, decision, now, invoiceFrom), own);
const months = ['2026-12-10', '2027-01-10', '2027-02-10', '2027-03-10'].map(on);

describe('what the invoices of December to March ask for', () => {
  const raised = change(1, 3000, 3500);
  it.each<[string, OwnPrice, PriceDecision[], number[]]>([
    ['nothing decided', { unitCents: 3000 }, [], [3000, 3000, 3000, 3000]],
    ['a rise', { unitCents: 3000 }, [raised], [3000, 3500, 3500, 3500]],
    ['a rise later', { unitCents: 3000 }, [change(1, 3000, 3500, '2027-02-01')], [3000, 3000, 3500, 3500]],
    [
      'a rise told late has its thirty days',
      { unitCents: 3000 },
      [change(1, 3000, 3500, '2026-11-25')],
      [3000, 3500, 3500, 3500],
    ],
    [
      'a fall, at the next renewal',
      { unitCents: 3000 },
      [change(1, 3000, 2500, '2026-11-23')],
      [2500, 2500, 2500, 2500],
    ],
    [
      'a fall makes nobody dearer',
      { unitCents: 2000 },
      [change(1, 3000, 2500, '2026-11-23')],
      [2000, 2000, 2000, 2000],
    ],
    [
      'a rise makes who pays more cheaper at once',
      { unitCents: 4000 },
      [change(1, 3000, 3500, '2026-11-23')],
      [3500, 3500, 3500, 3500],
    ],
    ['bought at the new price', { unitCents: 3500, priced: 0 }, [raised], [3500, 3500, 3500, 3500]],
    ['two rises', { unitCents: 3000 }, [raised, change(2, 3500, 4000, '2027-02-01')], [3000, 3500, 4000, 4000]],
    [
      'a rise, then less of a rise',
      { unitCents: 3000 },
      [raised, change(2, 3500, 3200, '2026-11-23')],
      [3000, 3200, 3200, 3200],
    ],
    [
      'a rise, then a fall below',
      { unitCents: 3000 },
      [raised, change(2, 3500, 2500, '2026-11-23')],
      [2500, 2500, 2500, 2500],
    ],
    [
      'a fall that waits, then a rise',
      { unitCents: 3500 },
      [change(1, 3500, 2500, '2027-02-01'), change(2, 2500, 3000, '2026-12-24')],
      [3500, 3000, 2500, 2500],
    ],
    ['a rise taken back', { unitCents: 3000 }, [raised, withdrawal(2, 1, 3500, 3000)], [3000, 3000, 3000, 3000]],
    [
      'a second rise taken back',
      { unitCents: 3000 },
      [raised, change(2, 3500, 4000, '2027-02-01'), withdrawal(3, 2, 4000, 3500)],
      [3000, 3500, 3500, 3500],
    ],
    [
      'bought at the price that is taken back',
      { unitCents: 3500, priced: 1 },
      [withdrawal(2, 1, 3500, 3000)],
      [3000, 3000, 3000, 3000],
    ],
    ['a first rise that stays, and an own price below', { unitCents: 2000 }, [raised], [2000, 3500, 3500, 3500]],
  ])('%s', (_name, own, decisions, cents) => {
    expect(months.map((at) => unitCentsAt(after(own, ...decisions), at))).toEqual(cents);
  });
});

it('what has begun is not taken back, and stays known when a step follows', () => {
  const begun: OwnPrice = {
    unitCents: 3500,
    priced: 1,
    steps: [{ number: 1, unitCents: 3500, beforeCents: 3000, from: '2026-11-10T00:00:00.000Z' }],
  };
  const raised = after(begun, change(2, 3500, 4000));
  expect(['2026-10-10', '2026-11-10', '2026-12-10', '2027-01-10'].map((date) => unitCentsAt(raised, on(date)))).toEqual(
    [3000, 3500, 3500, 4000],
  );
  expect(raised.priced).toBe(2);
});

it('the date that is told is that of an invoice', () => {
  const { steps } = after({ unitCents: 3000 }, change(1, 3000, 3500));
  expect(steps).toEqual([{ number: 1, unitCents: 3500, beforeCents: 3000, from: '2027-01-10T00:00:00.000Z' }]);
});
