import { contract } from '#shared/api/members.ts';
import type { RecordHold } from '#shared/api/recorded.ts';
import { personName } from '#client/features/record/session-list.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { ConfirmButton, DialogButton } from '#client/ui/dialog.tsx';
import { Panel } from '#client/ui/elements.tsx';
import { Form, FormFooter, TextField } from '#client/ui/form.tsx';
import { Row } from '#client/ui/list.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const HoldForm = ({ teamId, onDone }: { teamId: string; onDone: () => void }) => {
  const form = useApiForm({
    schema: contract.record.hold.body,
    defaultValues: { clientReference: '', reason: '' },
    send: (body) => api.record.hold({ params: { teamId }, body }),
    onDone: () => {
      toast({ title: 'Client reference held', description: 'We keep everything about it until you release it.' });
      onDone();
    },
    failure: 'The hold could not be saved. Please try again.',
  });
  return (
    <Form form={form} label="Hold a client reference">
      <TextField
        form={form}
        name="clientReference"
        label="Client reference"
        help="Capitals, spaces and hyphens don’t matter."
      />
      <TextField form={form} name="reason" label="Reason" />
      <FormFooter form={form} onCancel={onDone} pendingLabel="Saving…">
        Hold
      </FormFooter>
    </Form>
  );
};

const HoldRow = ({ teamId, hold, manages }: { teamId: string; hold: RecordHold; manages: boolean }) => {
  const release = useApiMutation(contract.record.release, {
    failure: 'The hold could not be released. Please try again.',
    onSuccess: () => toast({ title: 'Client reference released' }),
  });
  return (
    <Row
      title={hold.clientReference}
      action={
        manages && (
          <ConfirmButton
            button="Release"
            look={{ 'aria-label': `Release ${hold.clientReference}` }}
            title={`Release ${hold.clientReference}?`}
            keepLabel="Keep the hold"
            confirmLabel="Release"
            pendingLabel="Releasing…"
            mutation={release}
            onConfirm={() => release.mutate({ params: { teamId, id: hold.id } })}
          >
            Anything older than seven years is then deleted overnight.
          </ConfirmButton>
        )
      }
    >
      <p className="text-sm">{hold.reason}</p>
      <p className="text-xs text-muted">
        Held by {personName(hold)} on {formatDay(hold.heldAt)}
      </p>
    </Row>
  );
};

/** Client references of which the practice's record forgets nothing: for a complaint or a court. */
export const Holds = ({ teamId, manages }: { teamId: string; manages: boolean }) => (
  <Panel
    title="Legal holds"
    description="Reviews and client references are kept for seven years. We keep everything about a held client reference until you release it."
    action={
      manages && (
        <DialogButton
          button="Hold a client reference"
          look={{ variant: 'secondary', size: 'sm' }}
          title="Hold a client reference"
        >
          {(close) => <HoldForm teamId={teamId} onDone={close} />}
        </DialogButton>
      )
    }
  >
    <QueryView
      query={useApiQuery(contract.record.holds, { params: { teamId } })}
      failedTitle="The holds could not be loaded"
      loading={<Loading label="Loading the holds" skeletons={['h-10']} />}
      isEmpty={(holds) => holds.length === 0}
      empty={<p className="text-sm text-muted">No client reference is held.</p>}
    >
      {(holds) => (
        <ul className="divide-y border-y">
          {holds.map((hold) => (
            <HoldRow key={hold.id} teamId={teamId} hold={hold} manages={manages} />
          ))}
        </ul>
      )}
    </QueryView>
  </Panel>
);
