import { PackageOpen } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { contract } from '#shared/api/index.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import type { Tool } from '#shared/api/tools.ts';
import { priceOfOneMore, tiersOf } from '#shared/rules/bulk-banner.ts';
import { catalogue } from '#shared/rules/tools.ts';
import { BulkBanner } from '#client/features/tools/bulk-banner.tsx';
import { type CardState, cardState } from '#client/features/tools/card-state.ts';
import { ToolCard } from '#client/features/tools/tool-card.tsx';
import { useLaunch } from '#client/features/tools/use-launch.ts';
import { usageByTool } from '#client/features/tools/usage.ts';
import { businessNow } from '#client/lib/business-time.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { useSignedInUser } from '#client/lib/session.ts';
import { Card } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

// Only a browser that blocks the window needs it.
const BlockedDialog = lazy(async () => ({
  default: (await import('#client/features/tools/blocked-dialog.tsx')).BlockedDialog,
}));

const gridStyle = 'grid gap-4 sm:grid-cols-2';

/** The catalogue's own order; tools the operator added follow. */
const rank = ({ id }: Tool) => {
  const at = catalogue.findIndex((tool) => tool.id === id);
  return at === -1 ? catalogue.length : at;
};

/** `manage`: what the payer can do with a subscription, put in by the page. */
type Props = { manage: (subscription: Subscription) => ReactNode };

/** The tools one has, then the others, each with its next step (B §2). */
export const ToolGrid = ({ manage }: Props) => {
  const tools = useApiQuery(contract.tools.list);
  const subscriptions = useApiQuery(contract.subscriptions.list);
  // Without these the cards still open and sell tools.
  const usage = useApiQuery(contract.tools.myUsage).data;
  const tiers = useApiQuery(contract.subscriptions.tiers).data;
  const user = useSignedInUser();
  const { launch, openingId, blocked, closeBlocked } = useLaunch();

  const error = tools.error ?? subscriptions.error;
  if (!tools.data || !subscriptions.data) {
    if (!error) return <GridSkeleton />;
    const retry = () =>
      Promise.all([tools, subscriptions].filter((query) => query.error).map((query) => query.refetch()));
    return (
      <Card>
        <ErrorState
          title="Your tools could not be loaded"
          message={error.sentence}
          requestId={error.requestId}
          onRetry={retry}
        />
      </Card>
    );
  }

  const now = businessNow();
  const perTool = usage && usageByTool(usage);
  const usageOf = ({ id }: Tool) => (perTool ? (perTool.get(id) ?? { sessions: 0, lastUsed: null }) : null);
  const ownPriceOf = (tool: Tool) => {
    const price = tiers && priceOfOneMore(user, tool, subscriptions.data, tiersOf(tiers));
    return price && price.totalCents < price.baseCents ? price : null;
  };
  const cards = tools.data
    .filter((tool) => tool.isActive)
    .toSorted((a, b) => rank(a) - rank(b))
    .map((tool) => ({ tool, state: cardState(tool, subscriptions.data, now) }));
  const have = ({ state }: { state: CardState }) => state.kind === 'open' || state.kind === 'held';
  const mine = cards.filter(have);
  const others = cards.filter((card) => !have(card));
  const list = (shown: typeof cards) => (
    <ul className={gridStyle}>
      {shown.map(({ tool, state }) => (
        <ToolCard
          key={tool.id}
          tool={tool}
          state={state}
          usage={usageOf(tool)}
          ownPrice={ownPriceOf(tool)}
          opening={openingId === tool.id}
          onOpen={() => launch(tool)}
          manage={manage}
        />
      ))}
    </ul>
  );

  return (
    <div className="flex flex-col gap-6">
      <BulkBanner />
      {mine.length > 0 && (
        <section aria-labelledby="my-tools">
          <h2 id="my-tools" className="mb-3 text-base">
            Your tools
          </h2>
          {list(mine)}
        </section>
      )}
      {others.length > 0 && (
        <section aria-labelledby="more-tools">
          <h2 id="more-tools" className="mb-3 text-base">
            {mine.length > 0 ? 'More tools' : 'Choose your first tool'}
          </h2>
          {list(others)}
        </section>
      )}
      {cards.length === 0 && (
        <Card>
          <EmptyState
            icon={<PackageOpen />}
            title="No tools are on offer"
            description="The catalogue is empty. Please come back later."
          />
        </Card>
      )}
      {blocked && (
        <Suspense>
          <BlockedDialog blocked={blocked} onClose={closeBlocked} />
        </Suspense>
      )}
    </div>
  );
};

const GridSkeleton = () => (
  <Loading label="Loading your tools" className={gridStyle}>
    {[1, 2, 3, 4].map((each) => (
      <Skeleton key={each} className="h-44" />
    ))}
  </Loading>
);
