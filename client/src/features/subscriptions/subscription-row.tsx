import { useRef, useState } from 'react';
import { contract } from '#shared/api/members.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/money.ts';
import { renewalBadge } from '#shared/rules/renewal.ts';
import { statusLabel, subscriptionCan } from '#shared/rules/subscriptions.ts';
import { formatDay } from '#client/lib/format.ts';
import { ManageSubscription } from '#client/features/subscriptions/manage-subscription.tsx';
import { dateLine } from '#client/features/subscriptions/subscription-dates.ts';
import { businessNow } from '#client/lib/business-time.ts';
import { useNotAllowed } from '#client/lib/not-allowed.ts';
import { payerArgs } from '#client/lib/payer.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { statusTone } from '#client/lib/status-tone.ts';
import { useToolLook } from '#client/lib/tool-look.ts';
import { toast } from '#client/lib/toast.ts';
import { useApiMutation } from '#client/lib/write.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Switch } from '#client/ui/checkbox.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

const priceText = ({ status, monthlyCents, canManage, quantity, freeUntil }: Subscription) => {
  // Members see their team's subscriptions without prices.
  if (!canManage || status === 'expired') return null;
  if (monthlyCents === 0) return freeUntil ? null : 'Free';
  return `${formatCents(monthlyCents)}/month${quantity > 1 ? ` for ${quantity} members` : ''}`;
};

/** Stops or resumes the renewal. The switch moves before the server answers, and back if that fails. */
const AutoRenew = ({ subscription }: { subscription: Subscription }) => {
  const { toolId, tool, autoRenew } = subscription;
  const busy = useRef(false);
  const [wanted, setWanted] = useState<boolean | null>(null);
  const { mutate } = useApiMutation(contract.subscriptions.autoRenew, {
    onSuccess: (_reply, { body }) =>
      toast({
        title: body.autoRenew ? 'Auto-renewal enabled' : 'Auto-renewal disabled',
        description: body.autoRenew
          ? `${tool.name} renews each month again.`
          : `${tool.name} ends with the period you have paid for.`,
      }),
    failure: 'Failed to update auto-renewal settings.',
    onSettled: () => {
      busy.current = false;
      setWanted(null);
    },
  });
  const change = (on: boolean) => {
    // Not `wanted`: somebody who sees the toast may press again before its reset is drawn.
    if (busy.current) return;
    busy.current = true;
    setWanted(on);
    mutate({ params: { toolId }, body: { autoRenew: on, ...payerArgs(subscription) } });
  };
  return (
    <Switch
      label="Auto-renew"
      aria-label={`Auto-renew ${tool.name}`}
      checked={wanted ?? autoRenew}
      onChange={(event) => change(event.target.checked)}
    />
  );
};

/** How much a win-back offer or discount code takes off the next charge, until when, and what it costs after that. */
const WinBackTerms = ({ subscription }: { subscription: Subscription }) => {
  const { id, winBack, discounts } = subscription;
  const holds = winBack !== null && discounts.some(({ kind }) => kind === 'win_back' || kind === 'code');
  const forecast = useApiQuery(contract.billing.forecast, { query: payerArgs(subscription) }, { enabled: holds });
  if (!holds) return null;
  const after = forecast.data?.charges.find(({ subscriptionId }) => subscriptionId === id)?.after;
  return (
    <p className="figures mt-0.5 text-xs text-success">
      {winBack.code ? `Discount code ${winBack.code}` : 'Welcome back'}: {winBack.percent}% off
      {winBack.endsAt && ` until ${formatDay(winBack.endsAt)}`}
      {after && `, then ${formatCents(after.totalCents)}/month`}
    </p>
  );
};

/** Until when nothing is charged, and what it costs after that. */
const FreeMonths = ({ subscription, until }: { subscription: Subscription; until: Date }) => {
  const forecast = useApiQuery(contract.billing.forecast, { query: payerArgs(subscription) });
  const paid = forecast.data?.charges.find(
    ({ subscriptionId, at }) => subscriptionId === subscription.id && at >= until,
  );
  return (
    <p className="figures mt-0.5 text-xs text-success">
      Free until {formatDay(until)}
      {paid && `, then ${formatCents(paid.totalCents)}/month`}
    </p>
  );
};

export const SubscriptionRow = ({ subscription }: { subscription: Subscription }) => {
  const { toolId, tool, status, teamName, canManage, nextPrice, paymentProblem } = subscription;
  const { icon } = useToolLook()(toolId);
  const now = businessNow();
  const price = priceText(subscription);
  const date = dateLine(subscription, now);
  const badge = renewalBadge(subscription, now);
  const notAllowed = useNotAllowed(toolId);
  const { autoRenew, monthlyCents, cardOnFile } = subscription;
  const renews = autoRenew && monthlyCents > 0 && (status === 'active' || (status === 'trial' && cardOnFile));
  return (
    <li className="flex items-start gap-3 py-3">
      <ToolIcon icon={icon} className="size-8!" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-start justify-between gap-x-2 gap-y-1">
          <p className="min-w-0 font-medium">{tool.name}</p>
          <span className="flex flex-wrap justify-end gap-1">
            {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
            <Badge tone={statusTone[status]}>{statusLabel(subscription)}</Badge>
          </span>
        </div>
        <p className="figures mt-0.5 flex flex-wrap gap-x-2 text-xs text-muted">
          {teamName && <span>{teamName}</span>}
          {price && <span className="text-text">{price}</span>}
          {date && <span>{date}</span>}
        </p>
        {canManage && <WinBackTerms subscription={subscription} />}
        {subscription.freeUntil && <FreeMonths subscription={subscription} until={subscription.freeUntil} />}
        {nextPrice && (
          <p className="figures mt-0.5 text-xs">
            On {formatDay(nextPrice.from)} the price goes from {formatCents(nextPrice.beforeCents)} to{' '}
            {formatCents(nextPrice.unitCents)} a month{subscription.quantity > 1 && ' for each member'}.
            {nextPrice.unitCents > nextPrice.beforeCents && ' To leave, cancel before that day.'}
          </p>
        )}
        {notAllowed && subscription.hasAccess && (
          <p className="mt-0.5 text-xs">
            {notAllowed.teamName} doesn’t allow this tool.
            {canManage && renews && ' It renews, and is charged, until you cancel it.'}
            {canManage && status === 'grace_period' && ' It can’t be paid for here.'}
          </p>
        )}
        {canManage && paymentProblem?.tried && <p className="mt-0.5 text-xs text-danger">{paymentProblem.reason}</p>}
        {canManage && (
          <div className="-ml-2.5 mt-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 has-[label]:ml-0">
            {subscriptionCan.autoRenew(subscription, now) && (!notAllowed || autoRenew) && (
              <AutoRenew subscription={subscription} />
            )}
            <span className="ml-auto flex flex-wrap gap-2">
              <ManageSubscription subscription={subscription} cancelLabel="Cancel" />
            </span>
          </div>
        )}
      </div>
    </li>
  );
};
