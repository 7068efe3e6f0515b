import { CircleCheck, RotateCcw } from 'lucide-react';
import type { Incident } from '#shared/api/oversight.ts';
import { contract } from '#shared/api/index.ts';
import { adminRefreshMs, incidentLimit } from '#shared/rules/admin.ts';
import { useAdminWrite } from '#client/features/admin/write.ts';
import { formatDateTime } from '#client/lib/format.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

const IncidentRow = ({ incident }: { incident: Incident }) => {
  const { mutate, isPending } = useAdminWrite(contract.oversight.replay, {
    invalidates: [contract.oversight.incidents, contract.oversight.audit],
    onSuccess: () => toast({ title: 'Replay started', description: incident.name }),
  });
  const tries = incident.attempts === 1 ? '1 try' : `${incident.attempts} tries`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <Badge tone="danger">{incident.kind === 'webhook' ? 'Webhook' : 'Job'}</Badge>
          <span className="[overflow-wrap:anywhere]">{incident.name}</span>
        </p>
        <p className="text-sm [overflow-wrap:anywhere]">{incident.error ?? 'No reason was recorded.'}</p>
        <p className="figures text-xs text-muted [overflow-wrap:anywhere]">
          {formatDateTime(incident.failedAt)} · {tries}
          {incident.about && ` · ${incident.about}`}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Replay ${incident.name}`}
        pending={isPending}
        pendingLabel="Replaying…"
        onClick={() => mutate({ params: { id: incident.id }, body: {} })}
      >
        <RotateCcw aria-hidden />
        Replay
      </Button>
    </li>
  );
};

/** Webhook events that were given up, jobs that failed, and what the operator should know (decisions §1, §11). */
export const Incidents = () => {
  const { data, error, refetch, isFetching } = useApiQuery(contract.oversight.incidents, undefined, {
    refetchInterval: adminRefreshMs,
  });
  const content = () => {
    if (!data && error)
      return (
        <ErrorState message={error.sentence} requestId={error.requestId} onRetry={refetch} retrying={isFetching} />
      );
    if (!data)
      return (
        <Loading label="Loading incidents">
          <Skeleton className="h-6 w-72 max-w-full" />
        </Loading>
      );
    if (data.incidents.length === 0)
      return (
        <p className="flex items-center gap-2 text-sm">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
          No failed webhooks or jobs
        </p>
      );
    return (
      // Focusable, so that it can be scrolled with the keyboard.
      <section aria-label="Failed webhooks and jobs" tabIndex={0} className="max-h-[400px] overflow-y-auto rounded-sm">
        <ul className="divide-y">
          {data.incidents.map((incident) => (
            <IncidentRow key={incident.id} incident={incident} />
          ))}
        </ul>
        {data.incidents.length >= incidentLimit && (
          <p className="py-2 text-xs text-muted">The newest {incidentLimit} are shown.</p>
        )}
      </section>
    );
  };
  return (
    <>
      {data?.warnings.map((warning) => (
        <Alert key={warning} tone="warning">
          {warning}
        </Alert>
      ))}
      <Card>
        <CardHeader title="Incidents" description="Webhook events that were given up and jobs that failed" />
        <CardBody className="pt-3">{content()}</CardBody>
      </Card>
    </>
  );
};
