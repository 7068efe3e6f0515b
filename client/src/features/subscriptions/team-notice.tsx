import { Users } from 'lucide-react';
import type { Quote, Subscription } from '#shared/api/subscriptions.ts';
import { teamDiscountMembers, teamDiscountMinTools, teamPercent } from '#shared/rules/pricing.ts';
import type { Buyer } from '#client/features/subscriptions/buyer.ts';

type Props = { buyer: Buyer; quote: Quote; toolName: string; subscriptions: readonly Subscription[] };

/** How a team's price comes about, and what becomes of one's own subscription to the same tool. */
export const TeamNotice = ({ buyer, quote, toolName, subscriptions }: Props) => {
  const own = subscriptions.some((sub) => sub.toolId === quote.toolId && sub.teamId === null && sub.hasAccess);
  return (
    <div className="flex items-start gap-3 rounded border border-info/30 bg-info-subtle p-4">
      <Users aria-hidden className="mt-0.5 size-4 shrink-0 text-info" />
      <div className="min-w-0">
        <p className="font-medium">Priced per member of {buyer.teamName}</p>
        <p className="mt-0.5">
          Who joins or leaves changes the price from that day; the difference is on the next invoice. With{' '}
          {teamDiscountMembers.min} to {teamDiscountMembers.max} members and {teamDiscountMinTools} tools or more, each
          tool costs {teamPercent}% less.
        </p>
        {own && (
          <p className="mt-2">
            You subscribe to {toolName} yourself, too. Once your team has it, your dashboard offers to end yours at the
            end of its period.
          </p>
        )}
      </div>
    </div>
  );
};
