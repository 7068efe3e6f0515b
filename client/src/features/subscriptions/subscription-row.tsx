import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/money.ts';
import { statusLabels } from '#shared/rules/subscriptions.ts';
import { presentationOf } from '#shared/rules/tools.ts';
import { dateLine } from '#client/features/subscriptions/subscription-dates.ts';
import { businessNow } from '#client/lib/business-time.ts';
import { statusTone } from '#client/lib/status-tone.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

const priceText = ({ monthlyCents, teamName }: Subscription) => {
  // A member sees what the team has, without billing (decisions §7).
  if (teamName) return null;
  return monthlyCents === 0 ? 'Free' : `${formatCents(monthlyCents)}/month`;
};

export const SubscriptionRow = ({ subscription }: { subscription: Subscription }) => {
  const { toolId, tool, status, teamName } = subscription;
  const price = priceText(subscription);
  const date = dateLine(subscription, businessNow());
  return (
    <li className="flex items-start gap-3 py-3">
      <ToolIcon toolId={toolId} icon={presentationOf(toolId)?.icon} className="size-8!" />
      <div className="min-w-0 flex-1">
        <div className="flex items-start justify-between gap-2">
          <p className="min-w-0 font-medium">{tool.name}</p>
          <Badge tone={statusTone[status]}>{statusLabels[status]}</Badge>
        </div>
        <p className="figures mt-0.5 flex flex-wrap gap-x-2 text-xs text-muted">
          {teamName && <span>{teamName}</span>}
          {price && <span className="text-text">{price}</span>}
          {date && <span>{date}</span>}
        </p>
      </div>
    </li>
  );
};
