import type { Quote } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { PriceLine } from '#client/features/subscriptions/price-line.tsx';
import { billDay } from '#client/lib/words/format.ts';

type Props = { quote: Quote; unitCents: number };

export const PriceBreakdown = ({ quote, unitCents }: Props) => {
  const { baseCents, totalCents, wholeMonth } = quote;
  const [price, ...discounts] = quote.lines;
  const members = unitCents > 0 ? baseCents / unitCents : 1;
  const reduced = totalCents < baseCents;
  // Tools that end by then may take their part of a volume discount along.
  const then = wholeMonth && wholeMonth.priceCents !== totalCents ? wholeMonth : null;
  return (
    <dl className="figures flex flex-col gap-2">
      <PriceLine label={`${price?.label ?? 'Subscription'}, monthly`}>
        {reduced ? (
          <s className="text-muted">
            <span className="sr-only">Original price </span>
            {formatCents(baseCents)}
          </s>
        ) : (
          formatCents(baseCents)
        )}
      </PriceLine>
      {discounts.map(({ label, cents }) => (
        <PriceLine key={label} label={label} className="text-success">
          {formatCents(cents)}
        </PriceLine>
      ))}
      {members > 1 && (
        <PriceLine label="Per member" className="text-muted">
          {formatCents(Math.round(totalCents / members))}
        </PriceLine>
      )}
      <div className="mt-1 flex items-baseline justify-between gap-4 border-t pt-3">
        <dt className="font-medium">{then ? 'Total per month, today' : 'Total per month'}</dt>
        <dd className="text-lg font-semibold">{formatCents(totalCents)}</dd>
      </div>
      {then && (
        <PriceLine label={`Total per month, from ${billDay(then.at)}`} className="font-medium">
          {formatCents(then.priceCents)}
        </PriceLine>
      )}
    </dl>
  );
};
