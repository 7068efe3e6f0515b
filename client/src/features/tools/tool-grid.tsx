import { BadgePercent, PackageOpen } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
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
import { fittingTools } from '#shared/rules/tools/fitting-tools.ts';
import { catalogue } from '#shared/rules/tools/tools.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { cheapest } from '#shared/rules/billing/win-back.ts';
import { AddTool } from '#client/features/tools/add-tool.tsx';
import { type CardState, cardState } from '#client/features/tools/card-state.ts';
import { NumberKeys, useToolKeys } from '#client/features/tools/number-keys.tsx';
import { type HeldState, ToolCard } from '#client/features/tools/tool-card.tsx';
import type { Launching } from '#client/features/tools/use-launch.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { useForecast, useOwnedTeams, usualTeam } from '#client/lib/money/payer.tsx';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { chosenTool } from '#client/lib/pages/chosen-tool.ts';
import { Card } from '#client/ui/elements.tsx';
import { both, EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { percentWords } from '#client/lib/money/volume-words.ts';

const gridStyle = 'grid grid-cols-1 gap-2 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3 [&>li]:min-w-0';

/** The catalogue's order; tools that an operator added come after it, and those that nobody can have yet last. */
const rank = ({ id, comingSoon }: Tool) => {
  const at = catalogue.findIndex((tool) => tool.id === id);
  return (comingSoon ? 2 : 0) * catalogue.length + (at === -1 ? catalogue.length : at);
};

type Props = {
  launching: Launching;
  /** The buttons of a subscription's payer, which belong to another feature. */
  manage: (subscription: Subscription) => ReactNode;
};

export const ToolGrid = (props: Props) => {
  const tools = useApiQuery(contract.tools.list);
  const subscriptions = useApiQuery(contract.subscriptions.list);
  return (
    <QueryView
      query={both(tools, subscriptions)}
      failedTitle="Your tools could not be loaded"
      framedFailure
      loading={
        <Loading label="Loading your tools" className={gridStyle} skeletons={Array.from({ length: 6 }, () => 'h-36')} />
      }
    >
      {([all, mine]) => <Grid {...props} tools={all} subscriptions={mine} />}
    </QueryView>
  );
};

type GridProps = Props & { tools: readonly Tool[]; subscriptions: readonly Subscription[] };
type Listed = { tool: Tool; state: CardState };
type Held = { tool: Tool; state: HeldState & { subscription: Subscription } };

const isHeld = (one: Listed): one is Held => 'subscription' in one.state && one.state.subscription !== null;

const Grid = ({ launching, manage, tools, subscriptions }: GridProps) => {
  const notAllowed = useApiQuery(contract.record.notAllowed).data;
  const user = useSignedInUser();
  const areas = user.specializationAreas;
  const cards = tools
    .filter((tool) => tool.isActive)
    .toSorted((a, b) => rank(a) - rank(b))
    .map((tool) => ({ tool, state: cardState(tool, subscriptions, businessNow(), notAllowed) }));
  const others = cards.filter((card) => !isHeld(card) && !card.tool.closed);
  // A newcomer sees those that fit; the tool that led here is among them.
  const isNew = subscriptions.length === 0 && !user.freeAccessGranted;
  const looked = chosenTool().read();
  const free = others.filter(({ state, tool }) => state.kind === 'subscribe' && Number(tool.basePrice) > 0);
  const fitting = isNew
    ? fittingTools(
        free.map(({ tool }) => tool),
        areas,
        looked,
      )
    : [];
  const recommended = fitting.flatMap((tool) => free.filter((card) => card.tool === tool));
  if (cards.length === 0)
    return (
      <Card>
        <EmptyState
          icon={<PackageOpen />}
          title="No tools on offer yet"
          description="The catalogue is empty. Please come back later."
        />
      </Card>
    );
  return (
    <div className="flex flex-col gap-5">
      <MyTools launching={launching} manage={manage} held={cards.filter(isHeld)} />
      <Offered
        title={isNew ? 'Choose a tool' : 'Add a tool'}
        shown={[...recommended, ...others.filter((card) => !recommended.includes(card))]}
        {...{ recommended, subscriptions }}
      />
    </div>
  );
};

const MyTools = ({ launching, manage, held }: Props & { held: readonly Held[] }) => {
  const use = useApiQuery(contract.tools.myUsage).data;
  const list = useRef<HTMLUListElement>(null);
  const keys = useToolKeys(list);
  const { launch, ask, needsClient, openingId } = launching;
  const opened = held.filter(({ state }) => state.kind === 'open');
  if (held.length === 0) return null;
  return (
    <section aria-labelledby="my-tools">
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 id="my-tools" className="text-base">
          Your tools
        </h2>
        {opened.length > 0 && <NumberKeys on={keys} count={opened.length} />}
      </div>
      <ul ref={list} className={gridStyle}>
        {held.map((card) => {
          const { tool, state } = card;
          const at = opened.indexOf(card);
          return (
            <ToolCard
              key={tool.id}
              tool={tool}
              state={state}
              use={use && (use.find(({ toolId }) => toolId === tool.id) ?? null)}
              shortcut={keys && at >= 0 && at < 9 ? at + 1 : null}
              opening={openingId === tool.id}
              onOpen={() => launch(tool)}
              onOpenFor={needsClient(tool.id) ? null : () => ask(tool)}
              manage={manage}
            />
          );
        })}
      </ul>
    </section>
  );
};

type OfferedProps = {
  title: string;
  shown: readonly Listed[];
  /** The first of them. */
  recommended: readonly Listed[];
  subscriptions: readonly Subscription[];
};

/** What one may add, at the price that its payer would pay. */
const Offered = ({ title, shown, recommended, subscriptions }: OfferedProps) => {
  // Extras: the cards work without them.
  const tiers = useApiQuery(contract.subscriptions.tiers).data;
  // The page that sells it opens for this team.
  const team = usualTeam(useOwnedTeams(), subscriptions);
  const forecast = useForecast({ teamId: team?.id }).data;
  const offers = useApiQuery(contract.subscriptions.winBackOffers).data;
  const user = useSignedInUser();
  const my = useApiQuery(contract.teams.my).data;
  const practice = my?.role !== 'owner' && !team ? my?.memberOf : null;
  const members = forecast?.members ?? 1;
  const payer: PayerFacts = team ? { ...team, kind: 'team', freeAccess: false, members } : personalPayer(user);
  const ownPriceOf = (tool: Tool) => {
    const price = tiers && forecast && priceOfOneMore(payer, tool, forecast, tiersOf(tiers));
    return price && (team || price.today.totalCents < price.today.baseCents)
      ? { ...price, from: forecast.bill?.at ?? null, team: team ? { name: team.name, members } : null }
      : null;
  };
  const offerOf = ({ id: toolId }: Tool) =>
    cheapest(offers?.find((one) => one.toolId === toolId && one.teamId === (team?.id ?? null))?.offers ?? []) ?? null;
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="more-tools">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <h2 id="more-tools" className="text-base">
          {title}
        </h2>
        <BulkBanner />
        {practice && (
          <p className="w-full text-xs text-muted">
            You pay for what you subscribe to here. {practice.name} pays for what you ask it for, if it agrees.
          </p>
        )}
      </div>
      <ul className={gridStyle}>
        {shown.map((card) => (
          <AddTool
            key={card.tool.id}
            {...card}
            ownPrice={ownPriceOf(card.tool)}
            offer={offerOf(card.tool)}
            recommended={recommended.includes(card)}
          />
        ))}
      </ul>
    </section>
  );
};

const nextSentence = ({ moreTools, percent }: NextTier) =>
  `Add ${moreTools === 1 ? '1 more tool' : `${moreTools} more tools`} for ${percent}% off every tool`;

const sentences = (banner: Banner, onTrial: boolean): [title: string, rest: string] => {
  switch (banner.kind) {
    case 'free_access':
      return ['100% Free Access Granted', 'Every tool is yours without charge.'];
    case 'hint':
      return banner.tools === 0
        ? [`Use ${banner.next.moreTools} or more tools and save ${banner.next.percent}%`, '']
        : [nextSentence(banner.next), ''];
    case 'saving': {
      const { discount, monthlyCents, yearlyCents, next } = banner;
      const title = discount.until
        ? `You save ${percentWords(discount, discount.tools)}`
        : `You save ${discount.today}% with ${discount.tools} paid tools${onTrial ? ', your trial included' : ''}`;
      const amounts = `${formatCents(monthlyCents)} a month, ${formatCents(yearlyCents)} a year`;
      const saved = discount.until ? `That is then ${amounts}.` : `${amounts}.`;
      const further = next ? nextSentence(next) : 'This is the highest discount';
      return [title, `${[monthlyCents > 0 && saved, further].filter(Boolean).join(' ')}.`];
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
  const onTrial = subscriptions?.some(({ teamId, status }) => teamId === null && status === 'trial') ?? false;
  const [title, rest] = sentences(banner, onTrial);
  const earned = banner.kind !== 'hint';
  return (
    <p className={clsx('figures flex min-w-0 items-start gap-2', earned ? 'text-success' : 'text-muted')}>
      <BadgePercent aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        <span className="font-medium">{title}.</span> {rest}
      </span>
    </p>
  );
};
