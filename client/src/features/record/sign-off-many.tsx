import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import type { RecordSession } from '#shared/api/recorded.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { DialogButton } from '#client/ui/dialog.tsx';
import { Button } from '#client/ui/elements.tsx';
import { Form, FormFooter, LongTextField } from '#client/ui/form.tsx';

/** How many sessions a sample has. */
const sampleSize = 10;

type Props = {
  teamId: string;
  /** Those that this supervisor may sign off. */
  open: readonly RecordSession[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  /** The sample that is the list below; null where it is none. */
  sample: Reply<typeof contract.record.teamSessions>['sample'];
  filter: Partial<Record<string, string>>;
  change: (values: { sample: string }) => void;
};

const SignOffForm = ({
  teamId,
  ids,
  sampleId,
  onDone,
}: { ids: string[]; sampleId: string | null; onDone: () => void } & Pick<Props, 'teamId'>) => {
  const form = useKeptForm({
    draft: `sign-off-${teamId}`,
    schema: contract.record.signOff.body.pick({ remark: true }),
    defaultValues: { remark: '' },
    send: ({ remark }) => api.record.signOff({ params: { teamId }, body: { ids, remark, sampleId } }),
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
export const SignOffMany = ({ teamId, open, chosen, onChange, sample, filter, change }: Props) => {
  const ids = open.flatMap(({ id }) => (chosen.has(id) ? [id] : []));
  const all = ids.length === open.length;
  const count = ids.length === 1 ? 'this session' : `these ${ids.length}`;
  const { mutate, isPending } = useApiMutation(contract.record.drawSample, {
    failure: 'The sample could not be drawn. Please try again.',
    onSuccess: ({ id }) => {
      onChange(new Set());
      change({ sample: id });
    },
  });
  const draw = () => {
    const { from, to, toolId, userId, unstated } = filter;
    const narrowed = { from, to, toolId, userId, unstated: unstated !== undefined };
    mutate({ params: { teamId }, body: { size: sampleSize, ...narrowed } });
  };
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      {sample && (
        <p className="text-sm text-muted">
          {sample.size} drawn at random from {sample.drawnFrom} sessions, {formatDateTime(sample.drawnAt)}.
        </p>
      )}
      {open.length > 0 && (
        <Button size="sm" variant="ghost" onClick={() => onChange(new Set(all ? [] : open.map(({ id }) => id)))}>
          {all ? 'Choose none' : `Choose all ${open.length} on this page`}
        </Button>
      )}
      <Button size="sm" variant="ghost" pending={isPending} pendingLabel="Drawing…" onClick={draw}>
        {sample ? 'Draw again' : `Draw a sample of ${sampleSize}`}
      </Button>
      {sample && (
        <Button size="sm" variant="ghost" onClick={() => change({ sample: '' })}>
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
              sampleId={sample?.id ?? null}
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
