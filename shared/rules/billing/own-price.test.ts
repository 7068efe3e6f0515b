import { describe, expect, it } from 'vitest';
import { type OwnPrice, type PriceDecision, unitCentsAt } from './own-price.ts';

const now = new Date('2026-11-22T00:00:00Z');
const on = (date: string) => new Date(`${date}T00:00:00Z`);
const change = (number: number, beforeCents: number, unitCents: number, from = '2026-12-24'): PriceDecision => ({
  kind: 'change',
  number,
  beforeCents,
  unitCents,
  startsAt: on(from),
  decidedAt: now,
});
const withdrawal = (number: number, withdraws: number, withdrawnCents: number, unitCents: number): PriceDecision => ({
  kind: 'withdrawal',
  number,
  withdraws,
  withdrawnCents,
  unitCents,
  decidedAt: now,
});
const months = ['2026-12-10', '2027-01-10', '2027-02-10', '2027-03-10'].map(on);

describe('the bills of December to March', () => {
  const raised = change(1, 3000, 3500);
  it.each<[string, Partial<OwnPrice>, PriceDecision[], number[]]>([
    ['nothing decided', { unitCents: 3000 }, [], [3000, 3000, 3000, 3000]],
    ['a rise', { unitCents: 3000 }, [raised], [3000, 3500, 3500, 3500]],
    ['a rise later', { unitCents: 3000 }, [change(1, 3000, 3500, '2027-02-01')], [3000, 3000, 3500, 3500]],
    [
      'a rise told late has its thirty days',
      { unitCents: 3000, risesFrom: on('2026-12-22') },
      [change(1, 3000, 3500, '2026-11-25')],
      [3000, 3500, 3500, 3500],
    ],
    ['a fall, on the next bill', { unitCents: 3000 }, [change(1, 3000, 2500, '2026-11-23')], [2500, 2500, 2500, 2500]],
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
    ['bought at the new price', { unitCents: 3500 }, [raised], [3500, 3500, 3500, 3500]],
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
      'a rise taken back that was less than they pay: what was told stands',
      { unitCents: 5000 },
      [raised, withdrawal(2, 1, 3500, 3000)],
      [5000, 3500, 3500, 3500],
    ],
    [
      'bought at the price that is taken back',
      { unitCents: 3500, number: 1 },
      [withdrawal(2, 1, 3500, 3000)],
      [3000, 3000, 3000, 3000],
    ],
    ['a first rise that stays, and an own price below', { unitCents: 2000 }, [raised], [2000, 3500, 3500, 3500]],
  ])('ask for the price that was decided and told: %s', (_name, own, decisions, cents) => {
    const price = { unitCents: 3000, number: 0, ...own };
    expect(months.map((at) => unitCentsAt(price, decisions, at))).toEqual(cents);
  });
});

it('a rise that has begun stays when another follows, and a late telling holds up a rise only', () => {
  const decisions = [change(1, 3000, 3500, '2026-11-10'), change(2, 3500, 4000)];
  const own = { unitCents: 3000, number: 0 };
  const dates = ['2026-10-10', '2026-11-10', '2026-12-10', '2027-01-10'].map(on);
  expect(dates.map((at) => unitCentsAt(own, decisions, at))).toEqual([3000, 3500, 3500, 4000]);
  const late = { ...own, risesFrom: on('2027-01-15') };
  expect(months.map((at) => unitCentsAt(late, [change(1, 3000, 3500)], at))).toEqual([3000, 3000, 3500, 3500]);
  expect(months.map((at) => unitCentsAt(late, [change(1, 3000, 2500)], at))).toEqual([3000, 2500, 2500, 2500]);
});
