import type { ReactNode } from 'react';
import type { Tool } from '#shared/api/tools.ts';
import { monthsText } from '#shared/rules/dates.ts';
import { centsOf, formatCents, formatCentsShort } from '#shared/rules/billing/money.ts';
import type { Price } from '#shared/rules/billing/pricing.ts';
import { trialDays } from '#shared/rules/billing/trial-days.ts';
import type { CardState } from '#client/features/tools/card-state.ts';
import { AskPractice } from '#client/features/tools/ask-practice.tsx';
import { NotAllowed } from '#client/features/tools/tool-card.tsx';
import { billDay } from '#client/lib/words/format.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { AppLink, Button, ButtonLink, TextLink, Text } from '#client/ui/elements.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

/** What it would cost this payer: today, and from the coming bill on. */
export type OwnPrices = {
  today: Price;
  next: Price;
  from: Date | null;
  /** The team that would pay it. */
  team: { name: string; members: number } | null;
};

type Props = {
  tool: Tool;
  state: CardState;
  /** The team's price, or the adviser's if a discount makes it lower than the catalogue's. */
  ownPrice: OwnPrices | null;
  /** The cheapest of the offers to come back to it. */
  offer: { discountPercentage: number; months: number; monthlyCents: number } | null;
  /** One of the few that fit a newcomer, with the trial first. */
  recommended?: boolean;
};

/** A tool that one may add. */
export const AddTool = ({ tool, state, ownPrice, offer, recommended = false }: Props) => (
  <li className="flex flex-col gap-1.5 rounded border bg-surface p-3 sm:gap-2 shadow-faint sm:p-4">
    <div className="flex items-start gap-3">
      <ToolIcon icon={tool.icon} className="size-9!" />
      <div className="min-w-0 flex-1">
        <h3 className="text-sm font-semibold">
          <AppLink href={paths.disclosure(tool.id)} className="rounded-sm underline-offset-4 hover:underline">
            {tool.name}
          </AppLink>
        </h3>
        <p className="line-clamp-1 text-xs text-muted sm:line-clamp-2" title={tool.description ?? undefined}>
          {tool.description}
        </p>
      </div>
    </div>
    <div className="mt-auto">
      <Action {...{ tool, state, ownPrice, offer, recommended }} />
      {(state.kind === 'subscribe' || state.kind === 'not-allowed') && <AskPractice tool={tool} />}
    </div>
  </li>
);

/** Where the price alone would mislead: who pays, and what changes at the coming bill. */
const PriceNote = ({ price: { today, next, from, team } }: { price: OwnPrices }) => {
  const changes = from !== null && next.totalCents !== today.totalCents;
  const reduced = !team && !changes && next.discountPercent > 0;
  if (!team && !changes && !reduced) return null;
  return (
    <p className="figures mb-2 text-xs text-muted">
      <Text>
        {team && `For ${team.name}, ${team.members} ${team.members === 1 ? 'member' : 'members'}. `}
        {reduced && `${next.discountPercent}% off ${formatCents(next.baseCents)}.`}
        {changes && `${formatCents(today.totalCents)} today, ${formatCents(next.totalCents)} from ${billDay(from)}.`}
      </Text>
    </p>
  );
};

const Action = ({ tool, state, ownPrice, offer, recommended }: Props): ReactNode => {
  const cents = offer?.monthlyCents ?? ownPrice?.next.totalCents ?? centsOf(tool.basePrice);
  const { emailVerified } = useSignedInUser();
  const price = cents === 0 ? 'Free' : `${formatCentsShort(cents)}/month`;
  switch (state.kind) {
    case 'not-allowed':
      return <NotAllowed {...state} />;
    case 'coming-soon':
      return (
        <Button variant="secondary" className="w-full" disabled aria-label={`${tool.name}: Coming Soon`}>
          Coming Soon
        </Button>
      );
    case 'free-with-another':
      return <p className="flex min-h-9 items-center font-medium text-success">Free with any other subscription</p>;
    case 'subscribe': {
      const subscribe = { href: paths.subscribe(tool.id), 'aria-label': `Subscribe • ${price}: ${tool.name}` };
      if (recommended && emailVerified)
        return (
          <>
            <ButtonLink
              href={subscribe.href}
              className="w-full"
              aria-label={`Try free for ${trialDays.individual} days: ${tool.name}`}
            >{`Try free for ${trialDays.individual} days`}</ButtonLink>
            <p className="figures mt-2 flex flex-wrap justify-between gap-x-4 text-xs text-muted">
              {price} after
              <TextLink {...subscribe}>Subscribe • {price}</TextLink>
            </p>
          </>
        );
      return (
        <>
          {offer ? (
            <p className="figures mb-2 text-xs text-success">
              {offer.discountPercentage}% off for {monthsText(offer.months)}.
            </p>
          ) : (
            ownPrice && <PriceNote price={ownPrice} />
          )}
          <ButtonLink {...subscribe} variant="secondary" className="figures w-full">
            Subscribe • {price}
          </ButtonLink>
        </>
      );
    }
    default:
      return null;
  }
};
