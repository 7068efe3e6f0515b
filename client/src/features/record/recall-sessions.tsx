import { useState } from 'react';
import * as z from 'zod';
import { contract } from '#shared/api/members.ts';
import type { RecallSession, TouchingRecall } from '#shared/api/recalls.ts';
import { multiline } from '#shared/api/fields.ts';
import { findingLabels, findings } from '#shared/rules/record/recalls.ts';
import { longestRemark, purposeLabels } from '#shared/rules/record/record.ts';
import { personName } from '#client/features/record/session-list.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiMutation, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { dotted, formatDateTime } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Badge, Button } from '#client/ui/elements.tsx';
import { Field, Select } from '#client/ui/field.tsx';
import { Form, FormFooter, LongTextField } from '#client/ui/form.tsx';
import { Row } from '#client/ui/list.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

type Whose = { teamId?: string };

const schema = z.object({
  scope: z.enum(['session', 'file']),
  found: z.enum(findings),
  remark: multiline(longestRemark),
});

type Look = { recall: TouchingRecall; session: RecallSession; whose: Whose; onDone: () => void };

const LookForm = ({ recall, session, whose, onDone }: Look) => {
  const { clientReference } = session;
  const form = useKeptForm({
    schema,
    draft: `look-${recall.id}-${session.id}`,
    defaultValues: { scope: 'session', found: 'nothing', remark: '' },
    send: ({ scope, found, remark }) =>
      api.recalls.look({
        params: { id: recall.id },
        body: {
          ...whose,
          ...(scope === 'file' && clientReference ? { clientReference } : { sessionIds: [session.id] }),
          found,
          ...(remark !== '' && { remark }),
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
    <Form form={form} label="What you found" className="space-y-1">
      {clientReference && (
        <Field label="Sessions" error={errorOf('scope')}>
          <Select
            options={[
              { value: 'session', label: 'This session' },
              { value: 'file', label: `Every session for ${clientReference} in this recall` },
            ]}
            {...register('scope')}
          />
        </Field>
      )}
      <Field label="You found" error={errorOf('found')}>
        <Select options={findings.map((value) => ({ value, label: findingLabels[value] }))} {...register('found')} />
      </Field>
      <LongTextField
        form={form}
        name="remark"
        label="Remark"
        optional
        help="Kept as you write it. Please leave client names, numbers and addresses out."
      />
      <FormFooter form={form} onCancel={onDone} pendingLabel="Adding…">
        Add to the record
      </FormFooter>
    </Form>
  );
};

const LookBadge = ({ lookedAt, fault }: Pick<RecallSession, 'lookedAt' | 'fault'>) =>
  lookedAt === null ? (
    <Badge tone="warning">To look at again</Badge>
  ) : fault ? (
    <Badge tone="danger">{findingLabels.fault}</Badge>
  ) : (
    <Badge tone="success">{findingLabels.nothing}</Badge>
  );

const SessionRow = ({ recall, session, whose, onLook }: Omit<Look, 'onDone'> & { onLook: () => void }) => {
  const { mutate, isPending } = useApiMutation(contract.recalls.look, {
    failure: 'It could not be added to the record. Please try again.',
  });
  const when = formatDateTime(session.createdAt);
  const body = { ...whose, sessionIds: [session.id], found: 'nothing' as const };
  return (
    <Row
      title={
        <>
          <span className="figures">{session.clientReference ?? 'No client reference'}</span>
          <LookBadge {...session} />
        </>
      }
      action={
        <span className="flex flex-wrap gap-2">
          {session.lookedAt === null && (
            <Button
              size="sm"
              variant="secondary"
              pending={isPending}
              pendingLabel="Adding…"
              aria-label={`Nothing wrong: ${when}`}
              onClick={() => mutate({ params: { id: recall.id }, body })}
            >
              Nothing wrong
            </Button>
          )}
          <Button size="sm" variant="ghost" aria-label={`Say more: ${when}`} onClick={onLook}>
            Say more…
          </Button>
        </span>
      }
    >
      <p className="text-xs text-muted">
        {dotted([
          whose.teamId !== undefined && personName(session),
          when,
          session.toolVersion && `Version ${session.toolVersion}`,
          session.purpose && purposeLabels[session.purpose],
          session.lookedAt && `looked at again ${formatDateTime(session.lookedAt)}`,
        ])}
      </p>
    </Row>
  );
};

/** The sessions that a recall touches, a page at a time, each with what was found. */
export const RecallSessions = ({ recall, whose }: { recall: TouchingRecall; whose: Whose }) => {
  const [after, setAfter] = useState<string>();
  const [chosen, setChosen] = useState<RecallSession | null>(null);
  const [open, setOpen] = useState(false);
  const query = useFreshQuery(
    contract.recalls.sessions,
    { params: { id: recall.id }, query: { ...whose, ...(after && { after }) } },
    { keepPrevious: true },
  );
  return (
    <>
      <QueryView
        query={query}
        failedTitle="The sessions could not be loaded"
        loading={<Loading label="Loading the sessions" className="space-y-3" skeletons={['h-12', 'h-12', 'h-12']} />}
      >
        {({ sessions, next }) => (
          <>
            <ul className="divide-y border-y" aria-label={`Sessions that the recall of ${recall.toolName} touches`}>
              {sessions.map((session) => (
                <SessionRow
                  key={session.id}
                  recall={recall}
                  session={session}
                  whose={whose}
                  onLook={() => {
                    setChosen(session);
                    setOpen(true);
                  }}
                />
              ))}
            </ul>
            {(next ?? after) && (
              <nav aria-label="Pages" className="mt-4 flex justify-end gap-2">
                {after && (
                  <Button variant="ghost" size="sm" onClick={() => setAfter(undefined)}>
                    Newest
                  </Button>
                )}
                {next && (
                  <Button variant="secondary" size="sm" onClick={() => setAfter(next)}>
                    Older
                  </Button>
                )}
              </nav>
            )}
          </>
        )}
      </QueryView>
      {chosen && (
        <Dialog
          open={open}
          onClose={() => setOpen(false)}
          title="What did you find?"
          description={`${recall.toolName}, ${formatDateTime(chosen.createdAt)}. Corrections are added as new entries.`}
        >
          <LookForm key={chosen.id} recall={recall} session={chosen} whose={whose} onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
};
