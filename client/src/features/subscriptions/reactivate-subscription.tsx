import { useRef } from 'react';
import { contract } from '#shared/api/index.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/money.ts';
import { changedBySubscription, payerOf, refusalOr } from '#client/features/subscriptions/change.ts';
import { useCard } from '#client/features/subscriptions/use-card.tsx';
import { beginsPeriod, reactivationCost } from '#client/features/subscriptions/reactivation-cost.ts';
import { businessNow } from '#client/lib/business-time.ts';
import { useApiMutation, useApiQuery } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { keepPlace, settledMs } from '#client/ui/keep-place.ts';

type Props = { subscription: Subscription; className?: string };

/** Undoes a cancellation, or pays what is owed; asks for a card where one is needed. */
export const ReactivateSubscription = ({ subscription, className }: Props) => {
  const { toolId, tool, monthlyCents } = subscription;
  const refocus = useRef<() => void>(null);
  const done = () => {
    toast({ title: 'Subscription Reactivated', description: `${tool.name} continues.` });
    // The button is about to go.
    setTimeout(() => refocus.current?.(), settledMs);
  };
  const [askCard, cardDialog] = useCard(subscription, done);
  const now = businessNow();
  // The amount stands on every button that charges.
  const quote = useApiQuery(
    contract.subscriptions.quote,
    { query: { toolId, ...payerOf(subscription) } },
    { enabled: beginsPeriod(subscription, now) },
  );
  const cost = reactivationCost(subscription, quote.data?.totalCents, now);
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
        onClick={(event) => {
          refocus.current = keepPlace(event.currentTarget);
          reactivate.mutate({ body: { toolId, ...payerOf(subscription) } });
        }}
      >
        Reactivate{cost > 0 && ` for ${formatCents(cost)}`}
      </Button>
      {cardDialog}
    </>
  );
};
