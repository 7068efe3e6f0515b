import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import type { RecordSession } from '#shared/api/recorded.ts';
import { Checks, onList } from '#client/features/record/checks.tsx';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Button } from '#client/ui/elements.tsx';

type Props = {
  sessions: readonly RecordSession[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
};

/** Reviews several of the adviser's sessions with one press: those chosen in the list below. */
export const ReviewMany = ({ sessions, chosen, onChange }: Props) => {
  const open = sessions.flatMap(({ id, checked }) => (checked === null ? [id] : []));
  const ids = open.filter((id) => chosen.has(id));
  // Only what stands on the lists of all of them.
  const lists = sessions.flatMap(({ id, checkList }) => (ids.includes(id) ? [checkList] : []));
  const list = (lists[0] ?? []).filter((one) => lists.every((other) => other.includes(one)));
  const [ticked, setTicked] = useState<string[]>([]);
  const { mutate, isPending } = useApiMutation(contract.record.stateMany, {
    failure: 'Your reviews could not be added. Please try again.',
    onSuccess: ({ sessions: count }) => {
      toast({ title: count === 1 ? 'One session reviewed' : `${count} sessions reviewed` });
      onChange(new Set());
      setTicked([]);
    },
  });
  if (open.length < 2) return null;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <Checkbox
        label={`Choose all ${open.length} to review`}
        checked={ids.length === open.length}
        onChange={({ target }) => onChange(new Set(target.checked ? open : []))}
      />
      {ids.length > 0 && (
        <div className="basis-full">
          <Checks list={list} value={ticked} onChange={setTicked} />
          <Button
            size="sm"
            pending={isPending}
            pendingLabel="Adding…"
            onClick={() => mutate({ body: { ids, checked: true, checks: onList(ticked, list) } })}
          >
            I reviewed the output of {ids.length === 1 ? 'this session' : `these ${ids.length}`}
          </Button>
        </div>
      )}
    </div>
  );
};
