import { useRef } from 'react';
import type { Charge } from '#shared/api/charge.ts';
import { contract } from '#shared/api/members.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { termsOf } from '#client/features/subscriptions/charge-terms.ts';
import { usePaymentDialog } from '#client/features/subscriptions/use-payment-dialog.tsx';
import { refusalOr } from '#client/lib/calls/api-error.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { useApiMutation, write } from '#client/lib/calls/write.ts';
import { Button } from '#client/ui/button.tsx';
import { rememberFocus, returnFocusSoon } from '#client/ui/return-focus.ts';
import { payerArgs } from '#client/lib/money/payer.ts';

type Props = { subscription: Subscription; className?: string };

const failure = 'Failed to reactivate subscription. Please try again.';

/** Undoes a cancellation: at once inside the paid period, otherwise after saying what is charged. */
export const ReactivateSubscription = ({ subscription, className }: Props) => {
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
        Reactivate{due > 0 && ` for ${formatCents(due)}`}
      </Button>
      {paymentDialog}
    </>
  );
};
