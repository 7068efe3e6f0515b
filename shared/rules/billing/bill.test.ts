import { describe, expect, it } from 'vitest';
import { type BillPayer, billOf, type BillRow } from './bill.ts';
import type { Adjustment } from './bill-types.ts';
import { forecastOf } from './forecast.ts';
import { cancelled, coming, due, input, now, on, part, row, trial } from './bill-samples.ts';
import { plusMonths } from '../dates.ts';
import { lostMoneyTool } from '../tools/tools.ts';

/** Each line as tool, amount and the percentages that were taken off. */
const linesOf = (bill: ReturnType<typeof billOf> | null) =>
  bill?.lines.map(({ toolName, cents, discounts }) => [toolName, cents, ...discounts.map(({ percent }) => percent)]);

describe('the coming bill', () => {
  const other = row('B', { price: { unitCents: 5000, number: 0 } });
  it.each<[string, BillRow, (string | number)[][]]>([
    [
      'two that go on',
      row('A'),
      [
        ['A', 2850, 5],
        ['B', 4750, 5],
      ],
    ],
    [
      'a trial that a card keeps, from before the bill',
      trial('A', on('2027-01-20')),
      [
        ['A', 2850, 5],
        ['B', 4750, 5],
      ],
    ],
    ['a trial that ends after the bill counts, and is no line', trial('A', on('2027-01-27')), [['B', 4750, 5]]],
    ['one whose renewal is off', row('A', { autoRenew: false }), [['B', 5000]]],
    ['a trial whose renewal is off', trial('A', on('2027-01-20'), { autoRenew: false }), [['B', 5000]]],
    ['one cancelled for the day', cancelled('A', due), [['B', 5000]]],
    ['one cancelled for later that day', cancelled('A', new Date('2027-01-26T05:00:00Z')), [['B', 5000]]],
    ['one cancelled that ends after the bill counts', cancelled('A', on('2027-01-28')), [['B', 4750, 5]]],
    ['one cancelled now', cancelled('A', now), [['B', 5000]]],
    ['one that has expired', row('A', { status: 'expired', endDate: on('2026-12-26') }), [['B', 5000]]],
    ['bought on the billing day, paid beyond the bill', row('A', { endDate: on('2027-02-26') }), [['B', 4750, 5]]],
    ['a purchase under way', row('A', { status: 'incomplete', endDate: null }), [['B', 5000]]],
    ['Lost Money AI, which is free', row('A', { toolId: lostMoneyTool, endDate: null }), [['B', 5000]]],
    [
      'in grace: shown as if it is paid',
      row('A', { status: 'grace_period', endDate: on('2026-12-26'), gracePeriodEnd: on('2027-01-10') }),
      [
        ['A', 2850, 5],
        ['B', 4750, 5],
      ],
    ],
  ])('has the lines of the tools that go on, at the volume discount they have together: %s', (_name, one, lines) => {
    expect(linesOf(coming([one, other]).bill)).toEqual(lines);
  });

  it('has no line for a trial without a card, which counts for the discount until it ends', () => {
    const without = { cardOnFile: false };
    expect(linesOf(coming([trial('A', on('2027-01-27')), other], without).bill)).toEqual([['B', 4750, 5]]);
    expect(linesOf(coming([trial('A', on('2027-01-25')), other], without).bill)).toEqual([['B', 5000]]);
  });

  it('has everything in grace as if it is paid', () => {
    const grace = { status: 'grace_period', endDate: on('2026-12-26'), gracePeriodEnd: on('2027-01-10') } as const;
    const { bill, endings } = coming([row('A', grace), row('B', grace), row('C', grace)]);
    expect(linesOf(bill)).toEqual([
      ['A', 2700, 10],
      ['B', 2700, 10],
      ['C', 2700, 10],
    ]);
    expect(endings).toEqual([]);
  });

  it('has lines whose base, seats, reasons, GST and days add up', () => {
    const team: Partial<BillPayer> = { kind: 'team', members: 7, membershipType: 'shaw_partners' };
    const { bill } = coming([row('A'), row('B')], team);
    expect(bill?.lines[0]).toEqual({
      subscriptionId: 'A',
      toolId: 'A',
      toolName: 'A',
      quantity: 7,
      unitCents: 3000,
      baseCents: 21_000,
      discounts: [
        { kind: 'partner', label: 'Partner discount (50%)', percent: 50, cents: 10_500, endsAt: null },
        { kind: 'team', label: 'Team discount (15%)', percent: 15, cents: 1575, endsAt: null },
      ],
      cents: 8925,
      gstCents: 811,
      from: '2027-01-26',
      to: '2027-02-25',
    });
    expect(bill).toMatchObject({ day: '2027-01-26', totalCents: 17_850, gstCents: 1622, until: on('2027-02-26') });
  });
});

describe('the days from a trial to the bill', () => {
  it.each<[string, BillRow[], Partial<BillPayer>, (string | number)[][]]>([
    // 6 of the 31 days from 26 December.
    ['are a part of the bill', [trial('A', on('2027-01-20'))], {}, [['A', '2027-01-20', '2027-01-25', 6, 581]]],
    ['none where it ends on the day itself', [trial('A', new Date('2027-01-26T00:00:00Z'))], {}, []],
    ['none for a trial that ends later that day', [trial('A', on('2027-01-26')), row('B')], {}, []],
    ['none without a card', [trial('A', on('2027-01-20')), row('B')], { cardOnFile: false }, []],
    [
      'have the price beside the tools of then: the other one ends on that day',
      [trial('A', on('2027-01-20')), cancelled('B', on('2027-01-20'))],
      {},
      [['A', '2027-01-20', '2027-01-25', 6, 581]],
    ],
    [
      'beside a tool that ends after it',
      [trial('A', on('2027-01-20')), cancelled('B', on('2027-01-22'))],
      {},
      [['A', '2027-01-20', '2027-01-25', 6, 552]],
    ],
    [
      'of two trials',
      [trial('A', on('2027-01-20')), trial('B', on('2027-01-25'))],
      {},
      [
        ['A', '2027-01-20', '2027-01-25', 6, 552],
        ['B', '2027-01-25', '2027-01-25', 1, 92],
      ],
    ],
    [
      'nothing while suspended',
      [trial('A', on('2027-01-20'))],
      { chargesPaused: true },
      [['A', '2027-01-20', '2027-01-25', 6, 0]],
    ],
  ])('are on the bill as a part, where they are charged: %s', (_name, rows, facts, parts) => {
    const { bill } = coming(rows, facts);
    expect(bill?.parts.map((one) => [one.toolName, one.from, one.to, one.days, one.cents])).toEqual(parts);
    expect(bill?.parts.every(({ cause, id }) => cause === 'trial_end' && id === null)).toBe(true);
  });

  it('have the price of an offer, which counts its months from the bill', () => {
    const offer = { percent: 40, months: 2, endsAt: plusMonths(due, 2).toISOString() };
    const { bill, later } = coming([trial('A', on('2027-01-20'), { offer })]);
    expect(bill).toMatchObject({ parts: [{ cents: 348 }], lines: [{ cents: 1800 }], totalCents: 2148 });
    expect(later).toMatchObject({ at: on('2027-03-26'), day: '2027-03-26', monthCents: 3000 });
  });

  it('are a part, too, where an older release sold the period', () => {
    const { bill } = coming([row('A', { endDate: on('2027-01-25') })]);
    expect(bill?.parts).toMatchObject([{ cause: 'join_one_bill', days: 1, cents: 97 }]);
  });
});

describe('a trial that ends later on the day of the bill', () => {
  const evening = new Date('2027-01-26T12:00:00Z');

  it('has its month on that bill, not two on the next', () => {
    const { bill, later } = coming([trial('A', evening), row('B')]);
    expect(linesOf(bill)).toEqual([
      ['A', 2850, 5],
      ['B', 2850, 5],
    ]);
    expect(bill).toMatchObject({ totalCents: 5700, parts: [] });
    expect(later).toBeNull();
  });

  it('is on that bill alone', () => {
    expect(coming([trial('A', evening)]).bill).toMatchObject({ day: '2027-01-26', totalCents: 3000, parts: [] });
  });

  it('is not on it without a card', () => {
    expect(linesOf(coming([trial('A', evening), row('B')], { cardOnFile: false }).bill)).toEqual([['B', 3000]]);
  });
});

describe('a payer who has no bill yet', () => {
  const none = { nextBillAt: null, billingDay: null };
  const morning = new Date('2027-01-19T22:00:00Z'); // 20 January in Sydney
  const evening = new Date('2027-01-20T12:00:00Z'); // the same day

  it('begins it with the first trial that a card keeps, and all trials that end on that day', () => {
    const trials = [trial('A', evening), trial('B', morning), trial('C', on('2027-01-21'))];
    const { bill, later } = coming(trials, none);
    expect(bill).toMatchObject({ at: morning, day: '2027-01-20', until: plusMonths(morning, 1), parts: [] });
    expect(linesOf(bill)).toEqual([
      ['A', 2700, 10],
      ['B', 2700, 10],
    ]);
    expect(bill?.lines.map(({ from, to }) => [from, to])).toEqual([
      ['2027-01-20', '2027-02-19'],
      ['2027-01-20', '2027-02-19'],
    ]);
    expect(later).toMatchObject({ at: plusMonths(morning, 1), day: '2027-02-20', monthCents: 8100 });
  });

  it.each<[string, BillRow[], Partial<BillPayer>]>([
    ['nothing at all', [], {}],
    ['a trial without a card', [trial('A', on('2027-01-20'))], { cardOnFile: false }],
    ['a trial that is cancelled', [cancelled('A', on('2027-01-20'))], {}],
    ['free access', [row('A', { endDate: null })], { freeAccess: true }],
    ['a trial under free access', [trial('A', on('2027-01-20'))], { freeAccess: true }],
    [
      'free access ended, and nobody has paid yet',
      [row('A', { status: 'grace_period', endDate: null, gracePeriodEnd: on('2027-01-10') })],
      {},
    ],
  ])('gets none: %s', (_name, rows, facts) => {
    expect(coming(rows, { ...none, ...facts })).toMatchObject({ bill: null, later: null });
  });
});

describe('a bill with credits, or with too little to charge', () => {
  it.each<[string, Adjustment[], Partial<BillPayer>, object]>([
    ['a part more', [part('1', 740)], {}, { totalCents: 3740, leftCents: 0, carriedCents: 0, creditCents: 0 }],
    ['a credit', [part('1', -740)], {}, { totalCents: 2260, leftCents: 0, carriedCents: 0, creditCents: 0 }],
    ['a credit of all of it', [part('1', -3000)], {}, { totalCents: 0, leftCents: 0, carriedCents: 0 }],
    ['a credit of more', [part('1', -61_520)], {}, { totalCents: 0, leftCents: 58_520, carriedCents: 0 }],
    [
      'several: the oldest first, and the last is split',
      [part('1', -2000), part('2', -1500), part('3', -300), part('4', 200)],
      {},
      { totalCents: 0, leftCents: 600 },
    ],
    ['49 cents are left, and carried', [part('1', -2951)], {}, { totalCents: 0, carriedCents: 49, creditCents: 0 }],
    ['50 cents are charged', [part('1', -2950)], {}, { totalCents: 50, carriedCents: 0 }],
    ['the balance takes some', [], { creditCents: 1000 }, { totalCents: 2000, creditCents: 1000, carriedCents: 0 }],
    ['the balance takes it all, and keeps the rest', [], { creditCents: 5000 }, { totalCents: 0, creditCents: 3000 }],
    ['the balance adds', [], { creditCents: -30 }, { totalCents: 3030, creditCents: -30, carriedCents: 0 }],
    [
      'the balance leaves too little',
      [],
      { creditCents: 2980 },
      { totalCents: 0, creditCents: 2980, carriedCents: 20 },
    ],
  ])('has parts that add up to its total: %s', (_name, adjustments, facts, expected) => {
    const { bill } = coming([row('A')], facts, adjustments);
    expect(bill).toMatchObject(expected);
    const all = [...bill!.lines, ...bill!.parts].reduce((sum, { cents }) => sum + cents, 0);
    expect(all - bill!.creditCents - bill!.carriedCents).toBe(bill!.totalCents);
  });

  it('takes the parts that are told', () => {
    const { bill } = coming([row('A')], {}, [part('1', -2000), part('2', -1500), part('3', -300), part('4', 200)]);
    expect(bill?.parts.map(({ id, cents, gstCents }) => [id, cents, gstCents])).toEqual([
      ['1', -2000, -182],
      ['2', -1200, -109],
      ['4', 200, 18],
    ]);
  });

  it('is a closing bill with the parts only where the last tool leaves, and none follows', () => {
    const closing = coming([cancelled('A', due)], {}, [part('1', 4760)]);
    expect(closing).toMatchObject({ bill: { at: due, lines: [], totalCents: 4760 }, later: null });
    expect(coming([cancelled('A', due)])).toMatchObject({ bill: null, later: null });
    const credit = coming([cancelled('A', due)], {}, [part('1', -4760)]);
    expect(credit.bill).toMatchObject({ lines: [], parts: [], totalCents: 0, leftCents: 4760 });
  });
});

describe('a tool that is free', () => {
  const freeFrom = (from: Date, months: number) => ({
    months,
    from: from.toISOString(),
    until: plusMonths(from, months).toISOString(),
  });
  it.each<[string, Partial<BillRow>, Partial<BillPayer>, string, number]>([
    ['free access: a line of $0.00', {}, { freeAccess: true }, '100% Free Access Granted', 0],
    ['a free month', { freeMonths: freeFrom(due, 2) }, {}, 'Free month', 0],
    [
      'a suspended adviser',
      { freeMonths: freeFrom(due, 2) },
      { chargesPaused: true },
      'Nothing is charged while the account is suspended',
      0,
    ],
  ])('is a line of $0.00 with its reason: %s', (_name, more, facts, label, cents) => {
    const { bill } = coming([row('A', more)], facts);
    expect(bill?.lines).toMatchObject([{ baseCents: 3000, cents, discounts: [{ label, percent: 100, cents: 3000 }] }]);
    expect(bill).toMatchObject({ totalCents: 0, carriedCents: 0 });
  });

  it('is free for whole months, and the price after them is known', () => {
    const { bill, later } = coming([row('A', { freeMonths: freeFrom(due, 3) }), row('B')]);
    expect(linesOf(bill)).toEqual([
      ['A', 0, 100],
      ['B', 2850, 5],
    ]);
    expect(later).toMatchObject({ day: '2027-04-26', monthCents: 5700 });
  });

  it('is charged for the days of a trial that ends before the free months', () => {
    const { bill } = coming([trial('A', on('2027-01-20'), { freeMonths: freeFrom(due, 1) })]);
    expect(bill).toMatchObject({ parts: [{ cents: 581 }], lines: [{ cents: 0 }], totalCents: 581 });
  });
});

describe('an offer or a code', () => {
  const offer = (percent: number, endsAt: Date | null, code?: string) => ({
    percent,
    months: 3,
    endsAt: endsAt && endsAt.toISOString(),
    ...(code !== undefined && { code }),
  });
  it.each<[string, BillRow, (string | number)[][]]>([
    [
      'the largest counts alone',
      row('A', { offer: offer(30, on('2027-03-26')) }),
      [
        ['A', 2100, 30],
        ['B', 2850, 5],
      ],
    ],
    [
      'a volume discount that is as large',
      row('A', { offer: offer(5, on('2027-03-26')) }),
      [
        ['A', 2850, 5],
        ['B', 2850, 5],
      ],
    ],
    [
      'its end is not one of its months',
      row('A', { offer: offer(30, due) }),
      [
        ['A', 2850, 5],
        ['B', 2850, 5],
      ],
    ],
    [
      'a code',
      row('A', { offer: offer(25, on('2027-03-26'), 'WINTER25') }),
      [
        ['A', 2250, 25],
        ['B', 2850, 5],
      ],
    ],
  ])('gives the larger discount alone, until it ends: %s', (_name, one, lines) => {
    const { bill } = coming([one, row('B')]);
    expect(linesOf(bill)).toEqual(lines);
    const kinds = bill!.lines[0]!.discounts.map(({ kind, endsAt }) => [kind, endsAt]);
    const isOffer = lines[0]![1] !== 2850;
    const kind = one.offer?.code ? 'code' : 'win_back';
    expect(kinds).toEqual([isOffer ? [kind, one.offer!.endsAt] : ['bulk', null]]);
  });
});

describe('a decision about prices', () => {
  const decided = (unitCents: number, startsAt: Date) => ({
    kind: 'change' as const,
    number: 1,
    unitCents,
    beforeCents: 3000,
    startsAt,
    decidedAt: on('2027-01-01'),
  });
  it.each<[string, Partial<BillRow>, number, object | null]>([
    ['a rise from the bill on', { decisions: [decided(3500, due)] }, 3500, null],
    [
      'a rise after the bill',
      { decisions: [decided(3500, on('2027-01-27'))] },
      3000,
      { day: '2027-02-26', monthCents: 3500 },
    ],
    [
      'a rise that was told late',
      { decisions: [decided(3500, due)], price: { unitCents: 3000, number: 0, risesFrom: on('2027-02-10') } },
      3000,
      { day: '2027-02-26', monthCents: 3500 },
    ],
    ['a fall', { decisions: [decided(2500, on('2027-01-20'))] }, 2500, null],
    [
      'bought after the decision',
      { decisions: [decided(3500, due)], price: { unitCents: 3000, number: 1 } },
      3000,
      null,
    ],
  ])('changes the bills that it concerns: %s', (_name, more, cents, later) => {
    const forecast = coming([row('A', more)]);
    expect(forecast.bill?.lines).toMatchObject([{ unitCents: cents, cents }]);
    if (later) expect(forecast.later).toMatchObject(later);
    else expect(forecast.later).toBeNull();
  });

  it('changes volume discounts from the bill of its day', () => {
    const dated = [
      { toolCount: 2, discountPercent: 5, until: on('2027-02-20') },
      { toolCount: 2, discountPercent: 3, from: on('2027-02-20') },
    ];
    const { bill, later } = forecastOf(input([row('A'), row('B')], {}, [], { tiers: dated }));
    expect(bill?.totalCents).toBe(5700);
    expect(later).toMatchObject({ day: '2027-02-26', monthCents: 5820 });
  });
});
