import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { takesSeat } from '#shared/rules/people/teams.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { Button, Text } from '#client/ui/elements.tsx';

const [AskDialog, prepareDialog] = lazyDialog(() => import('#client/features/tools/ask-dialog.tsx'));

/** For members of a practice: asks it for a tool, or says what became of that. Nothing for everybody else. */
export const AskPractice = ({ tool }: { tool: { id: string; name: string } }) => {
  const my = useApiQuery(contract.teams.my).data;
  const team = my?.memberOf;
  const isMember = team && my.role && my.role !== 'owner' && takesSeat(my.role);
  const asks = useApiQuery(contract.asks.own, {}, { enabled: Boolean(isMember) }).data;
  const [open, setOpen] = useState(false);
  if (!team || !isMember || !asks) return null;
  const last = asks.find(({ toolId, teamId }) => toolId === tool.id && teamId === team.id);
  if (last && last.outcome === null)
    return (
      <p className="mt-2 text-xs text-muted">
        You asked {team.name} for it on {formatDay(last.askedAt)}.
      </p>
    );
  return (
    <>
      {last?.outcome === 'declined' && (
        <p className="mt-2 text-xs break-words">
          <span className="font-medium">{team.name} declined.</span>
          <Text> {last.answer}</Text>
        </p>
      )}
      <Button
        variant="ghost"
        size="sm"
        className="mt-1 w-full text-primary!"
        aria-label={`Ask ${team.name} for ${tool.name}`}
        onPointerEnter={prepareDialog}
        onClick={() => setOpen(true)}
      >
        Ask {team.name}
      </Button>
      <AskDialog open={open} team={team} tool={tool} onClose={() => setOpen(false)} />
    </>
  );
};
