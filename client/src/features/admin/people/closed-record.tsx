import { useState } from 'react';
import type { ClosedKept, ClosedSession, RecordHold, SignOff, Statement } from '#shared/api/recorded.ts';
import { contract } from '#shared/api/index.ts';
import { closedAccount, referenceOfNoLine } from '#shared/rules/record/record.ts';
import { ReasonForm } from '#client/features/admin/act-form.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { dotted, formatDateTime } from '#client/lib/words/format.ts';
import { fullName } from '#client/lib/session/people.ts';
import { DialogButton } from '#client/ui/dialog.tsx';
import { Button, Panel } from '#client/ui/elements.tsx';
import { Form, TextField } from '#client/ui/form.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const Redact = ({ teamId, id }: { teamId: string; id: string }) => (
  <DialogButton
    button="Redact…"
    look={{ size: 'sm', className: 'mt-2' }}
    title="Redact this line?"
    description="Remark and client reference are taken out for good."
  >
    {(close) => (
      <ReasonForm
        schema={contract.closedRecord.redact.body}
        send={(body) => api.closedRecord.redact({ params: { teamId, id }, body })}
        done="Line redacted"
        label="Redact this line"
        help="It stays in the record and its evidence packs. Please name nobody in it."
        button="Redact"
        pendingLabel="Redacting…"
        variant="danger"
        onClose={close}
      />
    )}
  </DialogButton>
);

type AnyLine = Statement | SignOff | ClosedKept['reviews'][number];

const said = (line: AnyLine) => {
  if ('checked' in line)
    return [
      line.checked !== null && (line.checked ? 'Reviewed' : 'Not checked'),
      line.clientReference && `client reference ${line.clientReference}`,
    ];
  const by = fullName(line) || closedAccount;
  return ['toolName' in line ? `${line.toolName} reviewed by ${by}` : `Signed off by ${by}`];
};

const Line = ({ teamId, line }: { teamId: string; line: AnyLine }) => {
  const hasWords = Boolean(line.remark ?? ('checked' in line && line.clientReference)) && line.redactedAt === null;
  return (
    <li className="py-2 [overflow-wrap:anywhere]">
      <p className="text-muted">{dotted([formatDateTime(line.madeAt), ...said(line)])}</p>
      {line.remark && <p className="whitespace-pre-line">{line.remark}</p>}
      {line.redactedAt && (
        <p className="text-muted">
          Redacted {formatDateTime(line.redactedAt)} by {line.redactedBy}: {line.redactedFor}
        </p>
      )}
      {hasWords && <Redact teamId={teamId} id={line.id} />}
    </li>
  );
};

const Found = ({ teamId, search }: { teamId: string; search: string }) => (
  <QueryView
    query={useFreshQuery(contract.closedRecord.find, { params: { teamId }, query: { search } })}
    failedTitle="The record could not be loaded"
    loading={<Loading label="Loading the record" skeletons={['h-16']} />}
    isEmpty={(sessions) => sessions.length === 0}
    empty={<p className="text-sm text-muted">No session of this practice has that ID or client reference.</p>}
  >
    {(sessions) => (
      <ul className="divide-y border-t text-sm">
        {sessions.map((session: ClosedSession) => (
          <li key={session.id} className="pt-3 pb-1">
            <p className="font-medium">{session.toolName}</p>
            <p className="text-muted">
              {dotted([fullName(session) || closedAccount, formatDateTime(session.createdAt)])}
            </p>
            {referenceOfNoLine(session, session.statements) && (
              <div className="py-2">
                <p>Client reference: {session.clientReference}</p>
                <Redact teamId={teamId} id={session.id} />
              </div>
            )}
            {session.statements.length === 0 && <p className="py-2 text-muted">Nobody has reviewed it.</p>}
            <ol className="divide-y">
              {[...session.statements, ...session.signOffs].map((line) => (
                <Line key={line.id} teamId={teamId} line={line} />
              ))}
            </ol>
          </li>
        ))}
      </ul>
    )}
  </QueryView>
);

const Hold = ({ teamId, hold }: { teamId: string; hold: RecordHold }) => (
  <li className="py-2 [overflow-wrap:anywhere]">
    <p className="font-medium">{hold.clientReference}</p>
    <p>{hold.reason}</p>
    <p className="text-muted">
      Held by {fullName(hold) || closedAccount}, {formatDateTime(hold.heldAt)}
    </p>
    <DialogButton
      button="Release…"
      look={{ size: 'sm', className: 'mt-2', 'aria-label': `Release ${hold.clientReference}…` }}
      title={`Release ${hold.clientReference}?`}
      description="Anything older than seven years is then deleted overnight."
    >
      {(close) => (
        <ReasonForm
          schema={contract.closedRecord.release.body}
          send={(body) => api.closedRecord.release({ params: { teamId, id: hold.id }, body })}
          done="Client reference released"
          label={`Release ${hold.clientReference}`}
          help="It stays in our audit log. Please name nobody in it."
          button="Release"
          pendingLabel="Releasing…"
          onClose={close}
        />
      )}
    </DialogButton>
  </li>
);

/** What belongs to no session. */
const Kept = ({ teamId }: { teamId: string }) => (
  <QueryView
    query={useFreshQuery(contract.closedRecord.kept, { params: { teamId } })}
    failedTitle="Reviews of tools and legal holds could not be loaded"
    loading={<Loading label="Loading reviews of tools and legal holds" skeletons={['h-10']} />}
  >
    {({ reviews, holds }) => (
      <div className="mt-4 space-y-3 text-sm">
        <details>
          <summary>Reviews of tools: {reviews.length}</summary>
          <ol className="divide-y">
            {reviews.map((line) => (
              <Line key={line.id} teamId={teamId} line={line} />
            ))}
          </ol>
        </details>
        <details>
          <summary>Legal holds: {holds.length}</summary>
          <ul className="divide-y">
            {holds.map((hold) => (
              <Hold key={hold.id} teamId={teamId} hold={hold} />
            ))}
          </ul>
        </details>
      </div>
    )}
  </QueryView>
);

/** The record of a closed practice: lines are redacted and holds released here, which its owner can't do any more. */
export const ClosedRecord = ({ teamId }: { teamId: string }) => {
  const [search, setSearch] = useState('');
  const form = useApiForm({
    schema: contract.closedRecord.find.query,
    defaultValues: { search: '' },
    send: ({ search: typed }) => Promise.resolve(setSearch(typed)),
  });
  return (
    <Panel
      title="Record of AI use"
      description="The practice is closed, so only an administrator can redact a line of its record or release a legal hold."
    >
      <Form form={form} label="Find a session" autoComplete="off">
        <TextField
          form={form}
          name="search"
          label="Session ID or client reference"
          help="The CSV of an evidence pack has the session IDs."
        />
        <Button type="submit" variant="secondary">
          Find
        </Button>
      </Form>
      {search !== '' && (
        <div className="mt-4">
          <Found teamId={teamId} search={search} />
        </div>
      )}
      <Kept teamId={teamId} />
    </Panel>
  );
};
