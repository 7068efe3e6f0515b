import { centsOf, formatCentsShort } from '#shared/rules/money.ts';
import { presentationOf } from '#shared/rules/tools.ts';
import { loadToolDialog } from '#client/features/site/learn-more.tsx';
import type { OfferedTool } from '#client/features/site/offer-figures.ts';
import { Button } from '#client/ui/button.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

/** What a tool costs, as its card and its dialog say it. */
export const ToolPrice = ({ tool }: { tool: OfferedTool }) => {
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

/** One tool: what it is, what it costs, and more on request. */
export const ToolOffer = ({ tool, onLearnMore }: { tool: OfferedTool; onLearnMore: () => void }) => {
  const prepare = () => void loadToolDialog().catch(() => undefined);
  return (
    <article aria-labelledby={tool.id} className="flex h-full flex-col rounded border bg-background p-6">
      <ToolIcon toolId={tool.id} icon={presentationOf(tool.id)?.icon} />
      <h3 id={tool.id} className="mt-5 text-base">
        {tool.name}
      </h3>
      <p className="mt-1 flex-1 text-sm text-muted">{tool.description}</p>
      <div className="mt-6 flex min-h-9 items-center justify-between gap-3">
        <ToolPrice tool={tool} />
        {tool.comingSoon ? (
          <Button variant="secondary" disabled aria-describedby={tool.id} className="ml-auto">
            Coming Soon
          </Button>
        ) : (
          <Button
            variant="secondary"
            aria-haspopup="dialog"
            aria-describedby={tool.id}
            onPointerEnter={prepare}
            onFocus={prepare}
            onClick={onLearnMore}
          >
            Learn More
          </Button>
        )}
      </div>
    </article>
  );
};
