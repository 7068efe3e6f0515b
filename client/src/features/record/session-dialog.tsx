import { useState } from 'react';
import * as z from 'zod';
import { clientReferenceOrNone, multiline } from '#shared/api/fields.ts';
import { contract } from '#shared/api/members.ts';
import type { RecordSession, Statement } from '#shared/api/recorded.ts';
import { longestRemark, purposeLabels, purposes } from '#shared/rules/record/record.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { dotted, formatDateTime } from '#client/lib/words/format.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { ReviewFields } from '#client/features/record/review-fields.tsx';
import { ReviewMarks } from '#client/features/record/session-list.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Button } from '#client/ui/elements.tsx';
import { Form, FormFooter, TextField } from '#client/ui/form.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const answers = ['', 'yes', 'no'] as const;
const schema = z.object({
  answer: z.enum(answers),
  checks: z.array(z.string()),
  remark: multiline(longestRemark),
  purpose: z.enum(['', ...purposes]),
  clientReference: clientReferenceOrNone,
});

const lineText = ({ checked, checks, purpose, clientReference, recallFault, redactedAt }: Statement) =>
  dotted([
    recallFault !== null && `Looked at again: ${recallFault ? 'something was wrong' : 'nothing wrong'}`,
    checked !== null && recallFault === null && (checked ? 'Output checked' : 'Output not checked'),
    checks && checks.join(', '),
    purpose && `Purpose: ${purposeLabels[purpose]}`,
    clientReference !== null &&
      (clientReference
        ? `Client reference: ${clientReference}`
        : `Client reference ${redactedAt ? 'redacted' : 'taken back'}`),
  ]);

/** Takes the words of one line out of the practice's record. */
const RedactLine = ({ teamId, id, onDone }: { teamId: string; id: string; onDone: () => void }) => {
  const form = useApiForm({
    schema: contract.evidence.redact.body,
    defaultValues: { reason: '' },
    send: (body) => api.evidence.redact({ params: { teamId, id }, body }),
    onDone: () => {
      toast({ title: 'Line redacted', description: 'Evidence packs that hold it were withdrawn.' });
      onDone();
    },
    failure: 'The line could not be redacted. Please try again.',
  });
  return (
    <Form form={form} label="Redact this line" className="mt-2">
      <TextField
        form={form}
        name="reason"
        label="Reason"
        help="Remark and client reference are taken out for good. Who did it, when and why stays in the record."
      />
      <FormFooter form={form} onCancel={onDone} variant="danger" pendingLabel="Redacting…">
        Redact
      </FormFooter>
    </Form>
  );
};

const Line = ({ line, teamId }: { line: Statement; teamId: string | null }) => {
  const [redacting, setRedacting] = useState(false);
  const hasWords = Boolean(line.remark ?? line.clientReference) && line.redactedAt === null;
  return (
    <li className="py-2">
      <p className="flex flex-wrap items-center gap-2">
        {lineText(line)} <ReviewMarks {...line} />
      </p>
      {line.remark && <p className="break-words whitespace-pre-line">{line.remark}</p>}
      {line.redactedAt && (
        <p className="text-muted">
          Redacted {formatDateTime(line.redactedAt)} by {line.redactedBy}: {line.redactedFor}
        </p>
      )}
      <div className="flex items-center justify-between gap-2 text-xs text-muted">
        {formatDateTime(line.madeAt)}
        {teamId && hasWords && !redacting && (
          <Button size="sm" variant="ghost" onClick={() => setRedacting(true)}>
            Redact…
          </Button>
        )}
      </div>
      {teamId && redacting && <RedactLine teamId={teamId} id={line.id} onDone={() => setRedacting(false)} />}
    </li>
  );
};

const History = ({ id, teamId }: { id: string; teamId: string | null }) => (
  <QueryView
    query={useApiQuery(contract.record.session, { params: { id } })}
    failedTitle="The history could not be loaded"
    loading={<Loading label="Loading the history" skeletons={['h-10']} />}
    empty={<p className="text-sm text-muted">Nothing has been reviewed yet.</p>}
    isEmpty={({ statements }) => statements.length === 0}
  >
    {({ statements }) => (
      <ol className="divide-y border-y text-sm">
        {statements.toReversed().map((line) => (
          <Line key={line.id} line={line} teamId={teamId} />
        ))}
      </ol>
    )}
  </QueryView>
);

const StateForm = ({ session, onDone }: { session: RecordSession; onDone: () => void }) => {
  const now = {
    answer: session.checked === null ? '' : session.checked ? 'yes' : 'no',
    checks: session.checks,
    remark: '',
    purpose: session.purpose ?? '',
    clientReference: session.clientReference ?? '',
  } as const;
  const form = useApiForm({
    schema,
    defaultValues: now,
    send: ({ answer, checks, remark, purpose, clientReference }, changed) =>
      api.record.state({
        params: { id: session.id },
        body: {
          ...(answer !== '' &&
            (answer !== now.answer || remark !== '' || changed.checks) && { checked: answer === 'yes' }),
          ...(answer === 'yes' && (remark !== '' || changed.checks) && { checks }),
          ...(remark !== '' && { remark }),
          ...(purpose !== '' && purpose !== now.purpose && { purpose }),
          ...(clientReference !== now.clientReference && { clientReference }),
        },
      }),
    onDone: () => {
      toast({ title: 'Added to the record' });
      onDone();
    },
    failure: 'It could not be added to the record. Please try again.',
  });
  return (
    <Form form={form} label="Review" className="space-y-1">
      <ReviewFields
        form={form}
        checkList={session.checkList}
        unanswered={session.checked === null ? 'Not reviewed' : undefined}
        noPurpose={session.purpose === null ? 'Not given' : undefined}
        optional
      />
      <FormFooter form={form} onCancel={onDone} pendingLabel="Adding…">
        Add to the record
      </FormFooter>
    </Form>
  );
};

type Props = { session: RecordSession; own: boolean; redacts: boolean; open: boolean; onClose: () => void };

/** Every review of a session and, for the adviser whose session it is, a form for the next one. The owner of the practice can redact. */
export default function SessionDialog({ session, own, redacts, open, onClose }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="lg"
      title={session.toolName}
      description={`${formatDateTime(session.createdAt)}. Corrections are added as new entries. Earlier entries stay as they were.`}
    >
      {own && <StateForm session={session} onDone={onClose} />}
      <h3 className="mt-4 mb-2 text-sm font-semibold">Reviews</h3>
      <History id={session.id} teamId={redacts ? session.teamId : null} />
    </Dialog>
  );
}
