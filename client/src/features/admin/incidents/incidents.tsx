import { CircleCheck, RotateCcw } from 'lucide-react';
import type { Incident } from '#shared/api/oversight.ts';
import { contract } from '#shared/api/index.ts';
import { adminRefreshMs, incidentLimit } from '#shared/rules/operators/admin.ts';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { ConfirmErasure } from '#client/features/admin/people/confirm-erasure.tsx';
import { SettleIncident } from '#client/features/admin/incidents/settle-incident.tsx';
import { Alert } from '#client/ui/alert.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';
import { TextLink } from '#client/ui/text-link.tsx';

const IncidentRow = ({ incident }: { incident: Incident }) => {
  const { mutate, isPending } = useApiMutation(contract.oversight.replay, {
    failure: somethingWentWrong,
    onSuccess: () => toast({ title: 'Replay started', description: incident.title }),
  });
  const tries = incident.attempts === 1 ? '1 try' : `${incident.attempts} tries`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <Badge tone="danger">{incident.kind === 'webhook' ? 'Webhook' : 'Job'}</Badge>
          <span>{incident.title}</span>
        </p>
        {(incident.who || incident.toolName) && (
          <p className="text-sm [overflow-wrap:anywhere]">
            {incident.who?.userId ? (
              <TextLink href={paths.adminUser(incident.who.userId)}>{incident.who.name}</TextLink>
            ) : (
              incident.who?.name
            )}
            {incident.who && incident.toolName && ' · '}
            {incident.toolName}
          </p>
        )}
        <p className="text-sm [overflow-wrap:anywhere]">{incident.error ?? 'No reason was recorded.'}</p>
        <p className="text-sm text-muted">Next: {incident.nextStep}</p>
        <p className="figures text-xs text-muted [overflow-wrap:anywhere]">
          {formatDateTime(incident.failedAt)} · {tries} · {incident.name}
          {incident.about && ` · ${incident.about}`}
        </p>
      </div>
      {incident.canSettle && <SettleIncident incident={incident} />}
      {incident.canConfirm && <ConfirmErasure incident={incident} />}
      {incident.canReplay && (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Replay: ${incident.title}`}
          pending={isPending}
          pendingLabel="Replaying…"
          onClick={() => mutate({ params: { id: incident.id }, body: {} })}
        >
          <RotateCcw aria-hidden />
          Replay
        </Button>
      )}
    </li>
  );
};

const IncidentList = ({ incidents }: { incidents: Incident[] }) => (
  // Focusable, so that the keyboard can scroll it.
  <section aria-label="List of incidents" tabIndex={0} className="max-h-[400px] overflow-y-auto rounded-sm">
    <ul className="divide-y">
      {incidents.map((incident) => (
        <IncidentRow key={incident.id} incident={incident} />
      ))}
    </ul>
    {incidents.length >= incidentLimit && (
      <p className="py-2 text-xs text-muted">The newest {incidentLimit} are shown.</p>
    )}
  </section>
);

export const Incidents = () => {
  const query = useApiQuery(contract.oversight.incidents, undefined, { refetchInterval: adminRefreshMs });
  return (
    <>
      {query.data?.warnings.map((warning) => (
        <Alert key={warning} tone="warning">
          {warning}
        </Alert>
      ))}
      <Panel
        title="Incidents"
        description="What stopped after repeated failures or needs a person; administrators get a mail of new ones"
        bodyClassName="pt-3"
      >
        <QueryView
          query={query}
          failedTitle="The incidents could not be loaded"
          loading={<Loading label="Loading incidents" skeletons={['h-6 w-72 max-w-full']} />}
          isEmpty={({ incidents }) => incidents.length === 0}
          empty={
            <p className="flex items-center gap-2 text-sm">
              <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
              No incidents
            </p>
          }
        >
          {({ incidents }) => <IncidentList incidents={incidents} />}
        </QueryView>
      </Panel>
    </>
  );
};
