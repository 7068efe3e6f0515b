import { Check } from 'lucide-react';
import { centsOf, formatCents } from '#shared/rules/money.ts';
import { trialDays } from '#shared/rules/subscriptions.ts';
import { textsOf } from '#shared/rules/tool-texts.ts';
import type { OfferedTool } from '#client/features/site/landing-prices.ts';
import { paths } from '#client/lib/paths.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';

/** Texts that the catalogue does not have. */
const toolStories: Record<string, { does: string; audience: string }> = {
  'risk-profile-ai': {
    does: 'Your client answers a guided questionnaire. You get a scored profile with the reasons behind it, inconsistent answers pointed out, and a report for the file.',
    audience: 'Advisers who recommend investments and must show why a recommendation suits the client.',
  },
  'fact-find-ai': {
    does: 'Your client fills in the fact find online, before you meet. What is missing is followed up, and you start with a summary of goals and circumstances.',
    audience: 'Advisers who take on new clients or prepare annual reviews.',
  },
  'file-note-ai': {
    does: 'You give it the points of a conversation. It writes a structured file note, lists the follow-up tasks and checks the wording.',
    audience: 'Advisers and support staff who document client conversations every day.',
  },
  'pre-fill-ai': {
    does: 'It fills provider forms from client data you already have, lists what is missing before you send them, and lets clients sign digitally.',
    audience: 'Practices that send applications and change forms to product providers.',
  },
  'lost-money-ai': {
    does: 'It searches the registers of lost money and lost superannuation, and matches what it finds to your client.',
    audience: 'Advisers who want a good reason to call a client, at no cost to either.',
  },
};

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
          : `GST included. Free for ${trialDays.individual} days, with no credit card; a trial ends on its own.`}
      </p>
    </div>
  );
};

type Props = { tool: OfferedTool; open: boolean; onClose: () => void };

export default function ToolDialog({ tool, open, onClose }: Props) {
  const { features, benefits } = textsOf(tool.id);
  const story = toolStories[tool.id];
  return (
    <Dialog
      size="lg"
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={tool.name}
      description={tool.description}
    >
      <div data-tool={tool.id} className="space-y-5">
        {story && <p className="text-sm">{story.does}</p>}
        {features.length > 0 && <Points title="What it does" items={features} />}
        {benefits.length > 0 && <Points title="What you gain" items={benefits} />}
        {story && (
          <section>
            <h3 className="text-sm">Who it is for</h3>
            <p className="mt-1 text-sm text-muted">{story.audience}</p>
          </section>
        )}
        <Cost tool={tool} />
      </div>
      <DialogFooter>
        <Button variant="secondary" onClick={onClose}>
          Back to the tools
        </Button>
        <ButtonLink href={paths.signUp}>{`Start ${trialDays.individual}-Day Free Trial`}</ButtonLink>
      </DialogFooter>
    </Dialog>
  );
}
