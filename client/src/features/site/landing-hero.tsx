import { Check, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PageData } from '#shared/api/page-data.ts';
import { claimsAt } from '#shared/rules/claims.ts';
import { trialDays } from '#shared/rules/billing/trial-days.ts';
import { priceRange } from '#client/features/site/landing-prices.ts';
import { dashboardScreenshot, ProductScreenshot } from '#client/features/site/product-screenshot.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { AppLink, Badge, ButtonLink } from '#client/ui/elements.tsx';

export const Hero = ({ offer }: { offer: PageData | undefined }) => {
  const range = offer && priceRange(offer.tools);
  const claims = offer?.claims ?? [];
  const badges = claimsAt('badge', claims);
  return (
    <section
      aria-labelledby="hero"
      className="mx-auto flex max-w-content flex-col px-4 pb-16 text-center sm:px-6 sm:pt-20"
    >
      <div className="flex flex-col justify-center max-sm:pt-10 max-sm:pb-6">
        <Badge tone="primary" className="h-7! self-center px-3! text-sm!">
          {`${trialDays.individual}-day free trial`}
        </Badge>
        <h1 id="hero" className="mt-6 text-2xl sm:text-3xl">
          Less paperwork. More advice.
        </h1>
        <p className="mx-auto mt-5 w-full max-w-[56rem] text-muted sm:text-lg">
          <span className="sm:block">
            AI tools for Australian financial advisers: risk profiles, fact finds, file notes and forms.{' '}
          </span>
          {range && (
            <strong className="figures font-semibold text-text sm:block">
              <span className="whitespace-nowrap">{range}</span> per tool per month, GST included. Take only the ones
              you need.
            </strong>
          )}
        </p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <ButtonLink href={paths.signUp} size="lg" className="max-sm:w-full">
            {`Start ${trialDays.individual}-Day Free Trial`}
          </ButtonLink>
          <ButtonLink href="#tools" size="lg" variant="secondary" className="max-sm:w-full">
            Explore Tools
          </ButtonLink>
        </div>
        <ul className="mt-5 flex flex-wrap justify-center gap-x-6 gap-y-1 text-sm text-muted max-sm:gap-y-0">
          <Point>No Credit Card Required</Point>
          {claimsAt('point', claims).map(({ text, about }) => (
            <Point key={text}>
              <ClaimLink about={about}>{text}</ClaimLink>
            </Point>
          ))}
          <Point>Cancel any time</Point>
        </ul>
      </div>
      {badges.length > 0 && (
        <ul
          aria-label="Trust and security"
          className="flex flex-wrap content-center justify-center gap-x-6 gap-y-2 text-xs text-muted max-sm:gap-y-0 max-sm:pb-4 sm:order-1 sm:mt-12 sm:gap-x-8 sm:text-sm"
        >
          {badges.map(({ text, about }) => (
            <li key={text} className="flex items-center gap-2 whitespace-nowrap">
              <ShieldCheck aria-hidden className="size-4" />
              <ClaimLink about={about}>{text}</ClaimLink>
            </li>
          ))}
        </ul>
      )}
      <ProductScreenshot screenshot={dashboardScreenshot} className="mt-4 sm:mt-16" />
    </section>
  );
};

const Point = ({ children }: { children: ReactNode }) => (
  <li className="flex items-center gap-1.5">
    <Check aria-hidden className="size-4 text-primary" />
    {children}
  </li>
);

/** Leads from a claim to what is actually done. */
const ClaimLink = ({ about, children }: { about: string; children: ReactNode }) => (
  <AppLink
    href={paths.claim(about)}
    className="rounded-sm py-1 hover:text-text hover:underline max-sm:flex max-sm:min-h-11 max-sm:items-center"
  >
    {children}
  </AppLink>
);
