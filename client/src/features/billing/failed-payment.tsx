import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import { UpdatePayment } from '#client/features/billing/update-payment.tsx';
import { usePayNow } from '#client/features/billing/use-pay-now.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';

/** One failed renewal: the amount, the reason, and Pay now (decisions §6). */
export default function FailedPayment({ subscription }: { subscription: Subscription }) {
  const { tool, teamId, teamName, paymentProblem, gracePeriodEnd } = subscription;
  const { payNow, pending, refusal } = usePayNow(subscription);
  const amount = formatCents(paymentProblem?.amountCents ?? 0);
  const name = teamName ? `${tool.name} of ${teamName}` : tool.name;
  return (
    <Alert
      tone="danger"
      title={
        paymentProblem?.needsAction
          ? `Your payment of ${amount} for ${name} waits for you`
          : `Your payment of ${amount} for ${name} failed`
      }
      action={
        <div className="flex flex-wrap gap-2">
          <UpdatePayment teamId={teamId ?? undefined}>Update Payment</UpdatePayment>
          <Button
            size="sm"
            className="figures"
            pending={pending}
            pendingLabel="Paying…"
            aria-label={`Pay now: ${amount} for ${name}`}
            onClick={payNow}
          >
            Pay now
          </Button>
        </div>
      }
    >
      <p>
        {paymentProblem?.reason} {gracePeriodEnd && `You keep access until ${formatSydneyDate(gracePeriodEnd)}.`}
      </p>
      {refusal && refusal !== paymentProblem?.reason && (
        <p role="alert" className="mt-1 font-medium">
          {refusal}
        </p>
      )}
    </Alert>
  );
}
