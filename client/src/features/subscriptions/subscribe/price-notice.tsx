import { BadgePercent, Users } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import type { Quote, Subscription } from '#shared/api/subscriptions.ts';
import { tiersOf, volumeDiscount } from '#shared/rules/billing/bulk-banner.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { teamDiscountMembers, teamDiscountMinTools, teamPercent } from '#shared/rules/billing/pricing.ts';
import type { NamedPayer } from '#client/features/subscriptions/subscribe/payer-choice.tsx';
import { useForecast } from '#client/lib/money/forecast.ts';
import { PriceChangeItems } from '#client/lib/money/price-changes.tsx';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { percentWords } from '#client/lib/money/volume-words.ts';

type Props = { payer: NamedPayer; quote: Quote; toolName: string; subscriptions: readonly Subscription[] };

export const PriceNotice = (props: Props) =>
  props.payer.teamId === null ? <BulkNotice {...props} /> : <TeamNotice {...props} />;

/** For advisers with other subscriptions: what this one does to the price of all of them. */
const BulkNotice = ({ payer, quote }: Props) => {
  const tiers = useApiQuery(contract.subscriptions.tiers).data;
  const forecast = useForecast(payer).data;
  if (!tiers || !forecast || forecast.paidTools.now === 0 || quote.totalCents === 0) return null;
  const discount = volumeDiscount(forecast, tiersOf(tiers), 1);
  if (discount.today === 0) return null;
  const { nextTier, changes, code } = quote;
  const who = code
    ? 'Your other tools get it from their next bill; your discount code takes more off this one.'
    : changes.length > 0
      ? 'This tool gets it today, your others from their next bill.'
      : 'This tool gets it, too.';
  return (
    <div className="flex items-start gap-3 rounded border border-success/30 bg-success-subtle p-4">
      <BadgePercent aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
      <div className="figures min-w-0">
        <p className="font-medium">Bulk pricing: {percentWords(discount, forecast.paidTools.now + 1)}</p>
        <p className="mt-0.5">
          {who}
          {nextTier &&
            ` With ${nextTier.toolCount} tools it would be ${nextTier.percent}%, ${formatCents(nextTier.monthlySavingCents)} less a month.`}
        </p>
        <Others quote={quote} />
      </div>
    </div>
  );
};

/** What this purchase does to the prices of the payer's other tools. */
const Others = ({ quote: { changes } }: { quote: Quote }) =>
  changes.length > 0 && (
    <ul className="mt-2 list-disc space-y-1 pl-5">
      <PriceChangeItems changes={changes} />
    </ul>
  );

/** How a team is priced, and what becomes of the owner's own subscription to the same tool. */
const TeamNotice = ({ payer, quote, toolName, subscriptions }: Props) => {
  const own = subscriptions.some((sub) => sub.toolId === quote.toolId && sub.teamId === null && sub.hasAccess);
  return (
    <div className="flex items-start gap-3 rounded border border-info/30 bg-info-subtle p-4">
      <Users aria-hidden className="mt-0.5 size-4 shrink-0 text-info" />
      <div className="min-w-0">
        <p className="font-medium">Priced per member of {payer.teamName}</p>
        <p className="mt-0.5">
          When someone joins or leaves, their days of the running month are added to the next bill, or taken off it.
          With {teamDiscountMembers.min} to {teamDiscountMembers.max} members and {teamDiscountMinTools} tools or more,
          each tool costs {teamPercent}% less.
        </p>
        <Others quote={quote} />
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
