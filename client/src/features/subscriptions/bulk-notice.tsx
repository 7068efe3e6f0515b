import { BadgePercent } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import type { Quote, Subscription } from '#shared/api/subscriptions.ts';
import { countedTools, tiersOf } from '#shared/rules/bulk-banner.ts';
import { formatCents } from '#shared/rules/money.ts';
import { tierFor } from '#shared/rules/pricing.ts';
import { useApiQuery } from '#client/lib/query-client.ts';

type Props = { quote: Quote; subscriptions: readonly Subscription[] };

/** Green notice for advisers who already have subscriptions: what this one does to the price of all (B §2, decisions §4). */
export const BulkNotice = ({ quote, subscriptions }: Props) => {
  const tiers = useApiQuery(contract.subscriptions.tiers).data;
  const tools = countedTools(subscriptions).length + 1;
  const tier = tiers && tierFor(tiersOf(tiers), tools);
  if (tools < 2 || !tier || quote.totalCents === 0) return null;
  const { nextTier } = quote;
  return (
    <div className="flex items-start gap-3 rounded border border-success/30 bg-success-subtle p-4">
      <BadgePercent aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
      <div className="figures min-w-0">
        <p className="font-medium">
          Bulk pricing: {tools} tools, {tier.discountPercent}% off each
        </p>
        <p className="mt-0.5">
          The discount counts for this tool at once, and for the ones you have from their next invoice.
          {nextTier &&
            ` With ${nextTier.toolCount} tools it would be ${nextTier.percent}%, ${formatCents(nextTier.monthlySavingCents)} less a month.`}
        </p>
      </div>
    </div>
  );
};
