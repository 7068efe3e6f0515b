import { Closing } from '#client/features/site/landing-closing.tsx';
import { Enterprise } from '#client/features/site/landing-enterprise.tsx';
import { Hero } from '#client/features/site/landing-hero.tsx';
import { Pricing } from '#client/features/site/landing-pricing.tsx';
import { Steps } from '#client/features/site/landing-steps.tsx';
import { Tools } from '#client/features/site/landing-tools.tsx';
import { useOffer } from '#client/lib/offer.ts';
import { useTitle } from '#client/lib/title.ts';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

/** The signed-out home (A §2): what it is, what it costs, and how to begin. Every price on it comes from the catalogue. */
export default function LandingPage() {
  const { data: offer, error, refetch, isFetching } = useOffer();
  useTitle();
  if (!offer && !error) {
    return (
      <Loading label="Loading page" className="mx-auto min-h-dvh max-w-content space-y-8 px-4 py-16 sm:px-6">
        <Skeleton className="mx-auto h-24 max-w-[40rem]" />
        <Skeleton className="h-[32rem]" />
      </Loading>
    );
  }
  return (
    <>
      <Hero offer={offer} />
      <Tools offer={offer} error={error} onRetry={() => void refetch()} retrying={isFetching} />
      <Steps />
      {offer && <Pricing offer={offer} />}
      <Enterprise />
      <Closing />
    </>
  );
}
