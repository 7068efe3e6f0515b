import type { Quote } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/money.ts';

/** The price line by line: what it is, what it was, each discount with its reason, a team's price per member, the total (B §2). */
export const PriceBreakdown = ({ quote, unitCents }: { quote: Quote; unitCents: number }) => {
  const [price, ...discounts] = quote.lines;
  const members = unitCents > 0 ? quote.baseCents / unitCents : 1;
  const reduced = quote.totalCents < quote.baseCents;
  return (
    <dl className="figures flex flex-col gap-2">
      <Line label={`${price?.label ?? 'Subscription'}, monthly`}>
        {reduced ? (
          <s className="text-muted">
            <span className="sr-only">Original price </span>
            {formatCents(quote.baseCents)}
          </s>
        ) : (
          formatCents(quote.baseCents)
        )}
      </Line>
      {discounts.map(({ label, cents }) => (
        <Line key={label} label={label} className="text-success">
          −{formatCents(-cents)}
        </Line>
      ))}
      {members > 1 && (
        <Line label="Per member" className="text-muted">
          {formatCents(Math.round(quote.totalCents / members))}
        </Line>
      )}
      <div className="mt-1 flex items-baseline justify-between gap-4 border-t pt-3">
        <dt className="font-medium">Total per month</dt>
        <dd className="text-lg font-semibold">{formatCents(quote.totalCents)}</dd>
      </div>
    </dl>
  );
};

const Line = ({ label, className, children }: { label: string; className?: string; children: React.ReactNode }) => (
  <div className={`flex items-baseline justify-between gap-4 ${className ?? ''}`}>
    <dt className="min-w-0">{label}</dt>
    <dd className="shrink-0">{children}</dd>
  </div>
);
