import type { PageData } from '#shared/api/page-data.ts';
import { brand } from '#shared/brand.ts';
import { partnerPercent } from '#shared/rules/pricing.ts';
import { Calculator } from '#client/features/site/landing-calculator.tsx';
import { Plans } from '#client/features/site/landing-plans.tsx';
import { Section } from '#client/features/site/landing-section.tsx';

/** Three ways to buy (A §2, §9), what several tools cost together, and the partner group's price. */
export const Pricing = ({ offer }: { offer: PageData }) => (
  <Section
    raised
    id="pricing"
    title="Pay for the tools you use"
    lead="No bundle and no set-up fee. Cancel a tool where you subscribed to it, and keep it until the paid month is over."
  >
    <Plans offer={offer} />
    <Calculator offer={offer} />
    <p className="mt-6 rounded border border-primary bg-primary-subtle px-5 py-4 text-sm">
      <strong className="font-semibold">{`Advisers of ${brand.partnerGroupName} get ${partnerPercent}% off`}</strong>{' '}
      every tool, automatically, once their work email is verified.
    </p>
  </Section>
);
