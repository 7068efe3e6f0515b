import {
  type Discount,
  discountKinds,
  partnerPercent,
  percentOff,
  teamPercent,
  type Tier,
} from '#shared/rules/pricing.ts';
import { winBackOfferIds, type WinBackSettings } from '#shared/rules/win-back.ts';
import type { PurchaseAttempt } from '#shared/schema/subscriptions.ts';

/** How the id of each kind's coupons begins, and what an invoice calls it. */
const coupons: Record<Discount['kind'], { prefix: string; name: string }> = {
  free: { prefix: 'FREE', name: 'Free access' },
  free_month: { prefix: 'GIFT', name: 'Free month' },
  partner: { prefix: 'PARTNER', name: 'Partner discount' },
  bulk: { prefix: 'BULK_', name: 'Bulk discount' },
  team: { prefix: 'TEAM', name: 'Team discount' },
  win_back: { prefix: 'WB', name: 'Welcome back' },
  code: { prefix: 'CODE', name: 'Discount code' },
};

/** `CODE3M_20_SPRING20`: months, percent and text of a discount code. */
const codeCoupon = /^CODE([1-9]\d*)M_(\d+)_([A-Z0-9]+)$/;

/** The discount code that one of our coupons stands for, with its months. */
export function codeOfCoupon(couponId: string): { code: string; percent: number; months: number } | null {
  const [, months, percent, code] = codeCoupon.exec(couponId) ?? [];
  return code === undefined ? null : { code, percent: Number(percent), months: Number(months) };
}

/**
 * The Stripe coupon for a discount. Its id follows from the discount, so that every replica uses the same coupon. A discount code's coupon
 * has no end at Stripe, which would count a trial among its months; the reprice before the first full price removes it.
 */
export function couponFor(discount: Discount): PurchaseAttempt['coupons'][number] {
  const percent = percentOff(discount);
  if (discount.kind === 'code') {
    const id = `CODE${discount.months}M_${percent}_${discount.code}`;
    return { id, name: couponName(id), percent, months: null };
  }
  const months = discount.kind === 'win_back' ? discount.months : null;
  const { prefix } = coupons[discount.kind];
  const id = `${prefix}${months === null ? '' : `${months}M_`}${String(percent).replace('.', '_')}`;
  return { id, name: couponName(id), percent, months };
}

/** Every coupon that a price may use, with these volume discounts and win-back offers. */
export const allCoupons = (tiers: readonly Tier[], winBack: WinBackSettings): PurchaseAttempt['coupons'] => {
  const backs = winBackOfferIds.flatMap((id) => {
    const { isOn, months, steps } = winBack[id];
    return isOn ? steps.map(({ percent }) => ({ percent, months })) : [];
  });
  const discounts: Discount[] = [
    { kind: 'free' },
    { kind: 'free_month' },
    { kind: 'partner', percent: partnerPercent },
    ...tiers.map(({ discountPercent }) => ({ kind: 'bulk' as const, percent: discountPercent })),
    { kind: 'team', percent: teamPercent },
    ...backs.map(({ percent, months }) => ({ kind: 'win_back' as const, percent, months })),
  ];
  return [...new Map(discounts.map(couponFor).map((coupon) => [coupon.id, coupon])).values()];
};

const kindOf = (couponId: string) =>
  discountKinds.find((kind) =>
    kind === 'code' ? codeOfCoupon(couponId) !== null : couponId.startsWith(coupons[kind].prefix),
  );

/** The kind of discount that one of our coupons stands for. */
export const discountKindOf = (couponId: string): Discount['kind'] => kindOf(couponId) ?? 'free';

/** The percent that one of our coupons takes off, from its id. */
const percentIn = (couponId: string) =>
  /(\d+(?:_\d+)?)$/.exec(couponId.replace(/^BULK_|^WB\d+M_/, ''))?.[1]?.replace('_', '.');
export const percentOfCoupon = (couponId: string) =>
  codeOfCoupon(couponId)?.percent ?? Number(percentIn(couponId) ?? 0);

/** One of our coupons, made from its id, even where its settings are no longer in force. Null where it is not ours. */
export function couponWithId(id: string): PurchaseAttempt['coupons'][number] | null {
  const kind = kindOf(id);
  const percent = percentOfCoupon(id);
  if (!kind || !percent) return null;
  const months = kind === 'win_back' ? Number(/^WB(\d+)M_/.exec(id)?.[1] ?? 0) : null;
  return months === 0 || percent > 100 ? null : { id, name: couponName(id), percent, months };
}

/** What an invoice calls a coupon: "Bulk discount (10%)"; one that is not ours is a "Discount". */
export function couponName(couponId: string): string {
  const kind = kindOf(couponId);
  const code = codeOfCoupon(couponId);
  if (code) return `Discount code ${code.code} (${code.percent}%)`;
  const percent = percentIn(couponId);
  if (!kind || !percent) return 'Discount';
  return percent === '100' ? coupons[kind].name : `${coupons[kind].name} (${percent}%)`;
}
