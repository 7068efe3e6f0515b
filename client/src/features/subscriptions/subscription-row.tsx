import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/money.ts';
import { renewalBadge } from '#shared/rules/renewal.ts';
import { statusLabels, subscriptionCan } from '#shared/rules/subscriptions.ts';
import { presentationOf } from '#shared/rules/tools.ts';
import { AutoRenew } from '#client/features/subscriptions/auto-renew.tsx';
import { ManageSubscription } from '#client/features/subscriptions/manage-subscription.tsx';
import { dateLine } from '#client/features/subscriptions/subscription-dates.ts';
import { businessNow } from '#client/lib/business-time.ts';
import { statusTone } from '#client/lib/status-tone.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

const priceText = ({ status, monthlyCents, canManage, quantity }: Subscription) => {
  // A member sees what the team has, without billing (decisions §7).
  if (!canManage || status === 'expired') return null;
  if (monthlyCents === 0) return 'Free';
  return `${formatCents(monthlyCents)}/month${quantity > 1 ? ` for ${quantity} members` : ''}`;
};

/** One subscription: how it stands, what it costs, the date that matters, and what its payer can do (B §2, §4). */
export const SubscriptionRow = ({ subscription }: { subscription: Subscription }) => {
  const { toolId, tool, status, teamName, canManage, paymentProblem, winBack } = subscription;
  const now = businessNow();
  const price = priceText(subscription);
  const date = dateLine(subscription, now);
  const badge = renewalBadge(subscription, now);
  // Over and past the last day to reactivate, though the job has not come round yet.
  const over = status === 'cancelled' && !subscriptionCan.reactivate(subscription, now);
  return (
    <li className="flex items-start gap-3 py-3">
      <ToolIcon toolId={toolId} icon={presentationOf(toolId)?.icon} className="size-8!" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-start justify-between gap-x-2 gap-y-1">
          <p className="min-w-0 font-medium">{tool.name}</p>
          <span className="flex flex-wrap justify-end gap-1">
            {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
            <Badge tone={statusTone[status]}>{over ? 'Cancelled' : statusLabels[status]}</Badge>
          </span>
        </div>
        <p className="figures mt-0.5 flex flex-wrap gap-x-2 text-xs text-muted">
          {teamName && <span>{teamName}</span>}
          {price && <span className="text-text">{price}</span>}
          {date && <span>{date}</span>}
        </p>
        {canManage && winBack && (
          <p className="figures mt-0.5 text-xs text-success">Welcome back: {winBack.percent}% off</p>
        )}
        {canManage && paymentProblem && <p className="mt-0.5 text-xs text-danger">{paymentProblem.reason}</p>}
        {canManage && (
          <div className="-ml-2.5 mt-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 has-[label]:ml-0">
            {subscriptionCan.autoRenew(subscription, now) && <AutoRenew subscription={subscription} />}
            <span className="ml-auto flex flex-wrap gap-2">
              <ManageSubscription subscription={subscription} cancelLabel="Cancel" />
            </span>
          </div>
        )}
      </div>
    </li>
  );
};
