import { ExternalLink, RotateCcw } from 'lucide-react';
import type { Incident } from '#shared/api/operators/oversight.ts';
import { contract } from '#shared/api/index.ts';
import { adminRefreshMs, incidentLimit } from '#shared/rules/operators/admin.ts';
import { businessZone, calendarDays, formatSydneyDate, sydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { billDay, formatDateTime } from '#client/lib/words/format.ts';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { WhoLink } from '#client/features/admin/people/who-link.tsx';
import { ActForm, closeAndTell, ReasonForm } from '#client/features/admin/act-form.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { Alert, Badge, Button, ButtonLink, Panel, Text } from '#client/ui/elements.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { TextField } from '#client/ui/form.tsx';
import { DialogButton } from '#client/ui/dialog.tsx';
import { Folded } from '#client/features/admin/lists.tsx';
import { Row, ScrollList } from '#client/ui/list.tsx';

/** Until when a dispute can be answered. */
export const Deadline = ({ at }: { at: Date }) => {
  const left = calendarDays(businessNow(), at, businessZone);
  const text = left < 0 ? `Overdue since ${formatSydneyDate(at)}` : left === 0 ? 'Answer today' : `${count(left)} left`;
  return <Badge tone={left < 3 ? 'danger' : 'warning'}>{text}</Badge>;
};
const count = (days: number) => (days === 1 ? '1 day' : `${days} days`);

/** Those with a deadline come first, the nearest at the top. */
export const byUrgency = (a: Incident, b: Incident) =>
  (a.answerBy?.getTime() ?? Infinity) - (b.answerBy?.getTime() ?? Infinity) ||
  b.failedAt.getTime() - a.failedAt.getTime();

const IncidentRow = ({ incident }: { incident: Incident }) => {
  const { mutate, isPending } = useApiMutation(contract.oversight.replay, {
    onSuccess: () => toast({ title: 'Replay started', description: incident.title }),
  });
  const tries = incident.attempts === 1 ? '1 try' : `${incident.attempts} tries`;
  return (
    <Row
      basis="basis-60"
      title={incident.title}
      action={
        <>
          {incident.canSettle && <Settle incident={incident} />}
          {incident.canConfirm && <ConfirmErasure incident={incident} />}
          {incident.canReplay && (
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Replay: ${incident.title}`}
              pending={isPending}
              pendingLabel="Replaying…"
              onClick={() => mutate({ params: { id: incident.id } })}
            >
              <RotateCcw aria-hidden />
              Replay
            </Button>
          )}
        </>
      }
    >
      {(incident.who || incident.toolName) && (
        <p>
          {incident.who && <WhoLink who={incident.who} />}
          <Text>
            {incident.who && incident.toolName && ' · '}
            {incident.toolName}
          </Text>
        </p>
      )}
      <p>{incident.error ?? 'No reason was recorded.'}</p>
      <p className="text-muted">{incident.nextStep}</p>
      <Folded summary={formatDateTime(incident.failedAt)} lines={[tries, incident.name, incident.about ?? '']} />
    </Row>
  );
};

/** For an incident that trying again can't fix. */
const Settle = ({ incident }: { incident: Incident }) => (
  <DialogButton
    title="Mark as settled?"
    description={incident.nextStep}
    button="Mark as settled…"
    look={{ 'aria-label': `Mark as settled: ${incident.title}` }}
  >
    {(close) => (
      <ReasonForm
        schema={contract.oversight.settle.body}
        send={(body) => api.oversight.settle({ params: { id: incident.id }, body })}
        label="Mark as settled"
        reasonLabel="What was done"
        help="It stays in the audit log."
        rows={3}
        pendingLabel="Settling…"
        button="Mark as settled"
        onClose={close}
      />
    )}
  </DialogButton>
);

const ErasureForm = ({ incident, onClose }: { incident: Incident; onClose: () => void }) => {
  const today = sydneyDate(businessNow());
  const form = useApiForm({
    schema: contract.oversight.confirmErasure.body,
    defaultValues: { erasedOn: today, reason: '' },
    send: (body) => api.oversight.confirmErasure({ params: { id: incident.id }, body }),
    onDone: closeAndTell(onClose),
  });
  return (
    <ActForm
      form={form}
      label="Confirm the erasure"
      reasonLabel="How you know"
      help="It stays in the audit log."
      rows={3}
      pendingLabel="Confirming…"
      button="Confirm the erasure"
      onClose={onClose}
    >
      <TextField form={form} name="erasedOn" label="Erased on" type="date" max={today} />
    </ActForm>
  );
};

/** For a tool that can't confirm an erasure itself. */
const ConfirmErasure = ({ incident }: { incident: Incident }) => (
  <DialogButton
    title="Confirm the erasure?"
    description="For a maker who told us outside the product that they erased the person, or that they hold nothing about them. This ends the incident."
    button="Confirm the erasure…"
  >
    {(close) => <ErasureForm incident={incident} onClose={close} />}
  </DialogButton>
);

const DisputeRow = ({ incident }: { incident: Incident }) => {
  const { who, amountCents, answerBy, answerAt, error, failedAt, about } = incident;
  const page = who?.userId ? paths.adminUser(who.userId) : who?.teamId && paths.adminTeam(who.teamId);
  return (
    <Row
      basis="basis-60"
      title={
        <>
          {who ? <WhoLink who={who} /> : incident.title}
          {amountCents !== null && <span className="figures">{formatCents(amountCents)}</span>}
          {answerBy && <Deadline at={answerBy} />}
        </>
      }
      action={
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
          {page && (
            <ButtonLink href={`${page}?tab=billing`} size="sm" variant={answerAt ? 'secondary' : 'primary'}>
              Open the invoice
            </ButtonLink>
          )}
          {answerAt && (
            <ButtonLink href={answerAt} target="_blank" rel="noreferrer" size="sm">
              Answer at Stripe
              <ExternalLink aria-hidden />
            </ButtonLink>
          )}
        </div>
      }
    >
      <p className="mt-1.5 mb-2">{error}</p>
      <Folded summary={`Opened ${billDay(failedAt)}`} lines={[formatDateTime(failedAt), about ?? '']} />
    </Row>
  );
};

/** Disputes, and what failed; nothing where there is neither. */
const IncidentLists = ({ incidents }: { incidents: Incident[] }) => {
  const isDispute = ({ name }: Incident) => name.startsWith('charge.dispute.');
  const sorted = incidents.toSorted(byUrgency);
  const [disputes, failures] = [sorted.filter(isDispute), sorted.filter((incident) => !isDispute(incident))];
  const lists = [
    {
      title: 'Disputes',
      description: 'A customer asked their bank for their money back.',
      found: disputes,
      ItemRow: DisputeRow,
    },
    {
      title: 'Incidents',
      description: 'Things that failed, or that someone should look at.',
      found: failures,
      ItemRow: IncidentRow,
    },
  ];
  return (
    <>
      {lists.map(
        ({ title, description, found, ItemRow }) =>
          found.length > 0 && (
            <Panel key={title} title={title} description={description} bodyClassName="py-2">
              <ScrollList label={`List of ${title.toLowerCase()}`}>
                {found.map((incident) => (
                  <ItemRow key={incident.id} incident={incident} />
                ))}
              </ScrollList>
            </Panel>
          ),
      )}
      {incidents.length >= incidentLimit && (
        <p className="text-center text-xs text-muted">The newest {incidentLimit} are shown.</p>
      )}
    </>
  );
};

export const Incidents = () => {
  const query = useApiQuery(contract.oversight.incidents, undefined, { refetchInterval: adminRefreshMs });
  return (
    <>
      {query.data?.warnings.map((warning) => (
        <Alert key={warning} tone="warning">
          {warning}
        </Alert>
      ))}
      <QueryView query={query} framedFailure failedTitle="The incidents could not be loaded" loading={null}>
        {({ incidents }) => <IncidentLists incidents={incidents} />}
      </QueryView>
    </>
  );
};
