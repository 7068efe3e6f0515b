import { contract } from '#shared/api/index.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/money.ts';
import { changedBySubscription, payerOf, refusalOr } from '#client/features/subscriptions/change.ts';
import { useCard } from '#client/features/subscriptions/use-card.tsx';
import { businessNow } from '#client/lib/business-time.ts';
import { useApiMutation } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Button } from '#client/ui/button.tsx';

/** The amount stands on every button that charges: inside the paid period reactivating costs nothing (decisions §5). */
const costOf = ({ status, endDate, monthlyCents, paymentProblem }: Subscription) => {
  if (status === 'grace_period') return paymentProblem?.amountCents ?? monthlyCents;
  return endDate && endDate > businessNow() ? 0 : monthlyCents;
};

type Props = { subscription: Subscription; className?: string };

/** Undoes a cancellation, or pays what is owed; asks for a card where one is needed. */
export const ReactivateSubscription = ({ subscription, className }: Props) => {
  const { toolId, tool, monthlyCents } = subscription;
  const done = () => toast({ title: 'Subscription Reactivated', description: `${tool.name} continues.` });
  const [askCard, cardDialog] = useCard(subscription, done);
  const cost = costOf(subscription);
  const reactivate = useApiMutation(contract.subscriptions.reactivate, {
    invalidates: changedBySubscription,
    onSuccess: ({ clientSecret }) => {
      if (clientSecret === null) return done();
      const intent = clientSecret.startsWith('seti_') ? 'setup' : 'payment';
      askCard({ toolId, toolName: tool.name, clientSecret, intent, totalCents: cost || monthlyCents });
    },
    onError: (error) =>
      toast({
        title: 'Error',
        description: refusalOr(error, 'Failed to reactivate subscription. Please try again.'),
        variant: 'destructive',
      }),
  });
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        className={className}
        pending={reactivate.isPending}
        pendingLabel="Reactivating…"
        aria-label={`Reactivate ${tool.name}${cost > 0 ? ` for ${formatCents(cost)}` : ''}`}
        onClick={() => reactivate.mutate({ body: { toolId, ...payerOf(subscription) } })}
      >
        Reactivate{cost > 0 && ` for ${formatCents(cost)}`}
      </Button>
      {cardDialog}
    </>
  );
};
