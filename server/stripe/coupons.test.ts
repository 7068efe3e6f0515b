import { expect, it } from 'vitest';
import type { Discount } from '#shared/rules/pricing.ts';
import { codeOfCoupon, couponFor, couponName, couponWithId, discountKindOf, percentOfCoupon } from './coupons.ts';

it.each<[Discount, string, string, number | null]>([
  [{ kind: 'free' }, 'FREE100', 'Free access', null],
  [{ kind: 'bulk', percent: 7.5 }, 'BULK_7_5', 'Bulk discount (7.5%)', null],
  [{ kind: 'win_back', percent: 30, months: 3 }, 'WB3M_30', 'Welcome back (30%)', 3],
  // A code may look like a coupon's id, or end in digits.
  ...['SPRING20', 'FREE100', 'WB3M', '2027', 'CODE3M'].map(
    (code) =>
      [
        { kind: 'code', percent: 20, months: 3, code } as const,
        `CODE3M_20_${code}`,
        `Discount code ${code} (20%)`,
        null,
      ] as [Discount, string, string, null],
  ),
])('%o has a coupon that says what it is', (discount, id, name, months) => {
  const coupon = couponFor(discount);
  const percent = 'percent' in discount ? discount.percent : 100;
  expect(coupon).toEqual({ id, name, percent, months });
  expect(couponWithId(id)).toEqual(coupon);
  expect([couponName(id), discountKindOf(id), percentOfCoupon(id)]).toEqual([name, discount.kind, percent]);
  expect(codeOfCoupon(id)).toEqual(discount.kind === 'code' ? { code: discount.code, percent: 20, months: 3 } : null);
  // Stripe's limit for a coupon's name.
  expect(name.length).toBeLessThanOrEqual(40);
});

it.each(['CODE', 'CODE3M_20_', 'CODE0M', 'CODES20'])('%s is none of ours', (id) => {
  expect(couponWithId(id)).toBeNull();
  expect(couponName(id)).toBe('Discount');
});
