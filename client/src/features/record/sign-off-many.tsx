import { contract } from '#shared/api/members.ts';
import type { RecordSession } from '#shared/api/recorded.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { DialogButton } from '#client/ui/dialog.tsx';
import { Button } from '#client/ui/elements.tsx';
import { Form, FormFooter, LongTextField } from '#client/ui/form.tsx';

/** How many sessions a sample has. */
const sampleSize = '10';

type Props = {
  teamId: string;
  /** Those that this supervisor may sign off. */
  open: readonly RecordSession[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  /** From how many the list below was drawn; null where it is no sample. */
  sampledFrom: number | null;
  change: (values: { sample: string; draw: string }) => void;
};

const SignOffForm = ({
  teamId,
  ids,
  sampledFrom,
  onDone,
}: { ids: string[]; onDone: () => void } & Pick<Props, 'teamId' | 'sampledFrom'>) => {
  const form = useApiForm({
    schema: contract.record.signOff.body.pick({ remark: true }),
    defaultValues: { remark: '' },
    send: ({ remark }) => api.record.signOff({ params: { teamId }, body: { ids, remark, sampledFrom } }),
    onDone: ({ sessions }) => {
      toast({ title: sessions === 1 ? 'One session signed off' : `${sessions} sessions signed off` });
      onDone();
    },
    failure: 'The sessions could not be signed off. Please try again.',
  });
  return (
    <Form form={form} label="Sign off">
      <LongTextField form={form} name="remark" label="What you found" optional rows={3} />
      <FormFooter form={form} onCancel={onDone} pendingLabel="Signing off…">
        Sign off
      </FormFooter>
    </Form>
  );
};

/** A supervisor draws a sample, and signs off sessions that are chosen in the list below. */
export const SignOffMany = ({ teamId, open, chosen, onChange, sampledFrom, change }: Props) => {
  const ids = open.flatMap(({ id }) => (chosen.has(id) ? [id] : []));
  const all = ids.length === open.length;
  const count = ids.length === 1 ? 'this session' : `these ${ids.length}`;
  const redraw = () => {
    onChange(new Set());
    change({ sample: sampleSize, draw: crypto.randomUUID() });
  };
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      {sampledFrom !== null && <p className="text-sm text-muted">A sample drawn from {sampledFrom} sessions.</p>}
      {open.length > 0 && (
        <Button size="sm" variant="ghost" onClick={() => onChange(new Set(all ? [] : open.map(({ id }) => id)))}>
          {all ? 'Choose none' : `Choose all ${open.length}`}
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={redraw}>
        {sampledFrom === null ? `Draw a sample of ${sampleSize}` : 'Draw again'}
      </Button>
      {sampledFrom !== null && (
        <Button size="sm" variant="ghost" onClick={() => change({ sample: '', draw: '' })}>
          Show every session
        </Button>
      )}
      {ids.length > 0 && (
        <DialogButton
          button={`Sign off ${count}`}
          look={{ variant: 'primary' }}
          title={`Sign off ${count}?`}
          description="Your name and the time stay in the practice’s record and its evidence packs."
        >
          {(close) => (
            <SignOffForm
              teamId={teamId}
              ids={ids}
              sampledFrom={sampledFrom}
              onDone={() => {
                close();
                onChange(new Set());
              }}
            />
          )}
        </DialogButton>
      )}
    </div>
  );
};
