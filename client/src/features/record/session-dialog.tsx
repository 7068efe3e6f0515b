import * as z from 'zod';
import { clientReferenceOrNone, multiline } from '#shared/api/fields.ts';
import { contract } from '#shared/api/members.ts';
import type { RecordSession, SignOff, Statement } from '#shared/api/recorded.ts';
import { longestRemark, purposeLabels, purposes, referenceOfNoLine } from '#shared/rules/record/record.ts';
import { api } from '#client/lib/calls/api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { dotted, formatDateTime } from '#client/lib/words/format.ts';
import { refetchChangedBy, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { onList } from '#client/features/record/checks.tsx';
import { ReviewFields } from '#client/features/record/review-fields.tsx';
import { Words } from '#client/features/record/redaction.tsx';
import { factsOf, ReviewMarks, signOffText } from '#client/features/record/session-list.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Form, FormFooter } from '#client/ui/form.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const notRedacted = { redactedFor: null, redactedAt: null, redactedBy: null };
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

const Line = ({ line, teamId }: { line: Statement; teamId: string | null }) => (
  <li className="py-2">
    <p className="flex flex-wrap items-center gap-2">
      {lineText(line)} <ReviewMarks {...line} />
    </p>
    <Words line={line} teamId={teamId} made={formatDateTime(line.madeAt)} />
  </li>
);

const SignOffs = ({ signOffs, teamId }: { signOffs: readonly SignOff[]; teamId: string | null }) =>
  signOffs.length > 0 && (
    <>
      <h3 className="mt-4 mb-2 text-sm font-semibold">Sign-offs</h3>
      <ol className="divide-y border-y text-sm">
        {signOffs.toReversed().map((one) => (
          <li key={one.id} className="py-2">
            <Words line={one} teamId={teamId} made={signOffText(one)} />
          </li>
        ))}
      </ol>
    </>
  );

/** A client reference that came with the session or from its tool: the owner can redact it, though no line says it. */
const Unstated = ({
  session,
  reference,
  teamId,
}: Pick<Props, 'session'> & Record<'reference' | 'teamId', string | null>) =>
  reference !== null &&
  teamId !== null && (
    <div className="mb-2 text-sm">
      <p>Client reference: {reference}</p>
      <Words
        line={{ id: session.id, remark: null, clientReference: reference, ...notRedacted }}
        teamId={teamId}
        made={session.referenceFrom === 'tool' ? 'From the tool' : 'From when the tool was opened'}
      />
    </div>
  );

const History = ({ id, teamId }: { id: string; teamId: string | null }) => (
  <QueryView
    query={useFreshQuery(contract.record.session, { params: { id } })}
    failedTitle="The history could not be loaded"
    loading={<Loading label="Loading the history" skeletons={['h-10']} />}
  >
    {({ session, statements, signOffs }) => (
      <>
        <p className="mb-2 text-sm break-words text-muted">{factsOf(session)}</p>
        <Unstated session={session} reference={referenceOfNoLine(session, statements)} teamId={teamId} />
        {statements.length === 0 ? (
          <p className="text-sm text-muted">Nothing has been reviewed yet.</p>
        ) : (
          <ol className="divide-y border-y text-sm">
            {statements.toReversed().map((line) => (
              <Line key={line.id} line={line} teamId={teamId} />
            ))}
          </ol>
        )}
        <SignOffs signOffs={signOffs} teamId={teamId} />
      </>
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
  const form = useKeptForm({
    schema,
    defaultValues: now,
    draft: `state-${session.id}`,
    send: ({ answer, checks, remark, purpose, clientReference }, changed) =>
      api.record.state({
        params: { id: session.id },
        body: {
          ...(answer !== '' &&
            (answer !== now.answer || remark !== '' || changed.checks) && { checked: answer === 'yes' }),
          // What the practice has taken off its list since can't be seen or said any more.
          ...(answer === 'yes' && (remark !== '' || changed.checks) && { checks: onList(checks, session.checkList) }),
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
    // The practice's list has changed: the session is opened again with the new one.
    onFailure: () => refetchChangedBy(contract.record.state),
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
