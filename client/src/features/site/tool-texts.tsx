import { Check } from 'lucide-react';
import { centsOf, formatCents } from '#shared/rules/billing/money.ts';
import { trialDays, trialEnds } from '#shared/rules/billing/trial-days.ts';
import type { ToolTexts } from '#shared/rules/tools/tool-texts.ts';
import type { OfferedTool } from '#client/features/site/landing-prices.ts';

type Heading = { as?: 'h2' | 'h3' | undefined };

const Points = ({ title, items, as: Heading = 'h3' }: Heading & { title: string; items: readonly string[] }) => (
  <section>
    <Heading className="text-sm">{title}</Heading>
    <ul className="mt-2 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2">
      {items.map((item) => (
        <li key={item} className="flex items-start gap-2">
          <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-tool" />
          {item}
        </li>
      ))}
    </ul>
  </section>
);

/** What it costs a month, and how to try it. */
export const ToolCost = ({ tool }: { tool: OfferedTool }) => {
  const cents = centsOf(tool.basePrice);
  return (
    <div>
      <p className="figures text-lg font-semibold">
        {cents === 0 ? 'Free with any other subscription' : `${formatCents(cents)} per month`}
      </p>
      <p className="mt-0.5 text-sm text-muted">
        {cents === 0
          ? "It's added automatically with your first subscription or trial."
          : `GST included. Free for ${trialDays.individual} days. ${trialEnds}`}
      </p>
    </div>
  );
};

/** What a tool says of itself; `as` is the level of its headings. */
export const ToolTextsView = ({ about, audience, features, benefits, as: Heading = 'h3' }: ToolTexts & Heading) => (
  <>
    {about && <p className="whitespace-pre-line">{about}</p>}
    {features.length > 0 && <Points title="What it does" items={features} as={Heading} />}
    {benefits.length > 0 && <Points title="What you gain" items={benefits} as={Heading} />}
    {audience && (
      <section>
        <Heading className="text-sm">Who it is for</Heading>
        <p className="mt-1 text-sm text-muted">{audience}</p>
      </section>
    )}
  </>
);
