import { Check } from 'lucide-react';
import { centsOf, formatCents } from '#shared/rules/billing/money.ts';
import { trialDays } from '#shared/rules/billing/subscriptions.ts';
import type { OfferedTool } from '#client/features/site/landing-prices.ts';
import { useToolTexts } from '#client/lib/money/visitors-catalogue.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { Button, ButtonLink } from '#client/ui/elements.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter } from '#client/ui/in-dialog.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const Points = ({ title, items }: { title: string; items: readonly string[] }) => (
  <section>
    <h3 className="text-sm">{title}</h3>
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

const Cost = ({ tool }: { tool: OfferedTool }) => {
  const cents = centsOf(tool.basePrice);
  return (
    <div className="rounded bg-tool-subtle p-4">
      <p className="figures text-lg font-semibold">
        {cents === 0 ? 'Free with any other subscription' : `${formatCents(cents)} per month`}
      </p>
      <p className="mt-0.5 text-sm text-muted">
        {cents === 0
          ? "It's added automatically with your first subscription or trial."
          : `GST included. Free for ${trialDays.individual} days, with no credit card. Your trial ends automatically.`}
      </p>
    </div>
  );
};

type Props = { tool: OfferedTool; open: boolean; onClose: () => void };

export default function ToolDialog({ tool, open, onClose }: Props) {
  const texts = useToolTexts(tool.id);
  return (
    <Dialog size="lg" open={open} onClose={onClose} title={tool.name} description={tool.description}>
      <div data-tool={tool.icon} className="space-y-5">
        <QueryView
          query={texts}
          failedTitle="What it does could not be loaded"
          loading={<Loading label="Loading what it does" skeletons={['h-10', 'mt-3 h-40']} />}
        >
          {({ about, audience, features, benefits }) => (
            <>
              {about && <p className="text-sm whitespace-pre-line">{about}</p>}
              {features.length > 0 && <Points title="What it does" items={features} />}
              {benefits.length > 0 && <Points title="What you gain" items={benefits} />}
              {audience && (
                <section>
                  <h3 className="text-sm">Who it is for</h3>
                  <p className="mt-1 text-sm text-muted">{audience}</p>
                </section>
              )}
            </>
          )}
        </QueryView>
        <Cost tool={tool} />
      </div>
      <DialogFooter>
        <Button variant="secondary" onClick={onClose}>
          Back to the tools
        </Button>
        <ButtonLink href={paths.signUpFor(tool.id)}>{`Start ${trialDays.individual}-Day Free Trial`}</ButtonLink>
      </DialogFooter>
    </Dialog>
  );
}
