import { trialDays } from '#shared/rules/billing/trial-days.ts';
import type { OfferedTool } from '#client/features/site/landing-prices.ts';
import { useToolTexts } from '#client/lib/money/visitors-catalogue.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { Button, ButtonLink, TextLink } from '#client/ui/elements.tsx';
import { ToolCost, ToolTextsView } from '#client/features/site/tool-texts.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter } from '#client/ui/in-dialog.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

type Props = { tool: OfferedTool; open: boolean; onClose: () => void };

export default function ToolDialog({ tool, open, onClose }: Props) {
  const texts = useToolTexts(tool.id);
  return (
    <Dialog size="lg" open={open} onClose={onClose} title={tool.name} description={tool.description}>
      <p className="mb-4">
        <TextLink href={paths.disclosure(tool.id)}>All about {tool.name}</TextLink>
      </p>
      <div data-tool={tool.icon} className="space-y-5">
        <QueryView
          query={texts}
          failedTitle="What it does could not be loaded"
          loading={<Loading label="Loading what it does" skeletons={['h-10', 'mt-3 h-40']} />}
        >
          {(said) => <ToolTextsView {...said} />}
        </QueryView>
        <ToolCost tool={tool} />
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
