import type { Quote } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/money.ts';
import { PriceLine } from '#client/features/subscriptions/price-line.tsx';

export const PriceBreakdown = ({ quote, unitCents }: { quote: Quote; unitCents: number }) => {
  const [price, ...discounts] = quote.lines;
  const members = unitCents > 0 ? quote.baseCents / unitCents : 1;
  const reduced = quote.totalCents < quote.baseCents;
  return (
    <dl className="figures flex flex-col gap-2">
      <PriceLine label={`${price?.label ?? 'Subscription'}, monthly`}>
        {reduced ? (
          <s className="text-muted">
            <span className="sr-only">Original price </span>
            {formatCents(quote.baseCents)}
          </s>
        ) : (
          formatCents(quote.baseCents)
        )}
      </PriceLine>
      {discounts.map(({ label, cents }) => (
        <PriceLine key={label} label={label} className="text-success">
          −{formatCents(-cents)}
        </PriceLine>
      ))}
      {members > 1 && (
        <PriceLine label="Per member" className="text-muted">
          {formatCents(Math.round(quote.totalCents / members))}
        </PriceLine>
      )}
      <div className="mt-1 flex items-baseline justify-between gap-4 border-t pt-3">
        <dt className="font-medium">Total per month</dt>
        <dd className="text-lg font-semibold">{formatCents(quote.totalCents)}</dd>
      </div>
    </dl>
  );
};
