import type { PageData } from '#shared/api/page-data.ts';
import { brand } from '#shared/brand.ts';
import { partnerPercent } from '#shared/rules/billing/pricing.ts';
import { trialDays } from '#shared/rules/billing/subscriptions.ts';
import { Calculator } from '#client/features/site/landing-calculator.tsx';
import { Enterprise } from '#client/features/site/landing-enterprise.tsx';
import { Hero } from '#client/features/site/landing-hero.tsx';
import { Plans } from '#client/features/site/landing-plans.tsx';
import { Section } from '#client/features/site/landing-section.tsx';
import { Steps } from '#client/features/site/landing-steps.tsx';
import { Tools } from '#client/features/site/landing-tools.tsx';
import { useOffer } from '#client/lib/money/visitors-catalogue.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { ButtonLink } from '#client/ui/button.tsx';
import { Loading } from '#client/ui/query-view.tsx';

const Pricing = ({ offer }: { offer: PageData }) => (
  <Section
    raised
    id="pricing"
    title="Pay for the tools you use"
    lead="No bundle and no set-up fee. Cancel any tool yourself, and keep it to the end of the month you've paid for."
  >
    <Plans offer={offer} />
    <Calculator offer={offer} />
    <p className="mt-6 rounded border border-primary bg-primary-subtle px-5 py-4 text-sm">
      <strong className="font-semibold">{`Advisers of ${brand.partnerGroupName} get ${partnerPercent}% off`}</strong>{' '}
      every tool, automatically, once their work email is verified.
    </p>
  </Section>
);

const Closing = () => (
  <section aria-labelledby="closing" className="border-t bg-primary-subtle px-4 py-16 text-center sm:px-6 sm:py-24">
    <h2 id="closing" className="text-xl sm:text-2xl">
      Give your afternoons back to your clients
    </h2>
    <p className="mx-auto mt-3 max-w-[40rem] text-muted">
      Pick the tool for the paperwork you like least. You have {trialDays.individual} days to see whether it helps.
    </p>
    <ButtonLink href={paths.signUp} size="lg" className="mt-8 max-sm:w-full">
      Start Free Trial Today
    </ButtonLink>
  </section>
);

/** The home page of visitors. Every price on it comes from the catalogue. */
export default function LandingPage() {
  const query = useOffer();
  const offer = query.data;
  useTitle();
  if (!offer && !query.error) {
    return (
      <Loading
        label="Loading page"
        className="mx-auto min-h-dvh max-w-content space-y-8 px-4 py-16 sm:px-6"
        skeletons={['mx-auto h-24 max-w-[40rem]', 'h-[32rem]']}
      />
    );
  }
  return (
    <>
      <Hero offer={offer} />
      <Tools query={query} />
      <Steps />
      {offer && <Pricing offer={offer} />}
      <Enterprise />
      <Closing />
    </>
  );
}
