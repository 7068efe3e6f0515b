import type { Subscription } from '#shared/api/subscriptions.ts';
import { subscriptionCan } from '#shared/rules/subscriptions.ts';
import { CancelSubscription } from '#client/features/subscriptions/cancel-subscription.tsx';
import { ReactivateSubscription } from '#client/features/subscriptions/reactivate-subscription.tsx';
import { businessNow } from '#client/lib/business-time.ts';

type Props = { subscription: Subscription; cancelLabel: 'Cancel' | 'Cancel Subscription'; className?: string };

/** What its payer can do with a subscription: one table of rules says so (B §4). */
export const ManageSubscription = ({ subscription, cancelLabel, className = '' }: Props) => {
  const now = businessNow();
  if (!subscription.canManage) return null;
  return (
    <>
      {subscriptionCan.reactivate(subscription, now) && (
        <ReactivateSubscription subscription={subscription} className={className} />
      )}
      {subscriptionCan.cancel(subscription, now) && (
        <CancelSubscription subscription={subscription} label={cancelLabel} className={className} />
      )}
    </>
  );
};
