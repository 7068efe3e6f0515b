import { useState } from 'react';
import * as z from 'zod';
import { reason } from '#shared/api/acts.ts';
import type { Approval } from '#shared/api/approvals.ts';
import { contract } from '#shared/api/index.ts';
import { adminRefreshMs } from '#shared/rules/operators/admin.ts';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation, write } from '#client/lib/calls/write.ts';
import { Alert } from '#client/ui/alert.tsx';
import { AppLink } from '#client/ui/app-link.tsx';
import { Badge, type Tone } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { FormFooter } from '#client/ui/form-footer.tsx';
import { Input } from '#client/ui/input.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

type Decision = 'approve' | 'refuse' | 'undo';
type DecisionProps = { approval: Approval; onClose: () => void };

const states: Record<Approval['state'], readonly [Tone, string]> = {
  waiting: ['warning', 'Waits'],
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
  const { mutate, isPending } = useApiMutation(contract.approvals.approve, {
    failure: somethingWentWrong,
    onSuccess: ({ message }) => {
      onClose();
      toast({ title: message });
    },
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Approve it?"
      description={approval.sentence}
      keepLabel="Not now"
      confirmLabel="Approve"
      pendingLabel="Approving…"
      variant="primary"
      pending={isPending}
      onConfirm={() => mutate({ params: { id: approval.id }, body: {} })}
    >
      <div className="space-y-2">
        <p>The reason: {approval.reason}</p>
        <p>{consequences[approval.kind] ?? reversible} The user is told by email.</p>
      </div>
    </ConfirmDialog>
  );
};

const schema = z.object({ reason });

const Undo = ({ approval, decision, onClose }: DecisionProps & { decision: 'refuse' | 'undo' }) => {
  const refuses = decision === 'refuse';
  const form = useApiForm({
    schema,
    defaultValues: { reason: '' },
    send: (body) =>
      write(refuses ? contract.approvals.refuse : contract.approvals.undo, { params: { id: approval.id }, body }),
    onDone: ({ message }) => {
      onClose();
      toast({ title: message });
    },
    failure: somethingWentWrong,
  });
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={refuses ? 'Refuse it?' : 'Undo it?'}
      description={approval.sentence}
    >
      <Form form={form} label={refuses ? 'Refuse' : 'Undo'} className="space-y-4" autoComplete="off">
        <Field
          label="Reason"
          help={refuses ? 'It stays in the audit log.' : 'It stays in the audit log; the user is told by email.'}
          error={form.errorOf('reason')}
        >
          <Input {...form.register('reason')} />
        </Field>
        <FormFooter form={form} onCancel={onClose} variant="danger" pendingLabel={refuses ? 'Refusing…' : 'Undoing…'}>
          {refuses ? 'Refuse' : 'Undo'}
        </FormFooter>
      </Form>
    </Dialog>
  );
};

const Row = ({ approval, onDecide }: { approval: Approval; onDecide: (decision: Decision) => void }) => {
  const [tone, label] = states[approval.state];
  const waits = approval.state === 'waiting';
  const buttons: (readonly [Decision, string])[] = [
    ...(approval.mayApprove ? [['approve', 'Approve…'] as const] : []),
    ...(waits ? [['refuse', 'Refuse…'] as const] : []),
    ...(approval.mayUndo ? [['undo', 'Undo…'] as const] : []),
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-72 text-sm [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <Badge tone={tone}>{label}</Badge>
          <AppLink
            href={(approval.subject.type === 'user' ? paths.adminUser : paths.adminTeam)(approval.subject.id)}
            className="hover:underline"
          >
            {approval.sentence}
          </AppLink>
        </p>
        {approval.reason !== '' && <p>{approval.reason}</p>}
        <p className="figures text-xs text-muted">
          Asked {formatDateTime(approval.askedAt)}
          {waits && approval.expiresAt && `, expires ${formatDateTime(approval.expiresAt)}`}
        </p>
        {(approval.outcome ?? approval.whyNot) && (
          <p className="text-xs text-muted">{approval.outcome ?? approval.whyNot}</p>
        )}
      </div>
      {buttons.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {buttons.map(([decision, text]) => (
            <Button
              key={decision}
              variant={decision === 'approve' ? 'primary' : 'secondary'}
              size="sm"
              aria-label={`${text.replace('…', '')}: ${approval.sentence}`}
              onClick={() => onDecide(decision)}
            >
              {text}
            </Button>
          ))}
        </div>
      )}
    </li>
  );
};

/** What waits for a second administrator, and what may still be undone. */
export const Approvals = () => {
  const [chosen, setChosen] = useState<{ approval: Approval; decision: Decision }>();
  const query = useApiQuery(contract.approvals.list, undefined, { refetchInterval: adminRefreshMs });
  const close = () => setChosen(undefined);
  return (
    <Panel
      title="Second administrator"
      description="What waits for a second administrator, and what can be undone, of the last 30 days"
    >
      <QueryView
        query={query}
        failedTitle="What waits for a second administrator could not be loaded"
        loading={<Loading label="Loading approvals" skeletons={['h-6 w-72 max-w-full']} />}
      >
        {({ fourEyes, note, approvals }) => (
          <>
            {note && (
              <Alert tone="warning" className="mb-3">
                {note}
              </Alert>
            )}
            {approvals.length === 0 ? (
              <p className="text-sm text-muted">
                {fourEyes
                  ? 'Nothing waits, and nothing was decided.'
                  : 'This server asks no second administrator. What can be undone is listed here for a day.'}
              </p>
            ) : (
              // Focusable, so that the keyboard can scroll it.
              <section aria-label="Approvals" tabIndex={0} className="max-h-[400px] overflow-y-auto rounded-sm">
                <ul className="divide-y">
                  {approvals.map((approval) => (
                    <Row
                      key={approval.id}
                      approval={approval}
                      onDecide={(decision) => setChosen({ approval, decision })}
                    />
                  ))}
                </ul>
              </section>
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
