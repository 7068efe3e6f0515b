import type { Forecast } from '#shared/api/billing.ts';
import { billTable, monthFrom } from '#shared/rules/billing/bill-table.ts';
import { billingSummary } from '#shared/rules/billing/billing-summary.ts';
import { cardName, formatCents } from '#shared/rules/billing/money.ts';
import type { DiscountKind } from '#shared/rules/billing/pricing.ts';
import { PriceLine } from '#client/features/subscriptions/price-line.tsx';
import { type Payer, useForecast } from '#client/lib/money/payer.tsx';
import { billDay, sentenceCase } from '#client/lib/words/format.ts';
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

/** What a month costs and what is paid next, from the coming bill. Nothing where no bill comes. */
export const BillingSummary = ({ teamId, teamName }: Props) => {
  const { data, isPending } = useForecast({ teamId });
  if (isPending) return <Skeleton className="h-40" />;
  if (!data || (!data.bill && !data.charging && !billingSummary(data))) return null;
  return <Summary forecast={data} teamId={teamId} teamName={teamName} />;
};

type SummaryProps = Payer & { forecast: Forecast; teamName: string | undefined };

const Summary = ({ forecast, teamId, teamName }: SummaryProps) => {
  const { bill, later, owed, charging, card } = forecast;
  const month = billingSummary(forecast);
  // What makes the bill another sum than the month's.
  const rest = bill ? billTable({ ...bill, lines: [] }) : [];
  const title = teamName ? `Billing Summary of ${teamName}` : 'Billing Summary';
  return (
    <section aria-label={title} className="rounded border bg-surface-subtle p-4">
      <h3 className="text-sm font-semibold break-words">{title}</h3>
      <dl className="figures mt-2 flex flex-col gap-1.5">
        {month && <Month month={month} />}
        {charging && (
          <PriceLine label="You pay today" className="text-xs text-muted">
            {formatCents(charging.totalCents)}
          </PriceLine>
        )}
        {owed?.tried && (
          <PriceLine label="Unpaid" className="text-xs text-danger">
            {formatCents(owed.dueCents)}
          </PriceLine>
        )}
        {bill && rest.length > 0 && (
          <>
            <PriceLine label={`Bill of ${billDay(bill.at)}: tools`} className="mt-1 border-t pt-2 text-xs text-muted">
              {formatCents(bill.lines.reduce((sum, { cents }) => sum + cents, 0))}
            </PriceLine>
            {rest.map(({ label, cents }, index) => (
              <PriceLine key={index} label={label} className="text-xs text-muted">
                {formatCents(cents)}
              </PriceLine>
            ))}
          </>
        )}
        <PriceLine label="Next payment" className="text-xs font-medium">
          {bill ? `${formatCents(bill.totalCents)} on ${billDay(bill.at)}` : 'None due'}
        </PriceLine>
        {bill && bill.totalCents > 0 && (
          <PriceLine label="Paid with" className="text-xs text-muted">
            {card ? cardName(card) : 'No card on file'}
          </PriceLine>
        )}
      </dl>
      {later && (
        <p className="figures mt-2 text-xs text-muted">
          {sentenceCase(monthFrom(billDay(later.at), later, 'the bill'))}.
        </p>
      )}
      {teamName && (
        <TextLink href={paths.billing(teamId)} className="mt-2 inline-block text-xs">
          Card and invoices of {teamName}
        </TextLink>
      )}
    </section>
  );
};

const Month = ({ month }: { month: NonNullable<ReturnType<typeof billingSummary>> }) => {
  const { subtotalCents, discounts, monthCents, savingsPercent, onlyIfKept } = month;
  return (
    <>
      <PriceLine label="Subtotal">{formatCents(subtotalCents)}</PriceLine>
      {discounts.map(({ kind, cents }) => (
        <PriceLine key={kind} label={discountNames[kind]} className="text-success">
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
