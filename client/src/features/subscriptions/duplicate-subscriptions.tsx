import { clsx } from 'clsx';
import { contract } from '#shared/api/members.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { cancellationTerms } from '#shared/rules/billing/cancellation.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { subscriptionCan } from '#shared/rules/billing/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { refusalOr } from '#client/lib/calls/api-error.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { Alert, Button } from '#client/ui/elements.tsx';

type Duplicate = { own: Subscription; teamName: string };

/** The adviser's own subscriptions that keep renewing although their team has the same tool. */
export const duplicatesOf = (subscriptions: readonly Subscription[], now: Date): Duplicate[] =>
  subscriptions
    .filter((own) => own.teamId === null && own.toolId !== lostMoneyTool && own.autoRenew)
    .filter((own) => own.hasAccess && subscriptionCan.cancel(own, now))
    .flatMap((own) => {
      const shared = subscriptions.find((sub) => sub.teamId !== null && sub.toolId === own.toolId && sub.hasAccess);
      return shared?.teamName ? [{ own, teamName: shared.teamName }] : [];
    });

const EndMine = ({ own, teamName }: Duplicate) => {
  const { endDate, gracePeriodEnd } = cancellationTerms(own, false, businessNow());
  const { mutate, isPending } = useApiMutation(contract.subscriptions.cancel, {
    onSuccess: (ended) =>
      toast({
        title: 'Subscription Cancelled',
        description: `Your own ends on ${formatSydneyDate(ended.endDate)}. The team's continues.`,
      }),
    onError: (error) => toastError(refusalOr(error, 'Failed to cancel subscription. Please try again.')),
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
      {teamName} gives it to you, and you also subscribe to it yourself. End yours and keep the tool through the team;
      until {formatSydneyDate(gracePeriodEnd)} you can change your mind.
    </Alert>
  );
};

export const DuplicateSubscriptions = ({ className }: { className?: string }) => {
  const { data } = useApiQuery(contract.subscriptions.list);
  const duplicates = data ? duplicatesOf(data, businessNow()) : [];
  if (duplicates.length === 0) return null;
  return (
    <div className={clsx('flex flex-col gap-3', className)}>
      {duplicates.map((duplicate) => (
        <EndMine key={duplicate.own.id} {...duplicate} />
      ))}
    </div>
  );
};
