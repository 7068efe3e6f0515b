import type { Discount } from '#shared/rules/pricing.ts';
import type { PurchaseAttempt } from '#shared/schema/subscriptions.ts';

/** The provider's coupon for a discount; ids are deterministic, so that every replica means the same. */
export function couponFor(discount: Discount): PurchaseAttempt['coupons'][number] {
  const percent = discount.kind === 'free' ? 100 : discount.percent;
  const figure = String(percent).replace('.', '_');
  const forever = { percent, months: null };
  switch (discount.kind) {
    case 'free':
      return { id: 'FREE100', name: 'Free access', ...forever };
    case 'partner':
      return { id: `PARTNER${figure}`, name: `Partner discount (${percent}%)`, ...forever };
    case 'bulk':
      return { id: `BULK_${figure}`, name: `Bulk discount (${percent}%)`, ...forever };
    case 'team':
      return { id: `TEAM${figure}`, name: `Team discount (${percent}%)`, ...forever };
    case 'win_back':
      return {
        id: `WB${discount.months}M_${figure}`,
        name: `Welcome back (${percent}%)`,
        percent,
        months: discount.months,
      };
  }
}

/** The kind of discount behind a coupon of ours. */
export function discountKindOf(couponId: string): Discount['kind'] {
  if (couponId.startsWith('PARTNER')) return 'partner';
  if (couponId.startsWith('BULK')) return 'bulk';
  if (couponId.startsWith('TEAM')) return 'team';
  return couponId.startsWith('WB') ? 'win_back' : 'free';
}
