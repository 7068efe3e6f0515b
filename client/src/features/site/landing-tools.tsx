import { useState } from 'react';
import type { PageData } from '#shared/api/page-data.ts';
import { centsOf, formatCentsShort } from '#shared/rules/billing/money.ts';
import { Section } from '#client/features/site/landing-section.tsx';
import { type OfferedTool, soonLast } from '#client/features/site/landing-prices.ts';
import { ToolOutput } from '#client/features/site/tool-output.tsx';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { AppLink, Button } from '#client/ui/elements.tsx';
import { type Query, QueryView } from '#client/ui/query-view.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

const [ToolDialog, prepareToolDialog] = lazyDialog(() => import('#client/features/site/tool-dialog.tsx'));

const ToolPrice = ({ tool }: { tool: OfferedTool }) => {
  const cents = centsOf(tool.basePrice);
  if (tool.comingSoon) return null;
  return cents === 0 ? (
    <p className="text-sm font-medium">Free with any other subscription</p>
  ) : (
    <p>
      <span className="figures text-lg font-semibold">{formatCentsShort(cents)}</span>
      <span className="text-sm text-muted"> per month</span>
    </p>
  );
};

const ToolCard = ({ tool, onLearnMore }: { tool: OfferedTool; onLearnMore: () => void }) => (
  <article aria-labelledby={tool.id} className="flex h-full flex-col rounded border bg-background p-4 sm:p-5">
    <div className="flex items-center gap-3">
      <ToolIcon icon={tool.icon} />
      <h3 id={tool.id} className="text-base">
        <AppLink href={paths.disclosure(tool.id)} className="rounded-sm underline-offset-4 hover:underline">
          {tool.name}
        </AppLink>
      </h3>
    </div>
    <p className="mt-3 flex-1 text-sm text-pretty text-muted">{tool.description}</p>
    <div className="mt-3 flex min-h-9 items-center justify-between gap-3 sm:mt-5 lg:flex-col lg:items-stretch">
      <ToolPrice tool={tool} />
      {tool.comingSoon ? (
        <Button variant="secondary" disabled aria-describedby={tool.id} className="ml-auto lg:ml-0">
          Coming Soon
        </Button>
      ) : (
        <Button
          variant="secondary"
          aria-haspopup="dialog"
          aria-describedby={tool.id}
          onPointerEnter={prepareToolDialog}
          onFocus={prepareToolDialog}
          onClick={onLearnMore}
        >
          Learn More
        </Button>
      )}
    </div>
  </article>
);

/** What three of them hand over; a phone shows one. */
const Samples = ({ tools }: { tools: readonly OfferedTool[] }) => (
  <>
    <h3 className="mt-12 text-lg">What you get</h3>
    <p className="mt-1 text-sm text-muted">Samples, about made-up clients.</p>
    <ul className="mt-5 grid gap-6 sm:grid-cols-3 max-sm:[&>li:not(:first-child)]:hidden">
      {tools.slice(0, 3).map((tool) => (
        <li key={tool.id}>
          <ToolOutput tool={tool} />
        </li>
      ))}
    </ul>
  </>
);

export const Tools = ({ query }: { query: Query<PageData> }) => {
  // Kept while its dialog closes.
  const [tool, setTool] = useState<OfferedTool>();
  const [open, setOpen] = useState(false);
  return (
    <Section
      raised
      id="tools"
      title="One tool for each piece of paperwork"
      lead="Every tool has its own monthly price, in Australian dollars with GST included. Subscribe to one, or to as many as your practice needs."
    >
      <QueryView query={query} failedTitle="The tools could not be loaded" loading={null}>
        {({ tools }) => (
          <>
            <ul className="mt-8 grid gap-3 sm:mt-10 sm:grid-cols-2 sm:gap-5 lg:grid-cols-4">
              {soonLast(tools).map((each) => (
                <li key={each.id}>
                  <ToolCard
                    tool={each}
                    onLearnMore={() => {
                      setTool(each);
                      setOpen(true);
                    }}
                  />
                </li>
              ))}
            </ul>
            <Samples tools={soonLast(tools)} />
            {tool && <ToolDialog tool={tool} open={open} onClose={() => setOpen(false)} />}
          </>
        )}
      </QueryView>
    </Section>
  );
};
