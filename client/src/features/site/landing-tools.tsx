import { useState } from 'react';
import type { PageData } from '#shared/api/page-data.ts';
import { formatCentsShort, centsOf } from '#shared/rules/money.ts';
import { LearnMore } from '#client/features/site/learn-more.tsx';
import { Section } from '#client/features/site/landing-section.tsx';
import { ToolOffer } from '#client/features/site/landing-tool-card.tsx';
import { type OfferedTool, otherTools, shownTools } from '#client/features/site/offer-figures.ts';
import type { ApiError } from '#client/lib/api-error.ts';
import { ErrorState } from '#client/ui/error-state.tsx';

type Props = {
  offer: PageData | undefined;
  error: ApiError | null;
  onRetry: () => void;
  retrying: boolean;
};

const named = new Intl.ListFormat('en-AU', { type: 'conjunction' });

/** The rest of the catalogue, in one sentence. */
const Others = ({ tools }: { tools: readonly OfferedTool[] }) =>
  tools.length > 0 && (
    <p className="figures mt-8 text-sm text-muted">
      Also available:{' '}
      {named.format(tools.map(({ name, basePrice }) => `${name}, ${formatCentsShort(centsOf(basePrice))} per month`))}.
    </p>
  );

/** What there is to subscribe to, tool by tool, with its price (A §2, decisions §4). */
export const Tools = ({ offer, error, onRetry, retrying }: Props) => {
  const [open, setOpen] = useState<OfferedTool>();
  return (
    <Section
      raised
      id="tools"
      title="One tool for each piece of paperwork"
      lead="Every tool has its own monthly price, in Australian dollars with GST included. Subscribe to one, or to as many as your practice needs."
    >
      {offer ? (
        <>
          <ul className="mt-10 grid gap-4 sm:grid-cols-2 sm:gap-6 lg:grid-cols-3">
            {shownTools(offer.tools).map((tool) => (
              <li key={tool.id}>
                <ToolOffer tool={tool} onLearnMore={() => setOpen(tool)} />
              </li>
            ))}
          </ul>
          <Others tools={otherTools(offer.tools)} />
          <LearnMore tool={open} onClose={() => setOpen(undefined)} />
        </>
      ) : (
        <ErrorState
          title="The tools could not be loaded"
          message={error?.sentence ?? 'Please try again.'}
          requestId={error?.requestId}
          onRetry={onRetry}
          retrying={retrying}
        />
      )}
    </Section>
  );
};
