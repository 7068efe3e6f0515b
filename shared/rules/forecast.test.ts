import { describe, expect, it } from 'vitest';
import { businessZone } from './dates.ts';
import { forecastOf, type ForecastPayer, type ForecastRow, priceChanges } from './forecast.ts';
import type { Tier } from './pricing.ts';

const now = new Date('2026-11-21T00:00:00Z');
const at = (iso: string) => new Date(iso);
const end = at('2026-12-10T03:00:00Z');

let made = 0;
const row = (values: Partial<ForecastRow> = {}): ForecastRow => ({
  id: `row-${(made += 1)}`,
  toolId: `tool-${made}`,
  toolName: `Tool ${made}`,
  status: 'active',
  autoRenew: true,
  endDate: end,
  trialEndDate: null,
  gracePeriodEnd: null,
  billed: true,
  billingDay: null,
  price: { unitCents: 3000 },
  winBack: null,
  freeMonths: null,
  prorations: [],
  draft: null,
  ...values,
});
const tiers: Tier[] = [
  { toolCount: 2, discountPercent: 5 },
  { toolCount: 3, discountPercent: 10 },
];
const payer = {
  kind: 'user',
  membershipType: 'standard',
  freeAccess: false,
  members: 1,
  cardOnFile: true,
  creditCents: 0,
  zone: businessZone,
} as const;
const forecast = (
  rows: ForecastRow[],
  facts: Partial<
    Omit<typeof payer, 'cardOnFile' | 'creditCents' | 'zone'> &
      Pick<ForecastPayer, 'cardOnFile' | 'creditCents' | 'zone'>
  > = {},
) => forecastOf({ payer: { ...payer, ...facts }, tiers, rows, now });
const totals = (rows: ForecastRow[]) => forecast(rows).charges.map(({ totalCents }) => totalCents);

describe('what is charged', () => {
  const trial = { status: 'trial', trialEndDate: end } as const;
  it.each([
    ['a renewal', row(), {}, [3000]],
    ['a trial with a card', row(trial), {}, [3000]],
    ['no trial without a card', row(trial), { cardOnFile: false }, []],
    ['nothing that ends', row({ autoRenew: false }), {}, []],
    ['nothing that Stripe does not bill', row({ billed: false, endDate: null }), {}, []],
    ['nothing cancelled', row({ status: 'cancelled' }), {}, []],
    [
      'nothing in grace: its open invoice is owed already',
      row({ status: 'grace_period', gracePeriodEnd: end }),
      {},
      [],
    ],
  ])('%s', (_name, one, facts, expected) => {
    expect(forecast([one], facts).charges.map(({ totalCents }) => totalCents)).toEqual(expected);
  });
});

describe('the volume discount of a charge counts the tools that go on after its day', () => {
  it.each([
    ['a tool that renews later', row({ endDate: at('2026-12-30T00:00:00Z') }), 2850],
    ['a cancelled one that ends later', row({ status: 'cancelled', endDate: at('2026-12-12T00:00:00Z') }), 2850],
    ['not one that ends before', row({ status: 'cancelled', endDate: at('2026-12-01T00:00:00Z') }), 3000],
    ['not one that ends at the same moment', row({ status: 'cancelled' }), 3000],
    ['not one that ends later that day', row({ status: 'cancelled', endDate: at('2026-12-10T05:00:00Z') }), 3000],
    ['not one whose renewal is off', row({ autoRenew: false }), 3000],
    ['a trial that the card will pay', row({ status: 'trial', trialEndDate: at('2026-12-01T00:00:00Z') }), 2850],
    ['not one that stays unpaid', row({ status: 'grace_period', gracePeriodEnd: at('2026-11-28T00:00:00Z') }), 3000],
    ['not the free tool', row({ toolId: 'lost-money-ai', billed: false, endDate: null }), 3000],
  ])('%s', (_name, other, expected) => {
    expect(
      forecast([row({ id: 'this' }), other]).charges.find(({ subscriptionId }) => subscriptionId === 'this'),
    ).toMatchObject({ totalCents: expected });
  });

  it('two renewals at one moment see the same tools', () => {
    expect(totals([row(), row(), row({ status: 'cancelled' })])).toEqual([2850, 2850]);
  });
});

it('the next payment is the earliest, with all of that day where the payer lives', () => {
  const rows = [
    row({ endDate: at('2026-12-09T13:30:00Z') }), // 10 December in Sydney already
    row({ endDate: at('2026-12-10T05:00:00Z') }),
    row({ endDate: at('2026-12-10T13:30:00Z') }), // 11 December
  ];
  expect(forecast(rows).next).toEqual({ at: at('2026-12-09T13:30:00Z'), totalCents: 5400 });
  expect(forecast(rows, { zone: 'Australia/Perth' }).next).toEqual({
    at: at('2026-12-09T13:30:00Z'),
    totalCents: 2700,
  });
});

it('lines add up: price, discount, and what members who came or left add; a credit never goes below nothing', () => {
  const team = { kind: 'team', members: 3 } as never;
  const joined = { label: '1 member', cents: 1234 };
  const [charge] = forecast(
    [row({ prorations: [joined] }), row({ status: 'cancelled', endDate: at('2027-01-01') })],
    team,
  ).charges;
  expect(charge).toMatchObject({ totalCents: 9000 - 450 + 1234, gstCents: 777 + 112 });
  expect(charge?.lines.map(({ kind, cents }) => [kind, cents])).toEqual([
    ['price', 9000],
    ['discount', -450],
    ['proration', 1234],
  ]);
  expect(charge?.after).toEqual({ at: at('2027-01-10T03:00:00Z'), totalCents: 9000 });
  const left = { label: 'Credit', cents: -50_000 };
  expect(forecast([row({ prorations: [left] })], team).charges[0]).toMatchObject({ totalCents: 0, gstCents: 0 });
});

it('a credit is used up by the earliest charges, and one that an invoice leaves over by those after it', () => {
  const rows = [
    row({ toolName: 'First', prorations: [{ label: 'Credit for 2 members', cents: -10_000 }] }),
    row({ endDate: at('2026-12-11T00:00:00Z') }),
    row({ endDate: at('2026-12-12T00:00:00Z') }),
  ];
  const amounts = (creditCents: number) => forecast(rows, { creditCents }).charges.map(({ totalCents }) => totalCents);
  // 27.00 each; the first leaves 73.00 over.
  expect(amounts(0)).toEqual([0, 0, 0]);
  rows[0]!.prorations = [{ label: 'Credit for 2 members', cents: -4000 }];
  expect(amounts(0)).toEqual([0, 1400, 2700]);
  expect(amounts(2000)).toEqual([0, 0, 2100]);
  const [, second] = forecast(rows, { creditCents: 0 }).charges;
  expect(second?.lines.at(-1)).toEqual({ kind: 'credit', label: 'Credit from earlier invoices', cents: -1300 });
  expect(second).toMatchObject({ gstCents: 245, after: { totalCents: 2700 } });
});

it('a renewal that is being charged comes before the next one of the same tool', () => {
  const lines = [{ kind: 'price' as const, label: '', quantity: 1, unitCents: 3000, cents: 3000 }];
  const renewing = row({ draft: { at: '2026-11-21T00:40:00.000Z', lines, gstCents: 273 } });
  const { charges, next } = forecast([renewing]);
  expect(charges.map((charge) => [charge.at, charge.totalCents])).toEqual([
    [at('2026-11-21T00:40:00Z'), 3000],
    [end, 3000],
  ]);
  expect(charges[0]?.lines[0]).toMatchObject({ label: renewing.toolName });
  expect(next).toEqual({ at: at('2026-11-21T00:40:00Z'), totalCents: 3000 });
  expect(forecast([{ ...renewing, status: 'cancelled' }]).charges).toEqual([]);
});

it('a welcome back offer says until when, and what comes then', () => {
  const winBack = { percent: 40, months: 3, endsAt: '2026-12-20T00:00:00.000Z' };
  const [charge] = forecast([row({ winBack })]).charges;
  expect(charge?.lines[1]).toMatchObject({ discount: 'win_back', cents: -1200, endsAt: at(winBack.endsAt) });
  expect(charge?.after).toMatchObject({ totalCents: 3000 });
});

it.each([
  ['cancelled', { status: 'cancelled' } as const, 'cancelled'],
  ['auto-renew off', { autoRenew: false }, 'auto_renew_off'],
  ['a trial that no card pays', { status: 'trial', trialEndDate: end } as const, 'trial_without_card'],
  ['a cancelled one that is over', { status: 'cancelled', endDate: at('2026-11-01') } as const, null],
  ['a renewal', {}, null],
])('what ends: %s', (_name, values, reason) => {
  const { endings } = forecast([row(values)], { cardOnFile: false });
  expect(endings.map((one) => [one.at, one.reason])).toEqual(reason === null ? [] : [[end, reason]]);
});

describe('what a decision does to the other prices', () => {
  const input = (rows: ForecastRow[], facts: object = {}) => ({ payer: { ...payer, ...facts }, tiers, rows, now });
  const [a, b] = [row({ toolName: 'A' }), row({ toolName: 'B', endDate: at('2026-12-20T03:00:00Z') })];

  it('a tool that ends makes the others dearer from their first renewal after it', () => {
    const cancelled = (endDate: Date) => input([a, { ...b, status: 'cancelled', endDate }]);
    expect(priceChanges(input([a, b]), cancelled(now))).toEqual([
      { toolName: 'A', at: end, fromCents: 2850, toCents: 3000 },
    ]);
    expect(priceChanges(input([a, b]), cancelled(b.endDate!))).toEqual([
      { toolName: 'A', at: at('2027-01-10T03:00:00Z'), fromCents: 2850, toCents: 3000 },
    ]);
  });

  it('one more makes them cheaper, and one more member dearer', () => {
    expect(priceChanges(input([a]), input([a, row({ endDate: at('2026-12-21T00:00:00Z') })]))).toMatchObject([
      { fromCents: 3000, toCents: 2850 },
    ]);
    const team = (members: number) => input([a], { kind: 'team', members });
    expect(priceChanges(team(2), team(3))).toMatchObject([{ fromCents: 6000, toCents: 9000 }]);
  });

  it('a trial says what it will cost once there is a card', () => {
    const trial = row({ status: 'trial', endDate: null, trialEndDate: end });
    const team = (members: number) => input([trial], { kind: 'team', members, cardOnFile: false });
    expect(priceChanges(team(2), team(1))).toMatchObject([{ at: end, fromCents: 6000, toCents: 3000 }]);
  });

  it('nothing where nothing else goes on, or no tier is crossed', () => {
    expect(priceChanges(input([a]), input([{ ...a, status: 'cancelled' }]))).toEqual([]);
    expect(priceChanges(input([a, b]), input([a, b]))).toEqual([]);
  });
});
