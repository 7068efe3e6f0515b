import { describe, expect, it } from 'vitest';
import type { BillInput, BillRow } from '#shared/rules/billing/bill.ts';
import { cancelled, due, input, now, on, part, row, trial } from '#shared/rules/billing/bill-samples.ts';
import type { PriceDecision } from '#shared/rules/billing/own-price.ts';
import { forecastOf } from '#shared/rules/billing/forecast.ts';
import { isLate, newsOf, type Told } from './news.ts';

/** What the payer was told when this was so. */
function told(of: BillInput, toldAt = now): Told {
  const { bill, later } = forecastOf(of);
  return {
    toldAt,
    billAt: bill?.at ?? null,
    totalCents: bill?.totalCents ?? null,
    lines: bill?.lines ?? [],
    parts: bill?.parts ?? [],
    later: later && { at: later.at.toISOString(), monthCents: later.monthCents, parts: later.parts },
  };
}

/** The news in one line each, with what makes it dearer. */
function said(before: BillInput, after: BillInput, joined: string[] | null = null, chosen: string[] = []) {
  const news = newsOf(told(before), forecastOf(after), after.now, { joined, chosen, waiting: null });
  if (!news) return null;
  return [`${news.about}${news.dearer ? ', dearer' : ''}`, ...news.causes.map(({ text }) => text.replace(/\.$/, ''))];
}

const team = (members: number) => ({ kind: 'team' as const, membershipType: 'team' as const, members });
const two = [row('A'), row('B')];
const rise: PriceDecision = {
  kind: 'change',
  number: 1,
  unitCents: 3500,
  beforeCents: 3000,
  startsAt: on('2027-02-10'),
  decidedAt: on('2027-01-08'),
};
const withdrawal: PriceDecision = {
  kind: 'withdrawal',
  number: 2,
  unitCents: 3000,
  withdraws: 1,
  withdrawnCents: 3500,
  decidedAt: on('2027-01-09'),
};
const offer = (endsAt: string) => ({ percent: 30, months: 3, endsAt: on(endsAt).toISOString() });

const chosenIn = (rows: BillRow[]) => rows.flatMap(({ id, chosenUsers }) => (chosenUsers ? id : []));

describe('the news of a bill', () => {
  const cases: [string, BillInput, BillInput, string[] | null][] = [
    ['nothing has changed: there is none', input(two), input(two), null],
    [
      'a colleague joins: the month, and the days until the bill, of all tools together',
      input(two, team(3)),
      input(two, team(4), [part('1', 1655), part('2', 1655, { toolId: 'B' })]),
      ['bill, dearer', 'Hugh Lang joined, +$57.00 a month and $33.10 for 8 to 25 Jan 2027'],
    ],
    [
      'two join on one day: one line for both',
      input(two, team(2)),
      input(two, team(4), [part('1', 1655), part('2', 1600, { person: 'Ben Cole', from: '2027-01-09' })]),
      ['bill, dearer', 'Hugh Lang and Ben Cole joined, +$114.00 a month and $32.55 for 8 to 25 Jan 2027'],
    ],
    [
      'one joins and another leaves: each with their days, and no change of the month',
      input(two, team(4)),
      input(two, team(4), [part('1', 1655), part('2', -1600, { person: 'Ben Cole', from: '2027-01-09' })]),
      ['bill, dearer', 'Hugh Lang joined, $16.55 for 8 to 25 Jan 2027', 'Ben Cole left, −$16.00 for 9 to 25 Jan 2027'],
    ],
    [
      'the fifth member brings the team discount',
      input(two, team(4)),
      input(two, team(5), [part('1', 1655)]),
      [
        'bill, dearer',
        'Hugh Lang joined, +$27.00 a month and $16.55 for 8 to 25 Jan 2027',
        'Team discount: 15% off (was 5%)',
      ],
    ],
    [
      'a tool is added: its price, and the discount of all',
      input(two),
      input([...two, row('C')]),
      ['bill, dearer', 'C, +$27.00 a month', 'You now have three tools: 10% off (was 5%)'],
    ],
    [
      'a tool ends',
      input(two),
      input([row('A'), cancelled('B', due)]),
      ['bill', 'B ends, −$28.50 a month', 'You now have one tool: no discount (was 5%)'],
    ],
    [
      'a card now keeps a trial: its days on the bill, and its month',
      input([row('A'), trial('B', on('2027-01-20'))], { cardOnFile: false }),
      input([row('A'), trial('B', on('2027-01-20'))]),
      [
        'bill, dearer',
        'B, +$28.50 a month',
        'You now have two tools: 5% off',
        'B, 20 to 25 Jan 2027 (after the free trial): $5.52',
      ],
    ],
    [
      'a rise is decided for a later bill',
      input([row('A')]),
      input([row('A', { decisions: [rise] })]),
      ['later, dearer', 'A costs $35.00 a month from 26 Feb 2027 (was $30.00)'],
    ],
    [
      'a rise is taken back',
      input([row('A', { decisions: [rise] })]),
      input([row('A', { decisions: [rise, withdrawal] })]),
      ['stays'],
    ],
    [
      'volume discounts become smaller from a day on',
      input(two),
      input(two, {}, [], {
        tiers: [
          { toolCount: 2, discountPercent: 5, until: on('2027-02-10') },
          { toolCount: 2, discountPercent: 1, from: on('2027-02-10') },
        ],
      }),
      ['later, dearer', 'Bulk discount: 1% off (was 5%)'],
    ],
    ['free access is given', input(two), input(two, { freeAccess: true }), ['bill', 'You have been given free access']],
    [
      'free access is over',
      input(two, { freeAccess: true }),
      input(two),
      ['bill, dearer', 'Your free access has ended'],
    ],
    [
      'the partner price applies',
      input(two),
      input(two, { membershipType: 'shaw_partners' }),
      ['bill', 'The partner price applies'],
    ],
    ['credit is added', input(two), input(two, { creditCents: 500 }), ['bill', 'Credit takes $5.00 off']],
    [
      'an offer runs out earlier than told',
      input([row('A', { offer: offer('2027-03-26') })]),
      input([row('A', { offer: offer('2027-02-26') })]),
      ['later', 'Your welcome back discount for A has run out'],
    ],
    ['nothing will be charged after all', input([row('A')]), input([cancelled('A', due)]), ['none']],
  ];
  it.each(cases)('tells what changed and why, or there is none: %s', (_what, before, after, expected) => {
    expect(said(before, after)).toEqual(expected);
  });

  const leaves = part('2', 0, { cause: 'left', person: 'Ben Cole', from: '2027-01-26', days: 0 });
  it.each([
    ['one joins', team(3), [], ['Hugh Lang'], ['bill, dearer', 'Hugh Lang joined, +$57.00 a month']],
    ['one leaves', team(1), [leaves], [], ['bill', 'Ben Cole left, −$57.00 a month']],
    [
      'two join and one leaves',
      team(3),
      [leaves],
      ['Hugh Lang', 'Eva Fox'],
      ['bill, dearer', 'Hugh Lang and Eva Fox joined', 'Ben Cole left', '3 members now, +$57.00 a month'],
    ],
    ['one joins and another leaves, which costs nothing', team(2), [leaves], ['Hugh Lang'], null],
  ])('names without days who joins or leaves on the last day: %s', (_what, after, parts, joined, expected) => {
    expect(said(input(two, team(2)), input(two, after, parts), joined)).toEqual(expected);
  });

  const chosen = (...chosenUsers: string[]) => [row('A', { chosenUsers }), row('B')];
  it.each([
    [
      'the owner chooses two of three',
      two,
      chosen('1', '2'),
      [part('1', -1600, { person: 'Ben Cole' })],
      ['bill', 'Ben Cole can no longer open A, −$28.50 a month and −$16.00 for 8 to 25 Jan 2027'],
    ],
    [
      'another one is chosen',
      chosen('1', '2'),
      chosen('1', '2', '3'),
      [part('1', 1655)],
      ['bill, dearer', 'Hugh Lang can open A, +$28.50 a month and $16.55 for 8 to 25 Jan 2027'],
    ],
    [
      'everybody uses it again',
      chosen('1', '2'),
      two,
      [part('1', 1655)],
      ['bill, dearer', 'Hugh Lang can open A, +$28.50 a month and $16.55 for 8 to 25 Jan 2027'],
    ],
    ['one is chosen instead of another, in a free month', chosen('1', '2'), chosen('1', '3'), [], null],
    [
      'one uses it on the last day of the month',
      chosen('1', '2', '3'),
      chosen('1', '2'),
      [],
      ['bill', 'A for 2 members now, −$28.50 a month'],
    ],
  ])('tells of a tool that its owner has chosen people for: %s', (_what, before, after, parts, expected) => {
    expect(said(input(before, team(3)), input(after, team(3), parts), [], chosenIn(after))).toEqual(expected);
  });

  it('names who joined with days and who joined without in one line', () => {
    const parts = [part('1', 165)];
    expect(said(input(two, team(2)), input(two, team(4), parts), ['Hugh Lang', 'Ben Cole'])).toEqual([
      'bill, dearer',
      'Hugh Lang and Ben Cole joined, +$114.00 a month and $1.65 for 8 to 25 Jan 2027',
    ]);
  });

  it('tells of a bill that differs with its next one, and why the next differs by an administrator’s decision', () => {
    const [before, after] = [input([row('A')]), input([row('A', { decisions: [rise] }), row('B')])];
    const news = newsOf(told(before), forecastOf(after), now)!;
    expect(news).toMatchObject({ about: 'bill', dearerNow: true, laterCauses: [{ of: { priceOf: 'A' } }] });
  });

  it('names a correction', () => {
    const one = part('1', -250, { cause: 'correction', person: null, from: '2027-01-02', to: '2027-01-02' });
    expect(said(input(two), input(two, {}, [one]))).toEqual(['bill', 'A, 2 Jan 2027 (correction): −$2.50']);
  });
});

describe('the month after the bill that was told', () => {
  const next = on('2027-02-26');
  const month = (of: BillInput): BillInput => ({
    ...of,
    adjustments: [],
    now: on('2027-01-27'),
    rows: of.rows.map((one) => ({ ...one, endDate: one.endDate && next })),
    payer: { ...of.payer, nextBillAt: next },
  });
  it.each([
    ['the next one is like it: no news, nor that its parts of months are gone', input(two, team(2), [part('1', 500)])],
    ['a rise that was told is no news', input([row('A', { decisions: [rise] })])],
    ['the end of an offer that was told is no news', input([row('A', { offer: offer('2027-02-26') })])],
    ['nor are the days of a trial that were told', input([row('A'), trial('B', on('2027-02-20'))])],
  ])('brings no news: %s', (_what, before) => {
    expect(said(before, month(before))).toBeNull();
  });
  it('brings as news what has changed', () => {
    expect(said(input(two), month(input([...two, row('C')])))).toEqual([
      'bill, dearer',
      'C, +$27.00 a month',
      'You now have three tools: 10% off (was 5%)',
    ]);
  });
});

describe('a payer', () => {
  const late = { ...rise, startsAt: on('2027-02-01') };
  const known = told(input([row('A')]), on('2027-01-07'));
  const isLateFor = (values: Parameters<typeof row>[1] & { periodStart?: Date }, before = known) =>
    isLate({ ...row('A', { decisions: [late], ...values }), periodStart: on('2026-12-26'), ...values }, before, now);
  it.each([
    ['it was decided after they were told anything', isLateFor({}), true],
    ['it was told in time', isLateFor({ decisions: [rise] }), false],
    ['it was told before', isLateFor({}, { ...known, toldAt: on('2027-01-09') }), false],
    [
      'it was told before, while the tool was cancelled',
      isLateFor({}, { ...known, toldAt: on('2027-01-09'), lines: [] }),
      true,
    ],
    [
      'it has been given 30 days already',
      isLateFor({ price: { unitCents: 3000, number: 0, risesFrom: on('2027-02-08') } }),
      false,
    ],
    ['the tool was bought at it', isLateFor({ price: { unitCents: 3500, number: 1 } }), false],
    ['the tool is charged at it already', isLateFor({ periodStart: on('2027-02-02') }), false],
    ['it is taken back', isLateFor({ decisions: [late, withdrawal] }), false],
    ['the tool does not go on', isLateFor({ autoRenew: false }), false],
  ])('hears of a rise late, or has heard of it in time: %s', (_what, is, expected) => {
    expect(is).toBe(expected);
  });
});
