import { describe, expect, it } from 'vitest';
import { creditedLines } from './refund-lines.ts';

const line = (id: string, amount: number, ...off: number[]) => ({
  id,
  amount,
  discount_amounts: off.map((cents, index) => ({ amount: cents, discount: `di_${index}` })),
});
const note = (credited: Record<string, number>, hasMore = false) => ({
  lines: {
    data: Object.entries(credited).map(([id, amount]) => ({ invoice_line_item: id, amount })),
    has_more: hasMore,
  },
});
const chosen = (...args: Parameters<typeof creditedLines>) =>
  creditedLines(...args)?.map(({ invoice_line_item: id, amount }) => [id, amount]) ?? null;

describe('the lines that a refund credits', () => {
  it('begin with the largest, and leave credits out', () => {
    const lines = [line('joined', 1200), line('unused', -400), line('month', 6000), line('free', 3000, 3000)];
    expect(chosen(lines, [], 1000)).toEqual([['month', 1000]]);
    expect(chosen(lines, [], 6800)).toEqual([
      ['month', 6000],
      ['joined', 800],
    ]);
  });

  it('are credited no further than earlier notes left them', () => {
    const lines = [line('month', 3000), line('joined', 1200)];
    expect(chosen(lines, [note({ month: 2500 })], 1600)).toEqual([
      ['joined', 1200],
      ['month', 400],
    ]);
    expect(chosen(lines, [note({ month: 2500 })], 1701)).toBeNull();
  });

  it('are named before their discounts: a partner’s half of $15.00 is $15.00 of $30.00', () => {
    expect(chosen([line('month', 3000, 1500)], [], 750)).toEqual([['month', 1500]]);
    expect(chosen([line('month', 3000, 1500)], [note({ month: 1500 })], 750)).toEqual([['month', 1500]]);
  });

  it('can be every number of cents of a line with two discounts', () => {
    const month = line('month', 2999, 1500, 150);
    for (let cents = 1; cents <= 1349; cents += 1) {
      const [one] = creditedLines([month], [], cents) ?? [];
      const parts = [1500, 150].map((off) => Math.round((off * (one?.amount ?? 0)) / 2999));
      expect((one?.amount ?? 0) - parts[0]! - parts[1]!).toBe(cents);
    }
  });

  it('are not guessed where a note shows only some of its own lines', () => {
    expect(chosen([line('month', 3000)], [note({ month: 1000 }, true)], 500)).toBeNull();
  });
});
