import { describe, expect, it } from 'vitest';
import {
  codeClosed,
  codeNotFor,
  codeTerms,
  codeUseless,
  type DiscountCode,
  isCodeOver,
  lastDayOf,
} from './discount-codes.ts';
import { sydneyMidnight } from '../dates.ts';
import { type PayerFacts, priceOf } from './pricing.ts';

const spring: DiscountCode = {
  code: 'SPRING20',
  percent: 20,
  months: 3,
  toolIds: null,
  startsAt: null,
  endsAt: sydneyMidnight('2026-12-01'),
  mostRedemptions: 3,
  endedAt: null,
};
const now = new Date('2026-11-23T02:00:00Z');
const tool = { id: 'file-note-ai', name: 'File Note AI' };

describe('a discount code', () => {
  it.each<[string, Partial<DiscountCode>, Date, string | null]>([
    ['open', {}, now, null],
    ['for this tool among others', { toolIds: ['portfolio-ai', 'file-note-ai'] }, now, null],
    ['for other tools', { toolIds: ['portfolio-ai'] }, now, 'This discount code is not for File Note AI'],
    ['ended early', { endedAt: now }, now, 'This discount code has ended'],
    [
      'from tomorrow',
      { startsAt: sydneyMidnight('2026-11-24') },
      now,
      'This discount code can be used from 24 Nov 2026',
    ],
    ['from today', { startsAt: sydneyMidnight('2026-11-23') }, now, null],
    ['in the last minute of the last day in Sydney', {}, new Date('2026-11-30T12:59:59Z'), null],
    ['at midnight', {}, new Date('2026-11-30T13:00:00Z'), 'This discount code could be used until 30 Nov 2026'],
  ])('can be redeemed, or is refused in a sentence: %s', (_case, change, at, fault) => {
    const code = { ...spring, ...change };
    expect(codeNotFor(code, tool) ?? codeClosed(code, at)).toBe(fault);
  });

  it.each<[string, Partial<DiscountCode>, boolean]>([
    ['open', {}, false],
    ['from tomorrow', { startsAt: sydneyMidnight('2026-11-24') }, false],
    ['ended', { endedAt: now }, true],
    ['after its last day', { endsAt: now }, true],
  ])('is over or not: %s', (_case, change, over) => expect(isCodeOver({ ...spring, ...change }, now)).toBe(over));

  it('says what it gives, and until when', () => {
    expect([codeTerms(spring), codeTerms({ percent: 5, months: 1 })]).toEqual([
      '20% off for 3 months',
      '5% off for 1 month',
    ]);
    expect(lastDayOf(spring)).toEqual(new Date('2026-11-30T12:59:00Z'));
  });
});

describe('a discount code beside other discounts', () => {
  const adviser: PayerFacts = { kind: 'user', membershipType: 'standard', freeAccess: false, members: 1 };
  const tiers = [{ toolCount: 2, discountPercent: 20 }];
  it.each<[string, PayerFacts, number, number, string | null]>([
    ['one tool', adviser, 1, 10, null],
    ['smaller than the volume discount', adviser, 2, 10, 'Your bulk discount of 20% is larger than the 10%'],
    ['as large', adviser, 2, 20, 'Your bulk discount takes off 20% already'],
    ['larger', adviser, 2, 21, null],
    [
      'smaller than the team discount',
      { ...adviser, kind: 'team', members: 5 },
      3,
      15,
      'Your bulk discount of 20% is larger',
    ],
    ['a partner’s is taken off what is left', { ...adviser, membershipType: 'shaw_partners' }, 1, 10, null],
    ['free access', { ...adviser, freeAccess: true }, 1, 10, 'This tool costs you nothing'],
  ])('is refused where it takes nothing off: %s', (_case, payer, paidTools, percent, sentence) => {
    const price = priceOf({
      toolId: tool.id,
      toolName: tool.name,
      unitCents: 3000,
      payer,
      paidTools,
      tiers,
      winBack: { percent, months: 3, code: 'SPRING20' },
    });
    const said = codeUseless({ percent }, price);
    if (sentence === null) expect(said).toBeNull();
    else expect(said).toContain(sentence);
  });
});
