import { contract } from '#shared/api/members.ts';
import { laterPart } from '#client/lib/pages/load-later.ts';
import type { Payer } from '#client/lib/money/payer.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';

const WinBackOffer = laterPart(() => import('#client/features/subscriptions/win-back-offer.tsx'));

/** The win-back offers to this payer, for one tool or for any. An extra: if they can't be loaded, nothing is shown. */
export const WinBackOffers = ({ teamId = null, toolId }: Payer & { toolId?: string }) => {
  const { data = [] } = useApiQuery(contract.subscriptions.winBackOffers);
  const offers = data.filter((offer) => offer.teamId === teamId && (!toolId || offer.toolId === toolId));
  if (offers.length === 0) return null;
  return (
    <div className="flex flex-col gap-3">
      {offers.map((offer, index) => (
        <WinBackOffer key={offer.toolId} offer={offer} unfolded={index === 0} />
      ))}
    </div>
  );
};
