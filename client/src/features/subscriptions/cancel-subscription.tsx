import { lazy, Suspense, useState } from 'react';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { Button } from '#client/ui/button.tsx';

// The dialog's code comes when the button is near being pressed, not with the dashboard.
const load = () => import('#client/features/subscriptions/cancel-dialog.tsx');
const CancelDialog = lazy(load);

type Props = { subscription: Subscription; label: 'Cancel' | 'Cancel Subscription'; className?: string };

/** The way out, in the same place as the way in (B §2, §5). */
export const CancelSubscription = ({ subscription, label, className }: Props) => {
  const [open, setOpen] = useState<boolean>();
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        className={className}
        aria-label={`${label}: ${subscription.tool.name}`}
        onPointerEnter={() => void load().catch(() => undefined)}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {open !== undefined && (
        <Suspense>
          <CancelDialog subscription={subscription} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
};
