import { describe, expect, it } from 'vitest';
import { type BillRow, type BillPayer } from './bill.ts';
import { forecastOf } from './forecast.ts';
import { cancelled, due, input, on, row, trial } from './bill-samples.ts';
import { bulkBanner, personalPayer, priceOfOneMore, tiersOf, volumeDiscount } from './bulk-banner.ts';
import { plusMonths } from '../dates.ts';
import { catalogue, lostMoneyTool, seededTiers } from '../tools/tools.ts';

const tiers = tiersOf(seededTiers); // 2: 5%, 3: 10%, 4: 15%, 6: 20%
const adviser = { freeAccessGranted: false, hasTeamTools: false };
const at = (unitCents: number) => ({ price: { unitCents, number: 0 } });
const risk = row('Risk', at(3000));
const fact = row('Fact', at(5000));
const note = row('Note', at(2500));
const outlook = (rows: BillRow[], facts: Partial<BillPayer> = {}) => forecastOf(input(rows, facts, [], { tiers }));
const none = { nextBillAt: null, billingDay: null };
const saving = (tools: number, percent: number, monthlyCents: number, next: [number, number] | null) => ({
  kind: 'saving',
  discount: { tools, today: percent, next: percent, until: null },
  monthlyCents,
  yearlyCents: monthlyCents * 12,
  next: next && { moreTools: next[0], percent: next[1] },
});

describe('the bulk-discount banner', () => {
  it.each([
    ['nothing yet', [], none, { kind: 'hint', tools: 0, next: { moreTools: 2, percent: 5 } }],
    ['one tool', [risk], {}, { kind: 'hint', tools: 1, next: { moreTools: 1, percent: 5 } }],
    [
      'the free tool does not count',
      [risk, row(lostMoneyTool, { toolId: lostMoneyTool, endDate: null })],
      {},
      { kind: 'hint', tools: 1, next: { moreTools: 1, percent: 5 } },
    ],
    ['two tools: 5% of $30 and $50', [risk, fact], {}, saving(2, 5, 400, [1, 10])],
    [
      'in grace, as if it is paid',
      [{ ...risk, status: 'grace_period', endDate: on('2026-12-26'), gracePeriodEnd: on('2027-01-10') }, fact],
      {},
      saving(2, 5, 400, [1, 10]),
    ],
    ['a trial with a card', [risk, trial('Fact', on('2027-01-20'), at(5000))], {}, saving(2, 5, 400, [1, 10])],
    [
      'after the partner discount: 5% of $15.00 and of $12.50',
      [risk, note],
      { membershipType: 'shaw_partners' },
      saving(2, 5, 75 + 63, [1, 10]),
    ],
    [
      'an offer takes more, and what the volume saves is of the others only',
      [{ ...risk, offer: { percent: 30, months: 3, endsAt: plusMonths(due, 3).toISOString() } }, fact, note],
      {},
      saving(3, 10, 750, [1, 15]),
    ],
    [
      'all six: nothing further to reach',
      [risk, fact, note, row('D'), row('E'), row('F')],
      {},
      saving(6, 20, 3900, null),
    ],
    [
      'trials without a card save nothing yet',
      [trial('Risk', on('2027-01-20')), trial('Fact', on('2027-01-20'))],
      { ...none, cardOnFile: false },
      { kind: 'hint', tools: 2, next: { moreTools: 1, percent: 10 } },
    ],
  ] as [string, BillRow[], Partial<BillPayer>, object][])('says what is saved: %s', (_case, rows, facts, expected) => {
    expect(bulkBanner(adviser, outlook(rows, facts), tiers)).toEqual(expected);
  });

  it.each([
    [
      'one of three ends on the day of the bill',
      [cancelled('Risk', due, at(3000)), fact, note],
      { today: 10, next: 5, until: { at: due, ends: ['Risk'], isSameDay: true } },
      375,
      { moreTools: 1, percent: 10 },
    ],
    [
      'one of three ends before it',
      [cancelled('Risk', on('2027-01-20'), at(3000)), fact, note],
      { today: 10, next: 5, until: { at: due, ends: ['Risk'], isSameDay: false } },
      375,
      { moreTools: 1, percent: 10 },
    ],
    [
      'one of two ends',
      [row('Risk', { autoRenew: false }), fact],
      { today: 5, next: 0, until: { at: due, ends: ['Risk'], isSameDay: true } },
      0,
      { moreTools: 1, percent: 5 },
    ],
  ] as [string, BillRow[], object, number, object][])(
    'says so where today and next month differ: %s',
    (_case, rows, discount, monthlyCents, next) => {
      const expected = { kind: 'saving', discount: expect.objectContaining(discount) as object, monthlyCents, next };
      expect(bulkBanner(adviser, outlook(rows), tiers)).toMatchObject(expected);
    },
  );

  it('follows the discounts that were announced for the coming bill, as its lines do', () => {
    const dated = [...tiers.map((tier) => ({ ...tier, until: due })), { toolCount: 2, discountPercent: 3, from: due }];
    const coming = forecastOf(input([risk, fact], {}, [], { tiers: dated }));
    const [line] = coming.bill!.lines.flatMap(({ discounts }) => discounts);
    expect(bulkBanner(adviser, coming, tiers)).toMatchObject({
      discount: { today: 5, next: line!.percent, until: { at: due, ends: [] } },
      next: null,
    });
    const preFill = catalogue.find(({ id }) => id === 'pre-fill-ai')!; // $30
    const payer = personalPayer({ membershipType: 'standard', freeAccessGranted: false });
    const { today, next } = priceOfOneMore(payer, preFill, coming, tiers);
    expect([today.totalCents, next.totalCents]).toEqual([2700, 2910]);
  });

  it('says that free access needs no discount, and does not tell those with a team’s tools to buy their own', () => {
    expect(bulkBanner({ ...adviser, freeAccessGranted: true }, outlook([risk]), tiers)).toEqual({
      kind: 'free_access',
    });
    const member = { ...adviser, hasTeamTools: true };
    expect(bulkBanner(member, outlook([], none), tiers)).toBeNull();
    expect(bulkBanner(member, outlook([risk]), tiers)).toMatchObject({ kind: 'hint' });
    expect(bulkBanner(adviser, forecastOf(input([risk], {}, [], { tiers: [] })), [])).toBeNull();
  });
});

it('the discount with one more tool equals what the page that sells it says', () => {
  const rows = [cancelled('Risk', due, at(3000)), fact, note];
  expect(volumeDiscount(outlook(rows), tiers, 1)).toMatchObject({ tools: 3, today: 15, next: 10 });
  expect(volumeDiscount(outlook([fact]), tiers, 1)).toMatchObject({ tools: 2, today: 5, next: 5, until: null });
});

describe('the price of one more tool', () => {
  const preFill = catalogue.find(({ id }) => id === 'pre-fill-ai')!; // $30
  const standard = { membershipType: 'standard', freeAccessGranted: false } as const;
  it.each([
    ['the first tool', standard, [], 3000, 3000],
    ['the second: 5%', standard, [risk], 2850, 2850],
    ['15% today, 10% next month', standard, [cancelled('Risk', due), fact, note], 2550, 2700],
    ['the second of a partner: 5% of $15.00', { ...standard, membershipType: 'shaw_partners' }, [risk], 1425, 1425],
    ['free access', { ...standard, freeAccessGranted: true }, [risk], 0, 0],
  ] as const)('is that of today and of next month: %s', (_case, who, rows, today, next) => {
    const price = priceOfOneMore(personalPayer(who), preFill, outlook([...rows]), tiers);
    expect([price.today.totalCents, price.next.totalCents]).toEqual([today, next]);
  });

  it('counts each member of a team, with the team discount', () => {
    const team = { kind: 'team', membershipType: 'team', freeAccess: false, members: 5 } as const;
    const { today } = priceOfOneMore(team, preFill, outlook([risk]), tiers);
    expect([today.baseCents, today.totalCents]).toEqual([15_000, 12_750]);
  });
});
