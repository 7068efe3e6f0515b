import * as z from 'zod';
import { clientReferenceOrNone, multiline } from '#shared/api/fields.ts';
import { contract } from '#shared/api/members.ts';
import type { RecordSession, Statement } from '#shared/api/record.ts';
import { longestRemark, purposeLabels, purposes } from '#shared/rules/record/record.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { dotted, formatDateTime } from '#client/lib/words/format.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field, Form, FormFooter, Input, Select, Textarea } from '#client/ui/form.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const answers = ['', 'yes', 'no'] as const;
const schema = z.object({
  answer: z.enum(answers),
  remark: multiline(longestRemark),
  purpose: z.enum(['', ...purposes]),
  clientReference: clientReferenceOrNone,
});

const lineText = ({ checked, purpose, clientReference }: Statement) =>
  dotted([
    checked !== null && (checked ? 'Output checked' : 'Output not checked'),
    purpose && `Purpose: ${purposeLabels[purpose]}`,
    clientReference !== null &&
      (clientReference ? `Client reference: ${clientReference}` : 'Client reference taken back'),
  ]);

const History = ({ id }: { id: string }) => (
  <QueryView
    query={useApiQuery(contract.record.session, { params: { id } })}
    failedTitle="The history could not be loaded"
    loading={<Loading label="Loading the history" skeletons={['h-10']} />}
    empty={<p className="text-sm text-muted">Nothing has been stated yet.</p>}
    isEmpty={({ statements }) => statements.length === 0}
  >
    {({ statements }) => (
      <ol className="divide-y border-y text-sm">
        {statements.toReversed().map((line) => (
          <li key={line.id} className="py-2">
            <p>{lineText(line)}</p>
            {line.remark && <p className="break-words whitespace-pre-line">{line.remark}</p>}
            <p className="text-xs text-muted">{formatDateTime(line.madeAt)}</p>
          </li>
        ))}
      </ol>
    )}
  </QueryView>
);

const StateForm = ({ session, onDone }: { session: RecordSession; onDone: () => void }) => {
  const now = {
    answer: session.checked === null ? '' : session.checked ? 'yes' : 'no',
    remark: '',
    purpose: session.purpose ?? '',
    clientReference: session.clientReference ?? '',
  } as const;
  const form = useApiForm({
    schema,
    defaultValues: now,
    send: ({ answer, remark, purpose, clientReference }) =>
      api.record.state({
        params: { id: session.id },
        body: {
          ...(answer !== '' && (answer !== now.answer || remark !== '') && { checked: answer === 'yes' }),
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
  const { register, errorOf } = form;
  return (
    <Form form={form} label="Statement" className="space-y-1">
      <Field label="The output" error={errorOf('answer')}>
        <Select
          options={[
            ...(session.checked === null ? [{ value: '', label: 'Not stated' }] : []),
            { value: 'yes', label: 'I checked it' },
            { value: 'no', label: 'I did not check it' },
          ]}
          {...register('answer')}
        />
      </Field>
      <Field
        label="Remark"
        optional
        help="Kept as you write it. Please leave client names out."
        error={errorOf('remark')}
      >
        <Textarea rows={2} {...register('remark')} />
      </Field>
      <Field label="Purpose" optional error={errorOf('purpose')}>
        <Select
          options={[
            ...(session.purpose === null ? [{ value: '', label: 'Not stated' }] : []),
            ...purposes.map((value) => ({ value, label: purposeLabels[value] })),
          ]}
          {...register('purpose')}
        />
      </Field>
      <Field
        label="Client reference"
        optional
        help="Your own file number, such as F-10234. Never a name."
        error={errorOf('clientReference')}
      >
        <Input autoComplete="off" {...register('clientReference')} />
      </Field>
      <FormFooter form={form} onCancel={onDone} pendingLabel="Adding…">
        Add to the record
      </FormFooter>
    </Form>
  );
};

type Props = { session: RecordSession; own: boolean; open: boolean; onClose: () => void };

/** Every statement of a session and, for the adviser whose session it is, a form for the next one. */
export default function SessionDialog({ session, own, open, onClose }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="lg"
      title={session.toolName}
      description={`${formatDateTime(session.createdAt)}. A correction is a new line; nothing that was stated is changed.`}
    >
      {own && <StateForm session={session} onDone={onClose} />}
      <h3 className="mt-4 mb-2 text-sm font-semibold">What was stated</h3>
      <History id={session.id} />
    </Dialog>
  );
}
