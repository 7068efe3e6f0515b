import { clsx } from 'clsx';
import { useRef, useState } from 'react';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { subscriptionCan } from '#shared/rules/billing/subscriptions.ts';
import type { Charge } from '#shared/api/charge.ts';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { useNotAllowed } from '#client/lib/money/not-allowed.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { Button, Text } from '#client/ui/elements.tsx';
import { termsOf } from '#client/features/subscriptions/charge-terms.ts';
import { usePaymentDialog } from '#client/features/subscriptions/use-payment-dialog.tsx';
import { refusalOr } from '#client/lib/calls/api-error.ts';
import { useApiMutation, useApiQuery, write } from '#client/lib/calls/use-api.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { rememberFocus, returnFocusSoon } from '#client/ui/return-focus.ts';
import { payerArgs } from '#client/lib/money/payer.tsx';

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
        <CancelSubscription subscription={subscription} cancelLabel={cancelLabel} className={className} />
      )}
    </>
  );
};

const CancelSubscription = ({ subscription, cancelLabel: label, className }: Props) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant={label === 'Cancel' ? 'secondary' : 'link'}
        size="sm"
        className={clsx(className, label !== 'Cancel' && 'text-xs! font-normal! text-muted!')}
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

const failure = 'Failed to reactivate subscription. Please try again.';

/** Undoes a cancellation: at once inside the paid period, otherwise after saying what is charged. */
const ReactivateSubscription = ({ subscription, className }: Omit<Props, 'cancelLabel'>) => {
  const { toolId, tool, paidUntil } = subscription;
  const refocus = useRef<() => void>(null);
  const done = () => {
    toast({ title: 'Subscription Reactivated', description: `${tool.name} continues.` });
    // The button is about to disappear.
    returnFocusSoon(refocus.current);
  };
  const [askToPay, paymentDialog] = usePaymentDialog(subscription, done);
  const costs = !(paidUntil && paidUntil > businessNow());
  // Every button that charges names the amount.
  const quote = useApiQuery(
    contract.subscriptions.quote,
    { query: { toolId, ...payerArgs(subscription) } },
    { enabled: costs },
  );
  const due = costs ? (quote.data?.dueTodayCents ?? 0) : 0;
  const body = { toolId, ...payerArgs(subscription) };
  /** A quick press may have to wait for the price. */
  const pay = async () => {
    const quoted = quote.data ?? (await quote.refetch({ cancelRefetch: false })).data;
    if (!quoted) return toastError(failure);
    if (quoted.totalCents === 0) return reactivate.mutate({ body });
    askToPay({
      toolId,
      toolName: tool.name,
      terms: termsOf(quoted),
      open: (charge?: Charge) =>
        write(contract.subscriptions.reactivate, { body: { ...body, ...(charge && { charge }) } }, { early: true }),
      failure,
    });
  };
  const reactivate = useApiMutation(contract.subscriptions.reactivate, {
    onSuccess: ({ clientSecret }) => (clientSecret === null ? done() : void pay()),
    // The paid period may have ended since the page was loaded: then it costs something, and asks first.
    onError: (error) => (error.code === 'price_changed' ? void pay() : toastError(refusalOr(error, failure))),
  });
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        className={className}
        pending={reactivate.isPending}
        pendingLabel="Reactivating…"
        aria-label={`Reactivate ${tool.name}${due > 0 ? ` for ${formatCents(due)}` : ''}`}
        onClick={(event) => {
          refocus.current = rememberFocus(event.currentTarget);
          if (costs) void pay();
          else reactivate.mutate({ body });
        }}
      >
        <Text>Reactivate{due > 0 && ` for ${formatCents(due)}`}</Text>
      </Button>
      {paymentDialog}
    </>
  );
};
