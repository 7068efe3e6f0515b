import { contract } from '#shared/api/index.ts';
import { cancellationTerms } from '#shared/rules/cancellation.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { changedBySubscription, refusalOr } from '#client/features/subscriptions/change.ts';
import { type Double, doublesOf } from '#client/features/subscriptions/doubles.ts';
import { businessNow } from '#client/lib/business-time.ts';
import { useApiMutation, useApiQuery } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';

const Offer = ({ own, teamName }: Double) => {
  const { endDate, gracePeriodEnd } = cancellationTerms(own, false, businessNow());
  const { mutate, isPending } = useApiMutation(contract.subscriptions.cancel, {
    invalidates: changedBySubscription,
    onSuccess: (ended) =>
      toast({
        title: 'Subscription Cancelled',
        description: `Your own ends on ${formatSydneyDate(ended.endDate)}. The team's goes on.`,
      }),
    onError: (error) =>
      toast({
        title: 'Error',
        description: refusalOr(error, 'Failed to cancel subscription. Please try again.'),
        variant: 'destructive',
      }),
  });
  return (
    <Alert
      title={`You have ${own.tool.name} twice`}
      action={
        <Button
          variant="secondary"
          size="sm"
          pending={isPending}
          pendingLabel="Ending yours…"
          onClick={() => mutate({ body: { toolId: own.toolId, cancelImmediately: false } })}
        >
          End mine on {formatSydneyDate(endDate)}
        </Button>
      }
    >
      {teamName} gives it to you, and you subscribe to it yourself, too. End yours, and you keep the tool through the
      team; until {formatSydneyDate(gracePeriodEnd)} you can take that back.
    </Alert>
  );
};

/** Personal and team subscription to one tool at once: said, with the way out (decisions §7). */
export const DoubleSubscriptions = ({ className }: { className?: string }) => {
  const { data } = useApiQuery(contract.subscriptions.list);
  const doubles = data ? doublesOf(data, businessNow()) : [];
  if (doubles.length === 0) return null;
  return (
    <div className={className}>
      <div className="flex flex-col gap-3">
        {doubles.map((double) => (
          <Offer key={double.own.id} {...double} />
        ))}
      </div>
    </div>
  );
};
