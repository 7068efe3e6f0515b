import type { Forecast } from '#shared/api/billing.ts';
import { billingSummary } from '#shared/rules/billing/billing-summary.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import type { DiscountKind } from '#shared/rules/billing/pricing.ts';
import { PriceLine } from '#client/features/subscriptions/price-line.tsx';
import { type Payer, useForecast } from '#client/lib/money/payer.tsx';
import { billDay } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { Skeleton } from '#client/ui/query-view.tsx';
import { TextLink } from '#client/ui/elements.tsx';

const discountNames: Record<DiscountKind, string> = {
  free: '100% Free Access Granted',
  free_month: 'Free month',
  suspended: 'Suspended: nothing is charged',
  partner: 'Partner discount',
  bulk: 'Bulk discount',
  team: 'Team discount',
  win_back: 'Welcome back discount',
  code: 'Discount code',
};

type Props = Payer & { /** The page names it where it shows more than one payer. */ teamName?: string };

/** What a month of the coming bill costs; of a team also what is paid next, which the page says of the adviser elsewhere. */
export const BillingSummary = ({ teamId, teamName }: Props) => {
  const { data, isPending } = useForecast({ teamId });
  if (isPending) return <Skeleton className="h-40" />;
  const month = data && billingSummary(data);
  if (!data || !(month || (teamName && data.bill))) return null;
  const title = teamName ? `Billing Summary of ${teamName}` : 'Billing Summary';
  return (
    <section aria-label={title} className="rounded border bg-surface-subtle p-4">
      <h3 className="text-sm font-semibold break-words">{title}</h3>
      <dl className="figures mt-2 flex flex-col gap-1.5">
        {month && <Month month={month} bulk={bulkOf(data)} />}
        {teamName && (
          <PriceLine label="Next payment" className="text-xs font-medium">
            {data.bill ? `${formatCents(data.bill.totalCents)} on ${billDay(data.bill.at)}` : 'None due'}
          </PriceLine>
        )}
      </dl>
      {teamName && (
        <TextLink href={paths.billing(teamId)} className="mt-2 inline-block text-xs">
          Card and invoices of {teamName}
        </TextLink>
      )}
    </section>
  );
};

/** `4 paid tools`; a trial that a card keeps counts, too. */
function bulkOf({ bill, paidTools }: Forecast): string {
  const isBulk = bill?.lines.some(({ discounts }) => discounts.some(({ kind }) => kind === 'bulk'));
  return isBulk ? `, ${paidTools.next} paid tools` : '';
}

type MonthProps = { month: NonNullable<ReturnType<typeof billingSummary>>; bulk: string };

const Month = ({ month, bulk }: MonthProps) => {
  const { subtotalCents, discounts, monthCents, savingsPercent, onlyIfKept } = month;
  return (
    <>
      <PriceLine label="Subtotal">{formatCents(subtotalCents)}</PriceLine>
      {discounts.map(({ kind, cents }) => (
        <PriceLine key={kind} label={`${discountNames[kind]}${kind === 'bulk' ? bulk : ''}`} className="text-success">
          {formatCents(-cents)}
        </PriceLine>
      ))}
      <PriceLine
        label={onlyIfKept ? 'Total per month, if you add a card' : 'Total per month'}
        className="mt-1 border-t pt-2 font-semibold"
      >
        {formatCents(monthCents)}
      </PriceLine>
      {savingsPercent > 0 && (
        <PriceLine label="You save" className="text-xs text-success">
          {savingsPercent}%
        </PriceLine>
      )}
    </>
  );
};
