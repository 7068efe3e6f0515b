import { describe, expect, it } from 'vitest';
import { bulkBanner, countedTools, priceOfOneMore, tiersOf, type CountedSubscription } from './bulk-banner.ts';
import { centsOf } from './money.ts';
import { priceOf } from './pricing.ts';
import { catalogue, seededTiers } from './tools.ts';

const tiers = tiersOf(seededTiers);
const standard = { membershipType: 'standard', freeAccessGranted: false } as const;
const partner = { membershipType: 'shaw_partners', freeAccessGranted: false } as const;

const paid = (toolId: string, details: Partial<CountedSubscription> = {}): CountedSubscription => {
  const tool = catalogue.find(({ id }) => id === toolId)!;
  const baseCents = centsOf(tool.basePrice);
  return { toolId, teamId: null, tool, baseCents, status: 'active', autoRenew: true, hasAccess: true, ...details };
};
const risk = paid('risk-profile-ai'); // $30
const factFind = paid('fact-find-ai'); // $50
const fileNote = paid('file-note-ai'); // $25
const lostMoney = paid('lost-money-ai');

describe('the bulk-discount banner', () => {
  it.each([
    ['nothing yet', standard, [], { kind: 'hint', tools: 0, next: { moreTools: 2, percent: 5, monthlyCents: 0 } }],
    [
      'one tool: the next tier would take 5% off it',
      standard,
      [risk],
      { kind: 'hint', tools: 1, next: { moreTools: 1, percent: 5, monthlyCents: 150 } },
    ],
    [
      'lost-money-ai does not count',
      standard,
      [risk, lostMoney],
      { kind: 'hint', tools: 1, next: { moreTools: 1, percent: 5, monthlyCents: 150 } },
    ],
    [
      "a team's tool does not count: the team pays for it",
      standard,
      [risk, paid('fact-find-ai', { teamId: 't1' })],
      { kind: 'hint', tools: 1, next: { moreTools: 1, percent: 5, monthlyCents: 150 } },
    ],
    [
      'an expired tool does not count',
      standard,
      [risk, paid('fact-find-ai', { status: 'expired', hasAccess: false })],
      { kind: 'hint', tools: 1, next: { moreTools: 1, percent: 5, monthlyCents: 150 } },
    ],
    [
      'two tools: 5% of $30 and $50',
      standard,
      [risk, factFind],
      {
        kind: 'saving',
        tools: 2,
        percent: 5,
        monthlyCents: 400,
        yearlyCents: 4800,
        next: { moreTools: 1, percent: 10, monthlyCents: 800 },
      },
    ],
    [
      'trial and grace count',
      standard,
      [paid('risk-profile-ai', { status: 'trial' }), paid('fact-find-ai', { status: 'grace_period' })],
      {
        kind: 'saving',
        tools: 2,
        percent: 5,
        monthlyCents: 400,
        yearlyCents: 4800,
        next: { moreTools: 1, percent: 10, monthlyCents: 800 },
      },
    ],
    [
      'what is not charged again counts for the tier but saves nothing more',
      standard,
      [risk, paid('fact-find-ai', { status: 'cancelled' }), paid('file-note-ai', { autoRenew: false })],
      {
        kind: 'saving',
        tools: 3,
        percent: 10,
        monthlyCents: 300,
        yearlyCents: 3600,
        next: { moreTools: 1, percent: 15, monthlyCents: 450 },
      },
    ],
    [
      'after the partner discount, rounded tool by tool: 5% of $15.00 and of $12.50',
      partner,
      [risk, fileNote],
      {
        kind: 'saving',
        tools: 2,
        percent: 5,
        monthlyCents: 75 + 63,
        yearlyCents: 12 * 138,
        next: { moreTools: 1, percent: 10, monthlyCents: 150 + 125 },
      },
    ],
    [
      'five tools: between two tiers',
      standard,
      [risk, factFind, fileNote, paid('pre-fill-ai'), paid('portfolio-ai')],
      {
        kind: 'saving',
        tools: 5,
        percent: 15,
        monthlyCents: 2625,
        yearlyCents: 31500,
        next: { moreTools: 1, percent: 20, monthlyCents: 3500 },
      },
    ],
    [
      'all six: nothing further to reach',
      standard,
      [risk, factFind, fileNote, paid('pre-fill-ai'), paid('portfolio-ai'), paid('share-advice-ai'), lostMoney],
      { kind: 'saving', tools: 6, percent: 20, monthlyCents: 4200, yearlyCents: 50400, next: null },
    ],
    ['free access needs no discount', { ...standard, freeAccessGranted: true }, [risk], { kind: 'free_access' }],
  ])('%s', (_case, adviser, subscriptions, expected) => {
    expect(bulkBanner(adviser, subscriptions, tiers)).toEqual(expected);
  });

  it('says nothing when there are no tiers', () => {
    expect(bulkBanner(standard, [risk], [])).toBeNull();
  });

  it('equals what the prices of the tools differ by, those that a subscription has kept', () => {
    const subscriptions = [risk, { ...factFind, baseCents: 4200 }, fileNote];
    const price = (sub: CountedSubscription, tierList: typeof tiers) =>
      priceOf({
        toolId: sub.toolId,
        toolName: sub.tool.name,
        unitCents: sub.baseCents,
        payer: { kind: 'user', membershipType: 'standard', freeAccess: false, members: 1 },
        paidTools: countedTools(subscriptions).length,
        tiers: tierList,
      }).totalCents;
    const difference = subscriptions.reduce((sum, sub) => sum + price(sub, []) - price(sub, tiers), 0);
    expect(bulkBanner(standard, subscriptions, tiers)).toMatchObject({ kind: 'saving', monthlyCents: difference });
  });
});

describe('the price of one tool more', () => {
  const preFill = catalogue.find(({ id }) => id === 'pre-fill-ai')!; // $30

  it.each([
    ['the first tool', standard, [], 3000],
    ['the second: 5%', standard, [risk], 2850],
    ['lost money and a team do not count', standard, [risk, lostMoney, paid('fact-find-ai', { teamId: 't1' })], 2850],
    ['the second of a partner: 5% of $15.00', partner, [risk], 1425],
    ['free access', { ...standard, freeAccessGranted: true }, [risk], 0],
  ])('%s', (_case, adviser, subscriptions, cents) => {
    expect(priceOfOneMore(adviser, preFill, subscriptions, tiers).totalCents).toBe(cents);
  });
});
