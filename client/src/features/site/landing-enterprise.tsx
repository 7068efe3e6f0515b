import { brand } from '#shared/brand.ts';
import { teamDiscountMembers } from '#shared/rules/billing/pricing.ts';
import { mailto } from '#client/features/site/mailto.ts';
import { ButtonLink } from '#client/ui/button.tsx';

const demoRequest = mailto(brand.salesEmail, `Demo request: ${brand.name}`, [
  'Hello,',
  '',
  `we would like to see ${brand.name}.`,
  '',
  'Practice: ',
  'Number of advisers: ',
  'Tools we are interested in: ',
  'Days and times that suit us (Sydney time): ',
  'Phone: ',
]);

export const Enterprise = () => (
  <section aria-labelledby="enterprise" className="py-16 sm:py-24">
    <div className="mx-auto flex max-w-content flex-wrap items-center justify-between gap-x-12 gap-y-8 px-4 sm:px-6">
      <div className="max-w-[40rem]">
        <h2 id="enterprise" className="text-xl sm:text-2xl">
          {`More than ${teamDiscountMembers.max} advisers?`}
        </h2>
        <p className="mt-3 text-muted">
          Tell us how many you are and which tools you need. We&apos;ll demo it to your advisers, agree a price and a
          trial, and stay with you while they get started.
        </p>
      </div>
      <div className="flex flex-wrap gap-3 max-sm:w-full">
        <ButtonLink href={demoRequest} size="lg" className="max-sm:w-full">
          Schedule Demo
        </ButtonLink>
        <ButtonLink
          href={mailto(brand.salesEmail, `Question about ${brand.name}`)}
          size="lg"
          variant="secondary"
          className="max-sm:w-full"
        >
          Contact Sales
        </ButtonLink>
      </div>
    </div>
  </section>
);
