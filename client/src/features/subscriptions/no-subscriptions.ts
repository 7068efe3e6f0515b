import type { Subscription } from '#shared/api/subscriptions.ts';

export const noneTitle = 'No Active Subscriptions';
export const hasNone = (subscriptions: readonly Subscription[]) =>
  subscriptions.every(({ status }) => status === 'expired');
