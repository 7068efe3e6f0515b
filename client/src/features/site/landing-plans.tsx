import { Check } from 'lucide-react';
import { clsx } from 'clsx';
import type { PageData } from '#shared/api/page-data.ts';
import { brand, seller } from '#shared/brand.ts';
import { teamDiscountMembers, teamDiscountMinTools, teamPercent } from '#shared/rules/billing/pricing.ts';
import { trialDays } from '#shared/rules/billing/trial-days.ts';
import { mailto } from '#client/features/site/mailto.ts';
import { priceRange, tiersOf } from '#client/features/site/landing-prices.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { Badge, ButtonLink } from '#client/ui/elements.tsx';

type Plan = {
  name: string;
  audience: string;
  price: string;
  unit: string;
  points: string[];
  action: { label: string; href: string };
  popular?: boolean;
};

const { min, max } = teamDiscountMembers;

const plansOf = (offer: PageData): Plan[] => {
  const tiers = tiersOf(offer);
  const [first, last] = [tiers[0], tiers.at(-1)];
  return [
    {
      name: 'Individual',
      audience: 'For solo advisers',
      price: priceRange(offer.tools) ?? 'Soon',
      unit: 'per tool per month',
      points: [
        `Each tool free for ${trialDays.individual} days, no credit card`,
        ...(first && last
          ? [
              `${first.discountPercent}% off from ${first.toolCount} tools, up to ${last.discountPercent}% from ${last.toolCount}`,
            ]
          : []),
        'Lost money searches free with any other tool',
        'A tax invoice for every payment',
      ],
      action: { label: 'Start Free Trial', href: paths.signUp },
    },
    {
      name: 'Team',
      audience: `For practices of ${min} to ${max} advisers`,
      price: `${teamPercent}% off`,
      unit: `when your practice takes ${teamDiscountMinTools} or more tools`,
      points: [
        ...(last && last.discountPercent > teamPercent
          ? [`${last.discountPercent}% off from ${last.toolCount} tools`]
          : []),
        `Each tool free for ${trialDays.team} days`,
        'One card and one bill a month for the whole team',
        'Add and remove advisers yourself; the price adjusts',
        'Usage by adviser',
      ],
      action: { label: 'Start Team Trial', href: paths.signUp },
      popular: true,
    },
    {
      name: 'Enterprise',
      audience: `For ${max + 1} or more advisers`,
      price: 'Custom',
      unit: 'tailored to your practice',
      points: ['A price that suits your size', 'A trial for your roll-out', 'A demo for your advisers'],
      action: { label: 'Contact Sales', href: mailto(seller().enterpriseEmail, `${brand.name} for our practice`) },
    },
  ];
};

const PlanCard = ({ name, audience, price, unit, points, action, popular }: Plan) => (
  <article
    aria-labelledby={`plan-${name}`}
    className={clsx(
      'flex h-full flex-col rounded border bg-background p-6 sm:p-8',
      popular && 'border-primary! shadow-popover',
    )}
  >
    <div className="flex items-center justify-between gap-3">
      <h3 id={`plan-${name}`} className="text-lg">
        {name}
      </h3>
      {popular && <Badge tone="primary">Most Popular</Badge>}
    </div>
    <p className="mt-1 text-sm text-muted">{audience}</p>
    <p className="figures mt-6 text-2xl font-semibold tracking-tight">{price}</p>
    <p className="text-sm text-muted">{unit}</p>
    <ul className="mt-6 mb-8 flex-1 space-y-3 text-sm">
      {points.map((point) => (
        <li key={point} className="flex items-start gap-2.5">
          <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-primary" />
          {point}
        </li>
      ))}
    </ul>
    <ButtonLink href={action.href} size="lg" variant={popular ? 'primary' : 'secondary'} className="w-full">
      {action.label}
    </ButtonLink>
  </article>
);

export const Plans = ({ offer }: { offer: PageData }) => (
  <ul className="mt-10 grid gap-4 sm:gap-6 lg:grid-cols-3">
    {plansOf(offer).map((plan) => (
      <li key={plan.name}>
        <PlanCard {...plan} />
      </li>
    ))}
  </ul>
);
