import type { Subscription } from '#shared/api/subscriptions.ts';
import { contract } from '#shared/api/members.ts';
import { type BillingSummary as BilledSummary, billingSummary } from '#shared/rules/billing-summary.ts';
import { cardName, formatCents } from '#shared/rules/money.ts';
import type { Discount } from '#shared/rules/pricing.ts';
import { formatDay } from '#client/lib/format.ts';
import { PriceLine } from '#client/features/subscriptions/price-line.tsx';
import { type Payer, payerArgs } from '#client/lib/payer.ts';
import { paths } from '#client/lib/paths.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { TextLink } from '#client/ui/text-link.tsx';

const discountNames: Record<Discount['kind'], string> = {
  free: '100% Free Access Granted',
  free_month: 'Free month',
  partner: 'Partner discount',
  bulk: 'Bulk discount',
  team: 'Team discount',
  win_back: 'Welcome back discount',
  code: 'Discount code',
};

type Props = Payer & {
  subscriptions: readonly Subscription[];
  /** Named where the page shows more than one payer. */ teamName?: string;
};

export const BillingSummary = ({ subscriptions, teamId = null, teamName }: Props) => {
  const summary = billingSummary(subscriptions, teamId);
  return summary && <Summary summary={summary} teamId={teamId} teamName={teamName} />;
};

/** What a month costs and what is charged next, including what joining and leaving members and earlier credit add to it. */
const Summary = ({ summary, teamId, teamName }: Payer & { summary: BilledSummary; teamName: string | undefined }) => {
  const { data: forecast, isError } = useApiQuery(contract.billing.forecast, { query: payerArgs({ teamId }) });
  const { subtotalCents, discounts, totalCents, onlyIfKept, savingsPercent, overdueCents } = summary;
  const next = forecast?.next;
  const onThatDay = forecast?.charges.filter(({ at }) => next && formatDay(at) === formatDay(next.at)) ?? [];
  const parts = onThatDay.flatMap(({ subscriptionId, toolName, lines }) =>
    lines
      .filter(({ kind }) => kind === 'proration' || kind === 'credit')
      .map(({ label, cents }, index) => ({ key: `${subscriptionId} ${index}`, label: `${toolName}: ${label}`, cents })),
  );
  const title = teamName ? `Billing Summary of ${teamName}` : 'Billing Summary';
  const card = forecast?.card;
  const nothing = isError ? 'Could not be loaded' : forecast ? 'None due' : '…';
  return (
    <section aria-label={title} className="rounded border bg-surface-subtle p-4">
      <h3 className="text-sm font-semibold break-words">{title}</h3>
      <dl className="figures mt-2 flex flex-col gap-1.5">
        <PriceLine label="Subtotal">{formatCents(subtotalCents)}</PriceLine>
        {discounts.map(({ kind, cents }) => (
          <PriceLine key={kind} label={discountNames[kind]} className="text-success">
            −{formatCents(cents)}
          </PriceLine>
        ))}
        <PriceLine
          label={onlyIfKept ? 'Total per month, if you add a card' : 'Total per month'}
          className="mt-1 border-t pt-2 font-semibold"
        >
          {formatCents(totalCents)}
        </PriceLine>
        {savingsPercent > 0 && (
          <PriceLine label="You save" className="text-xs text-success">
            {formatCents(subtotalCents - totalCents)} ({savingsPercent}%)
          </PriceLine>
        )}
        {overdueCents > 0 && (
          <PriceLine label="Overdue" className="text-xs text-danger">
            {formatCents(overdueCents)}
          </PriceLine>
        )}
        {(next !== null || overdueCents === 0) && (
          <PriceLine label="Next payment" className="text-xs text-muted">
            {next ? `${formatCents(next.totalCents)} on ${formatDay(next.at)}` : nothing}
          </PriceLine>
        )}
        {parts.map(({ key, label, cents }) => (
          <PriceLine key={key} label={`of which ${label}`} className="text-xs text-muted">
            {cents < 0 && '−'}
            {formatCents(Math.abs(cents))}
          </PriceLine>
        ))}
        {next && (
          <PriceLine label="Paid with" className="text-xs text-muted">
            {card ? cardName(card) : 'No card on file'}
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
