import { trialDays } from '#shared/rules/billing/subscriptions.ts';
import { Section } from '#client/features/site/landing-section.tsx';
import { subscribeScreenshot, ProductScreenshot } from '#client/features/site/product-screenshot.tsx';

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
