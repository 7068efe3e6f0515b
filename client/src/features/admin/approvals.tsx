import { useState } from 'react';
import type { Approval } from '#shared/api/operators/approvals.ts';
import { contract } from '#shared/api/index.ts';
import { adminRefreshMs } from '#shared/rules/operators/admin.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiMutation, useApiQuery, write } from '#client/lib/calls/use-api.ts';
import { closeAndTell, ReasonForm } from '#client/features/admin/act-form.tsx';
import { Alert, AppLink, Badge, Button, Panel, type Tone, Text } from '#client/ui/elements.tsx';
import { ConfirmDialog, Dialog } from '#client/ui/dialog.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Row, ScrollList } from '#client/ui/list.tsx';

type Decision = 'approve' | 'refuse' | 'undo';
type DecisionProps = { approval: Approval; onClose: () => void };

const states: Record<Approval['state'], readonly [Tone, string]> = {
  waiting: ['warning', 'Waiting'],
  approved: ['success', 'Done'],
  refused: ['neutral', 'Refused'],
  expired: ['neutral', 'Expired'],
};

const consequences: Partial<Record<Approval['kind'], string>> = {
  refund: 'A refund can’t be undone: the money goes back to the card.',
  set_password: 'It is done at once, and can’t be undone.',
};
const reversible = 'It is done at once, and can be undone for 24 hours.';

const Approve = ({ approval, onClose }: DecisionProps) => {
  const onSuccess = closeAndTell(onClose);
  const { mutate, isPending } = useApiMutation(contract.approvals.approve, { onSuccess });
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Approve this request?"
      description={approval.sentence}
      keepLabel="Not now"
      confirmLabel="Approve"
      pendingLabel="Approving…"
      variant="primary"
      pending={isPending}
      onConfirm={() => mutate({ params: { id: approval.id } })}
    >
      <div className="space-y-2">
        <p>Reason: {approval.reason}</p>
        <p>
          <Text>{consequences[approval.kind] ?? reversible} The user is told by email.</Text>
        </p>
      </div>
    </ConfirmDialog>
  );
};

const undoing = {
  refuse: { verb: 'Refuse', pending: 'Refusing…', help: 'It stays in the audit log.' },
  undo: { verb: 'Undo', pending: 'Undoing…', help: 'It stays in the audit log. The user is told by email.' },
} as const;

const Undo = ({ approval, decision, onClose }: DecisionProps & { decision: keyof typeof undoing }) => {
  const { verb, pending, help } = undoing[decision];
  return (
    <Dialog onClose={onClose} title={`${verb} it?`} description={approval.sentence}>
      <ReasonForm
        schema={contract.approvals[decision].body}
        send={(body) => write(contract.approvals[decision], { params: { id: approval.id }, body })}
        label={verb}
        help={help}
        variant="danger"
        pendingLabel={pending}
        button={verb}
        onClose={onClose}
      />
    </Dialog>
  );
};

const ApprovalRow = ({ approval, onDecide }: { approval: Approval; onDecide: (decision: Decision) => void }) => {
  const [tone, label] = states[approval.state];
  const waits = approval.state === 'waiting';
  const buttons: (readonly [Decision, string])[] = [
    ...(approval.mayApprove ? [['approve', 'Approve'] as const] : []),
    ...(waits ? [['refuse', 'Refuse'] as const] : []),
    ...(approval.mayUndo ? [['undo', 'Undo'] as const] : []),
  ];
  return (
    <Row
      basis="basis-72"
      className="items-center first:pt-0 last:pb-0"
      title={
        <>
          <Badge tone={tone}>{label}</Badge>
          <AppLink
            href={(approval.subject.type === 'user' ? paths.adminUser : paths.adminTeam)(approval.subject.id)}
            className="hover:underline"
          >
            {approval.sentence}
          </AppLink>
        </>
      }
      action={
        buttons.length > 0 && (
          <div className="flex flex-wrap gap-2">
            {buttons.map(([decision, verb]) => (
              <Button
                key={decision}
                variant={decision === 'approve' ? 'primary' : 'secondary'}
                size="sm"
                aria-label={`${verb}: ${approval.sentence}`}
                onClick={() => onDecide(decision)}
              >
                {verb}…
              </Button>
            ))}
          </div>
        )
      }
    >
      {approval.reason !== '' && <p>{approval.reason}</p>}
      <p className="figures text-xs text-muted">
        <Text>
          Asked {formatDateTime(approval.askedAt)}
          {waits && approval.expiresAt && `, expires ${formatDateTime(approval.expiresAt)}`}
        </Text>
      </p>
      {(approval.outcome ?? approval.whyNot) && (
        <p className="text-xs text-muted">{approval.outcome ?? approval.whyNot}</p>
      )}
    </Row>
  );
};

/** What waits for a second administrator, and what may still be undone. */
export const Approvals = () => {
  const [chosen, setChosen] = useState<{ approval: Approval; decision: Decision }>();
  const query = useApiQuery(contract.approvals.list, undefined, { refetchInterval: adminRefreshMs });
  const close = () => setChosen(undefined);
  const { data } = query;
  if (data && data.approvals.length === 0 && data.note === null) return null;
  return (
    <Panel
      title="Approvals"
      description="Requests for a second admin, and changes you can still undo, from the last 30 days."
    >
      <QueryView query={query} failedTitle="The approvals could not be loaded" loading={null}>
        {({ note, approvals }) => (
          <>
            {note && (
              <Alert tone="warning" className="mb-3">
                {note}
              </Alert>
            )}
            {approvals.length > 0 && (
              <ScrollList label="Requests and changes">
                {approvals.map((approval) => (
                  <ApprovalRow
                    key={approval.id}
                    approval={approval}
                    onDecide={(decision) => setChosen({ approval, decision })}
                  />
                ))}
              </ScrollList>
            )}
          </>
        )}
      </QueryView>
      {chosen?.decision === 'approve' && <Approve approval={chosen.approval} onClose={close} />}
      {chosen && chosen.decision !== 'approve' && (
        <Undo approval={chosen.approval} decision={chosen.decision} onClose={close} />
      )}
    </Panel>
  );
};
