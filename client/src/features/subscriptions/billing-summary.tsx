import type { Subscription } from '#shared/api/subscriptions.ts';
import { billingSummary } from '#shared/rules/billing-summary.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import type { Discount } from '#shared/rules/pricing.ts';

const discountNames: Record<Discount['kind'], string> = {
  free: '100% Free Access Granted',
  partner: 'Partner discount',
  bulk: 'Bulk discount',
  team: 'Team discount',
  win_back: 'Welcome back discount',
};

/** One's own, or a team's. */
type Props = { subscriptions: readonly Subscription[]; teamId?: string | null };

/** Billing Summary (B §2): sums of the lines that the next invoices will have; nothing where nothing is billed. */
export const BillingSummary = ({ subscriptions, teamId = null }: Props) => {
  const summary = billingSummary(subscriptions, teamId);
  if (!summary) return null;
  const { subtotalCents, discounts, totalCents, savingsPercent, overdueCents, next } = summary;
  return (
    <section aria-label="Billing Summary" className="rounded border bg-surface-subtle p-4">
      <h3 className="text-sm font-semibold">Billing Summary</h3>
      <dl className="figures mt-2 flex flex-col gap-1.5">
        <Line label="Subtotal">{formatCents(subtotalCents)}</Line>
        {discounts.map(({ kind, cents }) => (
          <Line key={kind} label={discountNames[kind]} className="text-success">
            −{formatCents(cents)}
          </Line>
        ))}
        <Line label="Total per month" className="mt-1 border-t pt-2 font-semibold">
          {formatCents(totalCents)}
        </Line>
        {savingsPercent > 0 && (
          <Line label="You save" className="text-xs text-success">
            {formatCents(subtotalCents - totalCents)} ({savingsPercent}%)
          </Line>
        )}
        {overdueCents > 0 && (
          <Line label="Overdue" className="text-xs text-danger">
            {formatCents(overdueCents)}
          </Line>
        )}
        {(next !== null || overdueCents === 0) && (
          <Line label="Next payment" className="text-xs text-muted">
            {next ? `${formatCents(next.cents)} on ${formatSydneyDate(next.at)}` : 'None due'}
          </Line>
        )}
      </dl>
    </section>
  );
};

const Line = ({ label, className, children }: { label: string; className?: string; children: React.ReactNode }) => (
  <div className={`flex items-baseline justify-between gap-4 ${className ?? ''}`}>
    <dt className="min-w-0">{label}</dt>
    <dd className="shrink-0 text-right">{children}</dd>
  </div>
);
