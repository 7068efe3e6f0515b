import { describe, expect, it } from 'vitest';
import { type BillPayer, type BillRow, billOf } from './bill.ts';
import { closingOf, firstBillOf, priceChanges } from './forecast.ts';
import { firstWholeMonth, purchaseOf } from './purchase.ts';
import { cancelled, coming, due, input, now, on, part, row, trial } from './bill-samples.ts';
import { plusMonths } from '../dates.ts';
import { offerEnd } from './pricing.ts';

describe('the forecast', () => {
  it.each<[string, BillRow[], object | null]>([
    ['nothing changes', [row('A')], null],
    [
      'a trial joins, with the days before it',
      [row('A'), trial('B', on('2027-02-20'))],
      { day: '2027-02-26', monthCents: 5700, totalCents: 6252, parts: [expect.objectContaining({ cents: 552 })] },
    ],
    [
      'a tool ends after the bill',
      [row('A'), cancelled('B', on('2027-02-10'))],
      { day: '2027-02-26', monthCents: 3000 },
    ],
    [
      'a tool that is paid beyond the bill',
      [row('A'), row('B', { endDate: on('2027-02-26') })],
      { day: '2027-02-26', monthCents: 5700 },
    ],
  ])('names the first later bill whose month costs another amount, where there is one: %s', (_name, rows, later) => {
    expect(coming(rows).later).toEqual(later && expect.objectContaining(later));
  });

  it('counts months from the billing day, also after a short one', () => {
    const at = on('2027-01-31');
    const rows = [row('A', { endDate: at }), trial('B', on('2027-03-30'))];
    const { bill, later } = coming(rows, { nextBillAt: at, billingDay: 31 });
    expect(bill?.until).toEqual(on('2027-02-28'));
    expect(later).toMatchObject({ day: '2027-03-31' });
  });
});

describe('a billing instant that has nothing to charge', () => {
  it('lets a trial that ends later begin another bill, on its own day', () => {
    const { bill, later } = coming([cancelled('A', due), trial('B', on('2027-02-05'))]);
    expect(bill).toMatchObject({ day: '2027-02-05', until: on('2027-03-05'), totalCents: 3000, parts: [] });
    expect(later).toBeNull();
  });

  it('lets it do so after a closing bill, too', () => {
    const rows = [cancelled('A', due), trial('B', on('2027-02-05'))];
    const { bill, later } = coming(rows, {}, [part('1', 4760)]);
    expect(bill).toMatchObject({ at: due, lines: [], totalCents: 4760 });
    expect(later).toMatchObject({ at: on('2027-02-05'), day: '2027-02-05', monthCents: 3000 });
  });

  it('leaves what is paid beyond it to the bill after, on that day of the month', () => {
    const { bill } = coming([cancelled('A', due), row('B', { endDate: on('2027-02-26') })]);
    expect(bill).toMatchObject({ at: on('2027-02-26'), until: on('2027-03-26'), totalCents: 3000 });
  });
});

describe('the first bill that has a trial a whole month', () => {
  const own = trial('B', on('2027-02-05'));
  it.each<[string, BillRow[], Partial<BillPayer>, string]>([
    ['joins the bill that there is', [row('A')], {}, '2027-02-26'],
    ['begins one', [], { nextBillAt: null, billingDay: null }, '2027-02-05'],
    ['begins one, since the bill that there is ends before', [cancelled('A', due)], {}, '2027-02-05'],
    [
      'joins one that another trial has begun',
      [trial('A', on('2027-01-20'))],
      { nextBillAt: null, billingDay: null },
      '2027-02-20',
    ],
  ])('is where it %s', (_what, others, facts, day) => {
    const at = on(day);
    expect(firstBillOf(own, input([...others, own], facts))).toEqual({ at, billingDay: at.getUTCDate() });
  });
});

describe('a payer who ends everything at once', () => {
  it.each<[string, Parameters<typeof input>, number, number]>([
    ['settles nothing where nothing waits', [[row('A')]], 0, 0],
    ['charges what waits', [[row('A')], {}, [part('1', 4760)]], 4760, 0],
    ['refunds a credit', [[row('A')], {}, [part('1', -740)]], 0, 740],
    ['writes off what is too little to charge', [[row('A')], {}, [part('1', 49)]], 0, 0],
    ['uses the balance first', [[row('A')], { creditCents: 1000 }, [part('1', 4760)]], 3760, 0],
    ['leaves out a trial that is to come', [[row('A'), trial('B', on('2027-01-20'))]], 0, 0],
    ['charges the days of a trial that is over', [[row('A'), trial('B', on('2027-01-08'))]], 1655, 0],
  ])('settles what waits, as said: it %s', (_name, payer, totalCents, refundCents) => {
    expect(closingOf(input(...payer))).toEqual({ totalCents, refundCents });
  });
});

describe('a tool that ends by itself', () => {
  const other = row('B');
  it.each<[string, BillRow, Partial<BillPayer>, object | null]>([
    [
      'cancelled',
      cancelled('A', on('2027-01-20')),
      {},
      { reason: 'cancelled', at: on('2027-01-20'), monthlyCents: 2850 },
    ],
    [
      'its renewal is off',
      row('A', { autoRenew: false }),
      {},
      { reason: 'auto_renew_off', at: due, monthlyCents: 2850 },
    ],
    [
      'a trial whose renewal is off',
      trial('A', on('2027-01-20'), { autoRenew: false }),
      {},
      { reason: 'auto_renew_off', at: on('2027-01-20'), monthlyCents: 2850 },
    ],
    [
      'a trial without a card',
      trial('A', on('2027-01-20')),
      { cardOnFile: false },
      { reason: 'trial_without_card', at: on('2027-01-20'), monthlyCents: 2850 },
    ],
    ['a trial with a card goes on', trial('A', on('2027-01-20')), {}, null],
    ['a trial under free access goes on', trial('A', on('2027-01-20')), { cardOnFile: false, freeAccess: true }, null],
    ['what has ended', cancelled('A', now), {}, null],
    ['what goes on', row('A'), {}, null],
  ])('is named with its reason, and one that goes on is not: %s', (_name, one, facts, expected) => {
    const { endings } = coming([one, other], facts);
    const [ending] = endings.filter(({ toolName }) => toolName === 'A');
    if (expected) expect(ending).toMatchObject(expected);
    else expect(ending).toBeUndefined();
  });

  it('is named with what it would cost if it were kept beside the others, earliest first', () => {
    const trials = [trial('A', on('2027-01-22')), trial('B', on('2027-01-20')), trial('C', on('2027-01-21'))];
    const { endings } = coming(trials, { cardOnFile: false, nextBillAt: null, billingDay: null });
    expect(endings.map(({ toolName, monthlyCents }) => [toolName, monthlyCents])).toEqual([
      ['B', 2700],
      ['C', 2700],
      ['A', 2700],
    ]);
  });
});

describe('a decision about one tool', () => {
  const [b, c] = [row('B'), row('C', { price: { unitCents: 5000, number: 0 } })];
  const without = (endDate: Date) => [cancelled('A', endDate), b, c];
  const to5 = (at: Date) => [
    { toolName: 'B', at, fromCents: 2700, toCents: 2850, volume: { from: 10, to: 5 } },
    { toolName: 'C', at, fromCents: 4500, toCents: 4750, volume: { from: 10, to: 5 } },
  ];
  it.each<[string, BillRow, BillRow[], Date]>([
    ['cancelled with the paid period', row('A'), without(due), due],
    ['cancelled now', row('A'), without(now), due],
    ['paid beyond the bill', row('A', { endDate: on('2027-02-26') }), without(on('2027-02-26')), on('2027-02-26')],
    [
      'a trial of 45 days that outlasts two bills',
      trial('A', on('2027-02-27')),
      without(on('2027-02-27')),
      on('2027-03-26'),
    ],
  ])('names the other prices that it changes: %s', (_name, one, rows, at) => {
    expect(priceChanges(input([one, b, c]), input(rows))).toEqual(to5(at));
  });

  it('names the lines at the new number of seats, with the team discount, where a member joins', () => {
    const team = (members: number) => input([b, c], { kind: 'team', members });
    expect(priceChanges(team(4), team(5))).toEqual([
      { toolName: 'B', at: due, fromCents: 11_400, toCents: 12_750, volume: null },
      { toolName: 'C', at: due, fromCents: 19_000, toCents: 21_250, volume: null },
    ]);
  });

  it('names nothing where nothing is billed, or nothing else goes on', () => {
    expect(priceChanges(input([]), input([]))).toEqual([]);
    expect(priceChanges(input([row('A')]), input([cancelled('A', due)]))).toEqual([]);
  });

  it('counts all trials of that day before the first bill', () => {
    const none = { nextBillAt: null, billingDay: null, cardOnFile: false };
    const trials = (more: Partial<BillRow>) => [
      trial('A', on('2027-01-20'), more),
      trial('B', new Date('2027-01-20T05:00:00Z')),
    ];
    const decided = trials({ status: 'cancelled', endDate: now });
    expect(priceChanges(input(trials({}), none), input(decided, none))).toEqual([
      { toolName: 'B', at: on('2027-01-20'), fromCents: 2850, toCents: 3000, volume: { from: 5, to: 0 } },
    ]);
  });
});

describe('a purchase', () => {
  const bought = row('X', { status: 'incomplete', endDate: null });
  const buy = (rows: BillRow[], facts: Partial<BillPayer> = {}, at = now) =>
    purchaseOf(bought, input([...rows, bought], facts, [], { now: at }));

  it('is a month where it is the first, and its moment is the billing instant', () => {
    const purchase = buy([], { nextBillAt: null, billingDay: null });
    expect(purchase).toMatchObject({
      part: null,
      until: on('2027-02-08'),
      bill: { at: now, lines: [{ cents: 3000, from: '2027-01-08', to: '2027-02-07' }], totalCents: 3000 },
    });
    expect(firstWholeMonth(purchase, now)).toEqual(now);
  });

  it('is charged for its days where it is another tool, at the price it has beside the others', () => {
    const { bill, part: days, until } = buy([row('A'), cancelled('B', on('2027-01-20'))]);
    // 18 of 31 days of $27.00: the cancelled one still counts today.
    expect(days).toMatchObject({ from: '2027-01-08', to: '2027-01-25', days: 18, cents: 1568, cause: 'purchase' });
    expect(until).toEqual(due);
    expect(bill).toMatchObject({ lines: [], totalCents: 1568, gstCents: 143 });
    // While the subscription lives, also where all others are cancelled.
    expect(buy([cancelled('A', due)]).part).toMatchObject({ days: 18, cents: 1655 });
  });

  it.each<[string, string, string, string, number]>([
    ['the day after the bill', '2026-12-27T01:00:00Z', '2026-12-27', '2027-01-25', 30],
    ['today', '2027-01-08T01:00:00Z', '2027-01-08', '2027-01-25', 18],
    ['late in the evening', '2027-01-08T12:59:00Z', '2027-01-08', '2027-01-25', 18],
    ['after midnight in Sydney', '2027-01-08T13:00:00Z', '2027-01-09', '2027-01-25', 17],
    ['the day before the bill', '2027-01-25T01:00:00Z', '2027-01-25', '2027-01-25', 1],
    [
      'the billing day, before the instant: the month that the bill begins',
      '2027-01-26T00:00:00Z',
      '2027-01-26',
      '2027-02-25',
      31,
    ],
  ])('is charged for the days until the bill: on %s', (_name, at, from, to, days) => {
    const purchase = buy([row('A')], {}, new Date(at));
    expect(purchase.part).toMatchObject({ from, to, days });
    expect(purchase.until).toEqual(to === '2027-02-25' ? on('2027-02-26') : due);
    expect(purchase.part!.cents).toBe(Math.round((2850 * days) / 31));
  });

  it('is carried to the next bill below 50 cents, and nothing is due', () => {
    const cheap = row('X', { status: 'incomplete', endDate: null, price: { unitCents: 600, number: 0 } });
    const { bill } = purchaseOf(cheap, input([row('A')], {}, [], { now: on('2027-01-25') }));
    expect(bill).toMatchObject({ parts: [{ cents: 18 }], totalCents: 0, carriedCents: 18 });
  });

  it('has the price of an offer for its part, and counts the offer from the first whole month', () => {
    const offer = { percent: 40, months: 2, endsAt: null };
    const purchase = purchaseOf({ ...bought, offer }, input([row('A')]));
    expect(purchase.part).toMatchObject({ cents: Math.round((1800 * 18) / 31) });
    const first = firstWholeMonth(purchase, now);
    expect(first).toEqual(due);
    const active = row('X', { offer: { ...offer, endsAt: offerEnd(first, offer).toISOString() } });
    const bills = [0, 1, 2].map((months) => billOf(input([active]), plusMonths(due, months)).lines[0]?.cents);
    expect(bills).toEqual([1800, 1800, 3000]);
  });

  it('takes from credit what it can', () => {
    expect(buy([row('A')], { creditCents: 1000 }).bill).toMatchObject({ creditCents: 1000, totalCents: 655 });
    expect(buy([row('A')], { creditCents: 5000 }).bill).toMatchObject({ creditCents: 1655, totalCents: 0 });
  });

  it('is on the coming bill: the page says "From 26 January your bill is …"', () => {
    const { until } = buy([row('A')]);
    expect(coming([row('A'), row('X', { endDate: until })]).bill).toMatchObject({
      day: '2027-01-26',
      totalCents: 5700,
    });
  });
});
