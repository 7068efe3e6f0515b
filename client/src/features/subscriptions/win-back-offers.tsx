import { lazy, Suspense } from 'react';
import { contract } from '#shared/api/index.ts';
import { useApiQuery } from '#client/lib/query-client.ts';

const WinBackCard = lazy(() => import('#client/features/subscriptions/win-back-card.tsx'));

/** Offers to come back, one card per expired subscription (B §4). Without them the panel stands complete: no error of its own. */
export const WinBackOffers = () => {
  const { data } = useApiQuery(contract.subscriptions.winBackOffers);
  if (!data || data.length === 0) return null;
  return (
    <Suspense>
      <div className="flex flex-col gap-3">
        {data.map((offer, index) => (
          <WinBackCard key={`${offer.teamId ?? ''}${offer.toolId}`} offer={offer} unfolded={index === 0} />
        ))}
      </div>
    </Suspense>
  );
};
