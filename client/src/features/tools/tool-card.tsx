import { ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Subscription } from '#shared/api/subscriptions.ts';
import type { Tool } from '#shared/api/tools.ts';
import { formatSydneyDate, monthsText } from '#shared/rules/dates.ts';
import { centsOf, formatCents, formatCentsShort } from '#shared/rules/billing/money.ts';
import type { Price } from '#shared/rules/billing/pricing.ts';
import { statusLabel } from '#shared/rules/billing/subscriptions.ts';
import type { CardState } from '#client/features/tools/card-state.ts';
import { lastUsedText, type ToolUsage } from '#client/features/tools/usage.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { billDay, formatDateTime } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { statusTone } from '#client/lib/words/status-tone.ts';
import { Badge, Button, ButtonLink, TextLink, Text } from '#client/ui/elements.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

type OwnPrices = {
  today: Price;
  next: Price;
  from: Date | null;
  /** The team that would pay it. */
  team: { name: string; members: number } | null;
};

type Props = {
  tool: Tool;
  state: CardState;
  usage: ToolUsage | null;
  /** The team's price, or the adviser's if a discount makes it lower than the catalogue's: today, and from the coming bill on. */
  ownPrice: OwnPrices | null;
  /** The first of the offers to come back to it. */
  offer: { discountPercentage: number; months: number } | null;
  opening: boolean;
  onOpen: () => void;
  /** The buttons of the subscription's payer, which belong to another feature. */
  manage: (subscription: Subscription) => ReactNode;
};

export const ToolCard = ({ tool, state, usage, ownPrice, offer, opening, onOpen, manage }: Props) => (
  <li className="flex flex-col rounded border bg-surface p-5 shadow-faint">
    <div className="flex items-start gap-3">
      <ToolIcon icon={tool.icon} />
      <div className="min-w-0 flex-1">
        <div className="flex min-h-5 flex-wrap items-center justify-between gap-x-2 gap-y-1">
          <h3 className="text-sm font-semibold">{tool.name}</h3>
          <StateBadge state={state} />
        </div>
        <p className="mt-1 text-muted">{tool.description}</p>
      </div>
    </div>
    <div className="mt-auto pt-4">
      {state.kind === 'open' && <UsageLine usage={usage} />}
      {state.kind === 'subscribe' && offer ? <ComeBack offer={offer} /> : null}
      {state.kind === 'subscribe' && !offer && ownPrice && <OwnPrice price={ownPrice} />}
      <Action tool={tool} state={state} ownPrice={ownPrice} opening={opening} onOpen={onOpen} />
      {'subscription' in state && state.subscription && (
        <div className="mt-2 flex flex-col gap-2">{manage(state.subscription)}</div>
      )}
      <p className="mt-2 text-xs">
        <TextLink href={paths.disclosure(tool.id)} aria-label={`Due diligence of ${tool.name}`}>
          Due diligence
        </TextLink>
      </p>
    </div>
  </li>
);

const StateBadge = ({ state }: { state: CardState }): ReactNode => {
  if (!('subscription' in state) || !state.subscription) return null;
  const { status, teamName } = state.subscription;
  return (
    <span className="flex flex-wrap gap-1">
      {teamName && <Badge tone="outline">{teamName}</Badge>}
      <Badge tone={statusTone[status]}>{statusLabel(state.subscription)}</Badge>
    </span>
  );
};

const discountsOf = ({ lines }: Price) =>
  lines
    .slice(1)
    .map(({ label }) => label)
    .join(', ');

const OwnPrice = ({ price: { today, next, from, team } }: { price: OwnPrices }) => (
  <p className="figures mb-2 text-xs text-success">
    <Text>
      {team ? `For ${team.name}, ${team.members} ${team.members === 1 ? 'member' : 'members'}: ` : 'Your price: '}
      {formatCents(today.totalCents)}/month. {discountsOf(today)}
      {from && next.totalCents !== today.totalCents && `; from ${billDay(from)} ${formatCents(next.totalCents)}/month`}
    </Text>
  </p>
);

const ComeBack = ({ offer: { discountPercentage, months } }: { offer: NonNullable<Props['offer']> }) => (
  <p className="figures mb-2 text-xs text-success">
    Welcome back: {discountPercentage}% off for {monthsText(months)}, on the next page.
  </p>
);

const UsageLine = ({ usage }: { usage: ToolUsage | null }) => {
  const { sessions, lastUsed } = usage ?? { sessions: '–', lastUsed: null };
  return (
    <dl className="figures mb-3 flex flex-wrap gap-x-6 gap-y-1 border-t pt-3 text-xs">
      <div className="flex gap-1.5">
        <dt className="text-muted">Last used</dt>
        <dd className="font-medium">
          {lastUsed ? (
            <time dateTime={lastUsed.toISOString()} title={formatDateTime(lastUsed)}>
              {lastUsedText(lastUsed, businessNow())}
            </time>
          ) : usage ? (
            lastUsedText(null, businessNow())
          ) : (
            '–'
          )}
        </dd>
      </div>
      <div className="flex gap-1.5" title="In the last 90 days">
        <dt className="text-muted">Sessions</dt>
        <dd className="font-medium">{sessions}</dd>
      </div>
    </dl>
  );
};

const Action = ({ tool, state, ownPrice, opening, onOpen }: Omit<Props, 'usage' | 'manage' | 'offer'>): ReactNode => {
  const cents = ownPrice?.next.totalCents ?? centsOf(tool.basePrice);
  const price = cents === 0 ? 'Free' : `${formatCentsShort(cents)}/month`;
  switch (state.kind) {
    case 'open':
      return (
        <Button
          className="w-full"
          pending={opening}
          pendingLabel="Opening…"
          aria-label={`Open ${tool.name} in a new window`}
          onClick={onOpen}
        >
          Open
          <ArrowUpRight aria-hidden />
        </Button>
      );
    case 'held':
      return (
        <p className="text-xs text-muted">
          Access has ended. You can reactivate it until{' '}
          {formatSydneyDate(state.subscription.gracePeriodEnd ?? businessNow())}.
        </p>
      );
    case 'not-allowed':
      return (
        <p className="rounded bg-warning-subtle px-3 py-2 text-sm break-words">
          <span className="font-medium">Not allowed by {state.teamName}.</span>
          <Text> {state.reason}</Text>
        </p>
      );
    case 'coming-soon':
      return (
        <Button variant="secondary" className="w-full" disabled aria-label={`${tool.name}: Coming Soon`}>
          Coming Soon
        </Button>
      );
    case 'free-with-another':
      return (
        <p className="flex min-h-9 items-center justify-center rounded bg-success-subtle px-3 py-1.5 text-center font-medium text-success">
          Free with any other subscription
        </p>
      );
    case 'subscribe':
      return (
        <ButtonLink
          href={paths.subscribe(tool.id)}
          variant="secondary"
          className="figures w-full"
          aria-label={`Subscribe • ${price}: ${tool.name}`}
        >
          Subscribe • {price}
        </ButtonLink>
      );
  }
};
