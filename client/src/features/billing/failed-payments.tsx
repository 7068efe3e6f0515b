import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/money.ts';
import { formatDay } from '#client/lib/format.ts';
import { UpdatePaymentButton } from '#client/features/billing/update-payment-button.tsx';
import { CardName, useCardOnFile } from '#client/lib/card-name.tsx';
import { useNotAllowed } from '#client/lib/not-allowed.ts';
import { usePayNow } from '#client/lib/use-pay-now.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';

const wasTried = ({ paymentProblem }: Subscription) => paymentProblem?.tried !== false;
const nameOf = ({ tool, teamName }: Subscription) => (teamName ? `${tool.name} of ${teamName}` : tool.name);
const owed = ({ paymentProblem }: Subscription) => paymentProblem?.amountCents ?? 0;

/** "Your payment of $30.00 for Risk Profile AI failed"; for several, their number and sum. */
function titleOf(subscriptions: readonly Subscription[], first: Subscription): string {
  const tried = wasTried(first);
  if (subscriptions.length === 1) {
    if (!tried) return `Free access to ${nameOf(first)} has ended`;
    const outcome = first.paymentProblem?.needsAction ? 'is waiting for you' : 'failed';
    return `Your payment of ${formatCents(owed(first))} for ${nameOf(first)} ${outcome}`;
  }
  const whose = first.teamName ? ` of ${first.teamName}` : '';
  if (!tried) return `Free access to ${subscriptions.length} tools${whose} has ended`;
  const sum = subscriptions.reduce((total, one) => total + owed(one), 0);
  return `${subscriptions.length} payments${whose} are due: ${formatCents(sum)} together`;
}

/** One banner for all the tools that a payer owes for, or no longer has for free. */
export default function FailedPayments({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const [first] = subscriptions;
  const { data: card } = useCardOnFile({ teamId: first?.teamId });
  if (!first) return null;
  const tried = wasTried(first);
  return (
    <Alert
      tone={tried ? 'danger' : 'warning'}
      title={titleOf(subscriptions, first)}
      action={
        (tried || !card) && (
          <UpdatePaymentButton teamId={first.teamId ?? undefined}>
            {tried ? 'Update payment method' : 'Add a card'}
          </UpdatePaymentButton>
        )
      }
    >
      <ul className="grid gap-2">
        {subscriptions.map((subscription) => (
          <Owed key={subscription.id} subscription={subscription} alone={subscriptions.length === 1} />
        ))}
      </ul>
    </Alert>
  );
}

const Owed = ({ subscription, alone }: { subscription: Subscription; alone: boolean }) => {
  const { tool, paymentProblem, gracePeriodEnd } = subscription;
  const { payNow, pending, refusal, card, cents } = usePayNow(subscription);
  const notAllowed = useNotAllowed(subscription.toolId);
  const amount = formatCents(cents);
  const tried = wasTried(subscription);
  const until = gracePeriodEnd && formatDay(gracePeriodEnd);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
      <div className="min-w-0 flex-1 basis-60">
        <p>
          {!alone && <span className="font-medium">{tool.name}: </span>}
          {notAllowed
            ? `${notAllowed.teamName} doesn’t allow this tool, so it can’t be paid for here. It ends on ${until} unless your card is charged again by then; cancel it to end it now.`
            : tried
              ? `${paymentProblem?.reason} You keep access until ${until}.`
              : `${card ? 'Start paying' : 'Add a card and start paying'} by ${until} to keep it: ${formatCents(subscription.monthlyCents)} a month. Nothing has been charged yet; otherwise it ends that day.`}
        </p>
        {refusal && refusal !== paymentProblem?.reason && (
          <p role="alert" className="mt-1 font-medium">
            {refusal}
          </p>
        )}
      </div>
      {card && !notAllowed && (
        <Button size="sm" className="figures" pending={pending} pendingLabel="Paying…" onClick={payNow}>
          <span>
            {tried ? 'Pay now' : 'Start paying'}: {amount} with <CardName card={card} />
            <span className="sr-only"> for {nameOf(subscription)}</span>
          </span>
        </Button>
      )}
    </li>
  );
};
