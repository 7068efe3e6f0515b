import { useEffect } from 'react';
import type { PageData } from '#shared/api/page-data.ts';
import { brand, seller } from '#shared/brand.ts';
import { partnerPercent, teamDiscountMembers } from '#shared/rules/billing/pricing.ts';
import { trialDays, trialEnds, trialGoesOn } from '#shared/rules/billing/trial-days.ts';
import { inputGoes } from '#shared/rules/record/kept.ts';
import { Calculator } from '#client/features/site/landing-calculator.tsx';
import { Hero } from '#client/features/site/landing-hero.tsx';
import { Plans } from '#client/features/site/landing-plans.tsx';
import { Section } from '#client/features/site/landing-section.tsx';
import { Tools } from '#client/features/site/landing-tools.tsx';
import { useOffer } from '#client/lib/money/visitors-catalogue.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { ButtonLink, TextLink } from '#client/ui/elements.tsx';
import { Steps } from '#client/ui/steps.tsx';
import { Loading } from '#client/ui/query-view.tsx';
import { mailto } from '#client/features/site/mailto.ts';
import { ProductScreenshot, subscribeScreenshot } from '#client/features/site/product-screenshot.tsx';

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
  <section aria-labelledby="closing" className="border-t bg-primary-subtle px-4 py-10 text-center sm:px-6 sm:py-16">
    <h2 id="closing" className="text-xl sm:text-2xl">
      Get your afternoons back
    </h2>
    <p className="mx-auto mt-3 max-w-[40rem] text-muted">Try any tool free for {trialDays.individual} days.</p>
    <ButtonLink href={paths.signUp} size="lg" className="mt-8 max-sm:w-full">
      Start Free Trial Today
    </ButtonLink>
  </section>
);

/** Once the page is there, fetches the pictures further down; those of the other theme are hidden, and stay away. */
const usePicturesEarly = () =>
  useEffect(() => {
    for (const picture of document.images) if (picture.offsetParent) picture.loading = 'eager';
  });

/** The home page of visitors. Every price on it comes from the catalogue. */
export default function LandingPage() {
  const query = useOffer();
  const offer = query.data;
  useTitle();
  usePicturesEarly();
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
      <Start />
      {offer && <Pricing offer={offer} />}
      <Questions />
      <Enterprise />
      <Closing />
    </>
  );
}

const demoRequest = () =>
  mailto(seller().salesEmail, `Demo request: ${brand.name}`, [
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
  <section aria-labelledby="enterprise" className="py-10 sm:py-16">
    <div className="mx-auto flex max-w-content flex-wrap items-center justify-between gap-x-12 gap-y-8 px-4 sm:px-6">
      <div className="max-w-[40rem]">
        <h2 id="enterprise" className="text-xl sm:text-2xl">
          {`More than ${teamDiscountMembers.max} advisers?`}
        </h2>
        <p className="mt-3 text-pretty text-muted">
          Tell us your team size and tools. We&apos;ll run a demo, set up a trial and help you roll out.
        </p>
      </div>
      <div className="flex flex-wrap gap-3 max-sm:w-full">
        <ButtonLink href={demoRequest()} size="lg" className="max-sm:w-full">
          Schedule Demo
        </ButtonLink>
        <ButtonLink
          href={mailto(seller().salesEmail, `Question about ${brand.name}`)}
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

/** Answered at length on the help page. */
const questions = [
  ['What happens when the trial ends?', `${trialEnds} ${trialGoesOn}`],
  [
    "Do you keep my clients' data?",
    `No, not in your account. ${inputGoes} Your account keeps when you used it, for how long, how much was done, and your file number for the client if you give one.`,
  ],
  [
    'Can I cancel when I like?',
    "Yes, each tool by itself, on your dashboard. You keep it to the end of the month you've paid for.",
  ],
] as const;

const Questions = () => (
  <Section raised id="questions" title="Three questions advisers ask first">
    <dl className="mt-8 grid gap-6 sm:gap-8 lg:grid-cols-3">
      {questions.map(([question, answer]) => (
        <div key={question}>
          <dt className="text-base font-semibold text-balance">{question}</dt>
          <dd className="mt-2 text-pretty text-muted">{answer}</dd>
        </div>
      ))}
    </dl>
    <p className="mt-8">
      <TextLink href={paths.help}>All questions and answers</TextLink>
    </p>
  </Section>
);

const steps = [
  ['Create your account', 'Your name, your email and a password, then a few lines about your practice.'],
  ['Try a tool', `Start its free trial of ${trialDays.individual} days. ${trialEnds}`],
  ['Open it, signed in', 'Each tool opens in its own window from your dashboard, with no second password.'],
] as const;

const Start = () => (
  <Section
    id="how"
    title="Up and running in minutes"
    lead="You see today's charge and your next bill before you enter a card."
  >
    <div className="mt-8 grid items-center gap-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)] lg:gap-14">
      <Steps as="h3" steps={steps} />
      <ProductScreenshot
        screenshot={subscribeScreenshot}
        className="max-sm:hidden"
        sizes="(min-width: 1200px) 672px, 100vw"
      />
    </div>
  </Section>
);
