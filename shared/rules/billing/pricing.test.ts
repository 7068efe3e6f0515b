import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { centsOf } from './money.ts';
import { nextTierAfter, type PayerFacts, type PriceInput, priceOf, tierFor, type WinBack } from './pricing.ts';
import { catalogue, seededTiers } from '../tools/tools.ts';

const tiers = seededTiers.map((tier) => ({ ...tier, discountPercent: Number(tier.discountPercent) }));
const adviser: PayerFacts = { kind: 'user', membershipType: 'standard', freeAccess: false, members: 1 };
const partner: PayerFacts = { ...adviser, membershipType: 'shaw_partners' };
const guest: PayerFacts = { ...adviser, freeAccess: true };
const team = (members: number, membershipType: PayerFacts['membershipType'] = 'team'): PayerFacts => ({
  kind: 'team',
  membershipType,
  freeAccess: false,
  members,
});
const price = (payer: PayerFacts, unitCents: number, paidTools: number, rest: Partial<PriceInput> = {}) =>
  priceOf({ toolId: 'file-note-ai', toolName: 'File Note AI', unitCents, payer, paidTools, tiers, ...rest });

const comeback: WinBack = { percent: 30, months: 3 };

/** Payer, unit price, live paid tools, win-back → discounts in cents, total, percent shown. */
const cases: [string, PayerFacts, number, number, WinBack | null, number[], number, number][] = [
  ['one tool', adviser, 3000, 1, null, [], 3000, 0],
  ['two tools: 5%', adviser, 3000, 2, null, [150], 2850, 5],
  ['three: 10%', adviser, 3000, 3, null, [300], 2700, 10],
  ['four: 15%', adviser, 3000, 4, null, [450], 2550, 15],
  ['five stay at 15%', adviser, 3000, 5, null, [450], 2550, 15],
  ['six: 20%', adviser, 3000, 6, null, [600], 2400, 20],
  ['partner alone', partner, 2500, 1, null, [1250], 1250, 50],
  ['partner, then 5% of 12.50 is 0.63', partner, 2500, 2, null, [1250, 63], 1187, 53],
  ['partner of an odd cent', partner, 2575, 2, null, [1288, 64], 1223, 53],
  ['partner and 20%', partner, 4000, 6, null, [2000, 400], 1600, 60],
  ['win-back beats no tier', adviser, 3000, 1, comeback, [900], 2100, 30],
  ['win-back beats a smaller tier, never stacked', adviser, 3000, 6, comeback, [900], 2100, 30],
  ['a larger tier beats a win-back', adviser, 3000, 6, { percent: 15, months: 1 }, [600], 2400, 20],
  ['partner and win-back', partner, 3000, 1, { percent: 25, months: 3 }, [1500, 375], 1125, 63],
  ['annual win-back', adviser, 3500, 2, { percent: 40, months: 12 }, [1400], 2100, 40],
  ['free access', guest, 3000, 1, null, [3000], 0, 100],
  ['free access before everything', { ...guest, membershipType: 'shaw_partners' }, 3000, 6, comeback, [3000], 0, 100],
  ['an adviser in a team pays as one adviser', { ...adviser, membershipType: 'team' }, 3000, 2, null, [150], 2850, 5],
  ['a team of four with two tools: 5%', team(4), 3000, 2, null, [600], 11400, 5],
  ['a team of five with one tool', team(5), 3000, 1, null, [], 15000, 0],
  ['a team of five with two tools: 15%', team(5), 3000, 2, null, [2250], 12750, 15],
  ['a team of nineteen', team(19), 2500, 3, null, [7125], 40375, 15],
  ['twenty are past the team discount', team(20), 2500, 3, null, [5000], 45000, 10],
  ['the tier beats the team discount', team(5), 3000, 6, null, [3000], 12000, 20],
  ['a partner team', team(5, 'shaw_partners'), 3000, 2, null, [7500, 1125], 6375, 58],
  ['free access never covers a team', { ...team(5), freeAccess: true }, 3000, 1, null, [], 15000, 0],
];

describe('priceOf', () => {
  it.each(cases)('adds up: %s', (_name, payer, unitCents, paidTools, winBack, off, totalCents, discountPercent) => {
    const result = price(payer, unitCents, paidTools, { winBack });
    expect(result.lines.slice(1).map((line) => -line.cents)).toEqual(off);
    expect(result).toMatchObject({ totalCents, discountPercent });
    expect(result.discounts).toHaveLength(off.length);
  });

  it('gives a tie to the discount that lasts: tier before team before win-back', () => {
    expect(price(team(5), 3000, 4, { winBack: { percent: 15, months: 1 } }).discounts).toEqual([
      { kind: 'bulk', percent: 15 },
    ]);
    expect(price(team(5), 3000, 2, { winBack: { percent: 15, months: 1 } }).discounts).toEqual([
      { kind: 'team', percent: 15 },
    ]);
  });

  it('is 0 for lost-money-ai for everybody, whatever its row says', () => {
    for (const payer of [adviser, partner, guest, team(5)])
      expect(price(payer, 3000, 3, { toolId: 'lost-money-ai' })).toMatchObject({
        totalCents: 0,
        baseCents: 0,
        discountPercent: 0,
        discounts: [],
      });
  });

  it('names its lines', () => {
    expect(price(partner, 2500, 2).lines).toEqual([
      { label: 'File Note AI', cents: 2500 },
      { label: 'Partner discount (50%)', cents: -1250 },
      { label: 'Bulk discount (5%)', cents: -63 },
    ]);
    expect(price(guest, 2500, 2).lines[1]).toEqual({ label: '100% Free Access Granted', cents: -2500 });
    expect(price(team(5), 3000, 2).lines.map((line) => line.label)).toEqual([
      'File Note AI × 5 members',
      'Team discount (15%)',
    ]);
    expect(price(adviser, 3000, 1, { winBack: comeback }).lines[1]?.label).toBe(
      'Welcome back discount (30%, 3 months)',
    );
    expect(price(adviser, 3000, 1, { winBack: { percent: 15, months: 1 } }).lines[1]?.label).toBe(
      'Welcome back discount (15%, 1 month)',
    );
  });

  it('has lines that add up to the total, which is never negative nor above the price', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 0, max: 12 }),
        fc.constantFrom(adviser, partner, guest, team(3), team(5), team(19, 'shaw_partners')),
        fc.option(fc.record({ percent: fc.integer({ min: 1, max: 99 }), months: fc.integer({ min: 1, max: 12 }) })),
        (unitCents, paidTools, payer, winBack) => {
          const result = price(payer, unitCents, paidTools, { winBack });
          expect(result.lines.reduce((sum, line) => sum + line.cents, 0)).toBe(result.totalCents);
          expect(result.totalCents).toBeGreaterThanOrEqual(0);
          expect(result.totalCents).toBeLessThanOrEqual(result.baseCents);
          expect(result.discounts.length).toBeLessThanOrEqual(2);
        },
      ),
    ));
});

describe('tiers', () => {
  it.each([
    [0, null, 2],
    [1, null, 2],
    [2, 5, 3],
    [3, 10, 4],
    [4, 15, 6],
    [5, 15, 6],
    [6, 20, null],
    [9, 20, null],
  ])('give %i tools %s per cent, and the next comes at %s', (count, percent, next) => {
    expect(tierFor(tiers, count)?.discountPercent ?? null).toBe(percent);
    expect(nextTierAfter(tiers.toReversed(), count)?.toolCount ?? null).toBe(next);
  });

  it('stand beside a catalogue that is priced as decided', () => {
    expect(Object.fromEntries(catalogue.map((tool) => [tool.id, centsOf(tool.basePrice)]))).toEqual({
      'risk-profile-ai': 3000,
      'fact-find-ai': 5000,
      'file-note-ai': 2500,
      'pre-fill-ai': 3000,
      'share-advice-ai': 3500,
      'portfolio-ai': 4000,
      'lost-money-ai': 0,
      'advice-writer-ai': 4500,
    });
  });
});
