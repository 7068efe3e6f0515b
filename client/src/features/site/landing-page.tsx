import { clsx } from 'clsx';
import { useState } from 'react';
import type { PageData } from '#shared/api/page-data.ts';
import { brand, seller } from '#shared/brand.ts';
import { partnerPercent, teamDiscountMembers } from '#shared/rules/billing/pricing.ts';
import { trialDays } from '#shared/rules/billing/subscriptions.ts';
import { centsOf, formatCentsShort } from '#shared/rules/billing/money.ts';
import { Hero } from '#client/features/site/landing-hero.tsx';
import { Plans } from '#client/features/site/landing-plans.tsx';
import { Section } from '#client/features/site/landing-section.tsx';
import { Tools } from '#client/features/site/landing-tools.tsx';
import { useOffer } from '#client/lib/money/visitors-catalogue.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { ButtonLink } from '#client/ui/elements.tsx';
import { Loading } from '#client/ui/query-view.tsx';
import { mailto } from '#client/features/site/mailto.ts';
import { ProductScreenshot, subscribeScreenshot } from '#client/features/site/product-screenshot.tsx';
import { monthlyPrice, paidTools, tiersOf } from '#client/features/site/landing-prices.ts';

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
      Get your afternoons back
    </h2>
    <p className="mx-auto mt-3 max-w-[40rem] text-muted">Try any tool free for {trialDays.individual} days.</p>
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
  <section aria-labelledby="enterprise" className="py-16 sm:py-24">
    <div className="mx-auto flex max-w-content flex-wrap items-center justify-between gap-x-12 gap-y-8 px-4 sm:px-6">
      <div className="max-w-[40rem]">
        <h2 id="enterprise" className="text-xl sm:text-2xl">
          {`More than ${teamDiscountMembers.max} advisers?`}
        </h2>
        <p className="mt-3 text-muted">
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

const steps = [
  ['Create your account', 'Your name, your email and a password, then a few lines about your practice.'],
  [
    'Try a tool',
    `Start its free trial: ${trialDays.individual} days, with no credit card. Without one, the trial simply ends.`,
  ],
  ['Open it, signed in', 'Each tool opens in its own window from your dashboard, with no second password.'],
] as const;

export const Steps = () => (
  <Section
    id="how"
    title="Up and running in minutes"
    lead="See what you'd pay, line by line, before you enter a card: the price, each discount with its reason, what is due today and what comes next."
  >
    <div className="mt-10 grid items-center gap-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)] lg:gap-14">
      <ol className="space-y-8">
        {steps.map(([title, text], index) => (
          <li key={title} className="flex gap-4">
            <span
              aria-hidden
              className="figures flex size-8 shrink-0 items-center justify-center rounded-full bg-primary-subtle text-sm font-semibold text-primary"
            >
              {index + 1}
            </span>
            <div>
              <h3 className="pt-1 text-base">{title}</h3>
              <p className="mt-1 text-sm text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <ProductScreenshot screenshot={subscribeScreenshot} sizes="(min-width: 1200px) 672px, 100vw" />
    </div>
  </Section>
);

export const Calculator = ({ offer }: { offer: PageData }) => {
  const tools = paidTools(offer.tools);
  const [chosen, setChosen] = useState<readonly string[]>(() => tools.slice(0, 2).map((tool) => tool.id));
  if (tools.length === 0) return null;
  const { base, saved, total, percent } = monthlyPrice(
    tools.filter((tool) => chosen.includes(tool.id)),
    tiersOf(offer),
  );
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <section
      aria-labelledby="calculator"
      className="mt-6 grid items-center gap-x-10 gap-y-6 rounded border bg-background p-6 sm:p-8 lg:grid-cols-[minmax(0,1fr)_16rem]"
    >
      <fieldset className="min-w-0">
        <legend id="calculator" className="text-base font-semibold">
          Work out your price
        </legend>
        <div className="mt-4 flex flex-wrap gap-2">
          {tools.map((tool) => (
            <label
              key={tool.id}
              className={clsx(
                'flex h-9 cursor-pointer items-center gap-2 rounded border px-3 text-sm select-none',
                'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
                chosen.includes(tool.id) ? 'border-primary bg-primary-subtle' : 'border-control bg-surface',
              )}
            >
              <input
                type="checkbox"
                name={tool.id}
                checked={chosen.includes(tool.id)}
                onChange={() => toggle(tool.id)}
                className="size-4 outline-none"
              />
              {tool.name}
              <span className="figures text-muted">{formatCentsShort(centsOf(tool.basePrice))}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <p aria-live="polite" className="lg:text-right">
        <span className="figures block text-2xl font-semibold tracking-tight">{total}</span>
        <span className="block text-sm text-muted">per month for one adviser</span>
        <span className="figures mt-1 block min-h-5 text-sm">
          {saved > 0 && (
            <>
              <s className="text-muted">{base}</s> <span className="font-medium text-success">{percent}% off</span>
            </>
          )}
        </span>
      </p>
    </section>
  );
};
