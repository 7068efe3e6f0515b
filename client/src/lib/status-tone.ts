import type { SubscriptionStatus } from '#shared/rules/subscriptions.ts';

/** The tone of a subscription's badge, the same on cards and in the panel. */
export const statusTone = {
  incomplete: 'neutral',
  trial: 'info',
  active: 'success',
  grace_period: 'warning',
  cancelled: 'warning',
  expired: 'neutral',
} as const satisfies Record<SubscriptionStatus, string>;
