import type { SubscriptionStatus } from '#shared/rules/billing/subscriptions.ts';

export const statusTone = {
  incomplete: 'neutral',
  trial: 'info',
  active: 'success',
  grace_period: 'warning',
  cancelled: 'warning',
  expired: 'neutral',
} as const satisfies Record<SubscriptionStatus, string>;
