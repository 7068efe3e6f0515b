import { useState } from 'react';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { subscriptionCan } from '#shared/rules/billing/subscriptions.ts';
import { ReactivateSubscription } from '#client/features/subscriptions/reactivate-subscription.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';
import { useNotAllowed } from '#client/lib/money/not-allowed.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { Button } from '#client/ui/button.tsx';

const [CancelDialog, prepareDialog] = lazyDialog(() => import('#client/features/subscriptions/cancel-dialog.tsx'));

type Props = { subscription: Subscription; cancelLabel: 'Cancel' | 'Cancel Subscription'; className?: string };

/** The buttons that its payer may use now. What is owed has one button for everything, in the banner. */
export const ManageSubscription = ({ subscription, cancelLabel, className = '' }: Props) => {
  const now = businessNow();
  // What the practice doesn't allow can only be cancelled: the server refuses the rest.
  const notAllowed = useNotAllowed(subscription.toolId);
  if (!subscription.canManage) return null;
  return (
    <>
      {!notAllowed && !subscriptionCan.pay(subscription, now) && subscriptionCan.reactivate(subscription, now) && (
        <ReactivateSubscription subscription={subscription} className={className} />
      )}
      {subscriptionCan.cancel(subscription, now) && (
        <CancelSubscription subscription={subscription} label={cancelLabel} className={className} />
      )}
    </>
  );
};

type CancelProps = { subscription: Subscription; label: 'Cancel' | 'Cancel Subscription'; className?: string };

const CancelSubscription = ({ subscription, label, className }: CancelProps) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant={label === 'Cancel' ? 'secondary' : 'link'}
        size="sm"
        className={className}
        aria-label={`${label}: ${subscription.tool.name}`}
        onPointerEnter={prepareDialog}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <CancelDialog subscription={subscription} open={open} onClose={() => setOpen(false)} />
    </>
  );
};
