import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { cancellationReasonLabels } from '#shared/rules/billing/cancellation.ts';
import { figureDays } from '#shared/rules/tools/figures.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { Panel } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const Figure = ({ label, value, unit = '' }: { label: string; value: number | null; unit?: string }) => (
  <div className="flex justify-between gap-4 py-2">
    <dt>{label}</dt>
    <dd className="figures shrink-0 text-right">
      {value === null ? <span className="text-muted">under five people</span> : `${value}${unit}`}
    </dd>
  </div>
);

const Shown = (figures: Reply<typeof contract.developers.figures>) => (
  <dl className="divide-y text-sm">
    <Figure label="Subscribers" value={figures.subscribers} />
    <Figure label="On trial" value={figures.trials} />
    <Figure label="Began a trial" value={figures.trialsBegun} />
    <Figure label="Paid after their trial" value={figures.trialsPaid} />
    {figures.reasons.map(({ reason, people }) => (
      <Figure key={reason} label={`Left: ${cancellationReasonLabels[reason].toLowerCase()}`} value={people} />
    ))}
    <Figure label={`Used it in the last ${figureDays} days`} value={figures.users} />
    <Figure label="Sessions that their adviser checked" value={figures.reviewedPercent} unit="%" />
    <Figure label="Sessions reviewed as not checked" value={figures.notCheckedPercent} unit="%" />
  </dl>
);

/** How a tool does, for its maker. */
export const Figures = ({ toolId }: { toolId: string }) => (
  <Panel
    title="How it does"
    description="Advisers and practices, each counted once. We hide figures about fewer than five people, except the number of subscribers."
  >
    <QueryView
      query={useApiQuery(contract.developers.figures, { params: { toolId } })}
      failedTitle="The figures could not be loaded"
      loading={<Loading label="Loading the figures" skeletons={['h-40']} />}
    >
      {(figures) => <Shown {...figures} />}
    </QueryView>
  </Panel>
);
