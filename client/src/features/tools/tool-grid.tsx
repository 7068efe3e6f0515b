import { BadgePercent, PackageOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { clsx } from 'clsx';
import { contract } from '#shared/api/members.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import type { Tool } from '#shared/api/tools.ts';
import {
  bulkBanner,
  type BulkBanner as Banner,
  type NextTier,
  personalPayer,
  priceOfOneMore,
  tiersOf,
} from '#shared/rules/billing/bulk-banner.ts';
import type { PayerFacts } from '#shared/rules/billing/pricing.ts';
import { catalogue } from '#shared/rules/tools/tools.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { type CardState, cardState } from '#client/features/tools/card-state.ts';
import { ToolCard } from '#client/features/tools/tool-card.tsx';
import { useLaunch } from '#client/features/tools/use-launch.ts';
import { usageByTool } from '#client/features/tools/usage.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { useForecast, useOwnedTeams, usualTeam } from '#client/lib/money/payer.tsx';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { Card } from '#client/ui/elements.tsx';
import { both, EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { percentWords } from '#client/lib/money/volume-words.ts';

const [BlockedDialog] = lazyDialog(() => import('#client/features/tools/blocked-dialog.tsx'));

const gridStyle = 'grid gap-4 sm:grid-cols-2';

/** The catalogue's order; tools that an operator added come last. */
const rank = ({ id }: Tool) => {
  const at = catalogue.findIndex((tool) => tool.id === id);
  return at === -1 ? catalogue.length : at;
};

/** `manage` draws the buttons of a subscription's payer, which belong to another feature. */
type Props = { manage: (subscription: Subscription) => ReactNode };

export const ToolGrid = (props: Props) => {
  const tools = useApiQuery(contract.tools.list);
  const subscriptions = useApiQuery(contract.subscriptions.list);
  return (
    <QueryView
      query={both(tools, subscriptions)}
      failedTitle="Your tools could not be loaded"
      framedFailure
      loading={
        <Loading label="Loading your tools" className={gridStyle} skeletons={Array.from({ length: 4 }, () => 'h-44')} />
      }
    >
      {([all, mine]) => <Grid {...props} tools={all} subscriptions={mine} />}
    </QueryView>
  );
};

type GridProps = Props & { tools: readonly Tool[]; subscriptions: readonly Subscription[] };

const Grid = ({ manage, tools, subscriptions }: GridProps) => {
  // Extras: the cards work without them.
  const usage = useApiQuery(contract.tools.myUsage).data;
  const tiers = useApiQuery(contract.subscriptions.tiers).data;
  // The page that sells it opens for this team.
  const team = usualTeam(useOwnedTeams(), subscriptions);
  const forecast = useForecast({ teamId: team?.id }).data;
  const offers = useApiQuery(contract.subscriptions.winBackOffers).data;
  const notAllowed = useApiQuery(contract.record.notAllowed).data;
  const user = useSignedInUser();
  const { launch, openingId, blocked, closeBlocked } = useLaunch();

  const now = businessNow();
  const perTool = usage && usageByTool(usage);
  const usageOf = ({ id }: Tool) => (perTool ? (perTool.get(id) ?? { sessions: 0, lastUsed: null }) : null);
  const members = subscriptions.find(({ teamId }) => teamId === team?.id)?.quantity ?? 1;
  const payer: PayerFacts = team ? { ...team, kind: 'team', freeAccess: false, members } : personalPayer(user);
  const ownPriceOf = (tool: Tool) => {
    const price = tiers && forecast && priceOfOneMore(payer, tool, forecast, tiersOf(tiers));
    return price && (team || price.today.totalCents < price.today.baseCents)
      ? { ...price, from: forecast.bill?.at ?? null, team: team ? { name: team.name, members } : null }
      : null;
  };
  const offerOf = ({ id }: Tool) =>
    offers?.find(({ toolId, teamId }) => toolId === id && teamId === (team?.id ?? null))?.offers[0];
  const cards = tools
    .filter((tool) => tool.isActive)
    .toSorted((a, b) => rank(a) - rank(b))
    .map((tool) => ({ tool, state: cardState(tool, subscriptions, now, notAllowed) }));
  const have = ({ state }: { state: CardState }) =>
    state.kind === 'open' || state.kind === 'held' || (state.kind === 'not-allowed' && state.subscription !== null);
  const mine = cards.filter(have);
  const others = cards.filter((card) => !have(card) && !card.tool.closed);
  const sections = [
    ['my-tools', 'Your tools', mine],
    ['more-tools', mine.length > 0 ? 'More tools' : 'Choose your first tool', others],
  ] as const;

  return (
    <div className="flex flex-col gap-6">
      <BulkBanner />
      {sections.map(
        ([id, title, shown]) =>
          shown.length > 0 && (
            <section key={id} aria-labelledby={id}>
              <h2 id={id} className="mb-3 text-base">
                {title}
              </h2>
              <ul className={gridStyle}>
                {shown.map(({ tool, state }) => (
                  <ToolCard
                    key={tool.id}
                    tool={tool}
                    state={state}
                    usage={usageOf(tool)}
                    ownPrice={ownPriceOf(tool)}
                    offer={offerOf(tool) ?? null}
                    opening={openingId === tool.id}
                    onOpen={() => launch(tool)}
                    manage={manage}
                  />
                ))}
              </ul>
            </section>
          ),
      )}
      {cards.length === 0 && (
        <Card>
          <EmptyState
            icon={<PackageOpen />}
            title="No tools on offer yet"
            description="The catalogue is empty. Please come back later."
          />
        </Card>
      )}
      <BlockedDialog open={blocked?.open ?? false} blocked={blocked} onClose={closeBlocked} />
    </div>
  );
};

const nextSentence = ({ moreTools, percent }: NextTier) =>
  `Add ${moreTools === 1 ? '1 more tool' : `${moreTools} more tools`} for ${percent}% off every tool.`;

const sentences = (banner: Banner): [title: string, rest: string] => {
  switch (banner.kind) {
    case 'free_access':
      return ['100% Free Access Granted', 'Every tool is yours without charge.'];
    case 'hint':
      return ['Save with more tools', nextSentence(banner.next)];
    case 'saving': {
      const { discount, monthlyCents, yearlyCents, next } = banner;
      const title = discount.until
        ? `You save ${percentWords(discount, discount.tools)}`
        : `You save ${discount.today}% with ${discount.tools} tools`;
      const amounts = `${formatCents(monthlyCents)} a month, ${formatCents(yearlyCents)} a year`;
      const saved = discount.until ? `That is then ${amounts}.` : `${amounts}.`;
      const further = next ? nextSentence(next) : 'This is the highest discount.';
      return [title, [monthlyCents > 0 && saved, further].filter(Boolean).join(' ')];
    }
  }
};

export const BulkBanner = () => {
  const { freeAccessGranted } = useSignedInUser();
  const tiers = useApiQuery(contract.subscriptions.tiers).data;
  const subscriptions = useApiQuery(contract.subscriptions.list).data;
  const forecast = useForecast({}).data;
  const hasTeamTools = subscriptions?.some(({ teamId, hasAccess }) => teamId !== null && hasAccess) ?? false;
  // Who owes a bill is not asked to buy more.
  const banner =
    tiers && forecast?.owed === null && bulkBanner({ freeAccessGranted, hasTeamTools }, forecast, tiersOf(tiers));
  if (!banner) return null;
  const [title, rest] = sentences(banner);
  const earned = banner.kind !== 'hint';
  return (
    <div
      className={clsx(
        'flex items-start gap-3 rounded border p-4',
        earned ? 'border-success/30 bg-success-subtle' : 'bg-surface',
      )}
    >
      <BadgePercent aria-hidden className={clsx('mt-0.5 size-4 shrink-0', earned ? 'text-success' : 'text-primary')} />
      <p className="figures min-w-0">
        <span className="font-medium">{title}.</span> {rest}
      </p>
    </div>
  );
};
