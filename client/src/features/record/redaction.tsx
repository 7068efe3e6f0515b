import { useState } from 'react';
import type { Redaction as Redacted } from '#shared/api/recorded.ts';
import { contract } from '#shared/api/members.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/elements.tsx';
import { Form, FormFooter, TextField } from '#client/ui/form.tsx';

/** Takes the words of one line out of the practice's record. */
const RedactLine = ({ teamId, id, onDone }: { teamId: string; id: string; onDone: () => void }) => {
  const form = useApiForm({
    schema: contract.evidence.redact.body,
    defaultValues: { reason: '' },
    send: (body) => api.evidence.redact({ params: { teamId, id }, body }),
    onDone: ({ message }) => {
      toast({ title: 'Line redacted', description: message });
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

type Props = {
  line: Redacted & { id: string; remark: string | null; clientReference?: string | null };
  /** The practice whose record it is, for those who may redact it. */
  teamId: string | null;
  /** When and by whom the line was made. */
  made: string;
};

/** The words of a line of the record, or that they were taken out, and the owner's way to take them out. */
export const Words = ({ line, teamId, made }: Props) => {
  const [redacting, setRedacting] = useState(false);
  const hasWords = Boolean(line.remark ?? line.clientReference) && line.redactedAt === null;
  return (
    <>
      {line.remark && <p className="break-words whitespace-pre-line">{line.remark}</p>}
      {line.redactedAt && (
        <p className="text-muted">
          Redacted {formatDateTime(line.redactedAt)} by {line.redactedBy}: {line.redactedFor}
        </p>
      )}
      <div className="flex items-center justify-between gap-2 text-xs text-muted">
        {made}
        {teamId && hasWords && !redacting && (
          <Button size="sm" variant="ghost" onClick={() => setRedacting(true)}>
            Redact…
          </Button>
        )}
      </div>
      {teamId && redacting && <RedactLine teamId={teamId} id={line.id} onDone={() => setRedacting(false)} />}
    </>
  );
};
