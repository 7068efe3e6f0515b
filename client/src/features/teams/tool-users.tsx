import { useState } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import type { TeamMember } from '#shared/api/teams.ts';
import { takesSeat, teamUsageDays } from '#shared/rules/people/teams.ts';
import { seatsIn } from '#client/features/teams/member-list.tsx';
import { nameOf } from '#client/features/teams/team-labels.tsx';
import { BillLines, useBillWith } from '#client/features/teams/bill-with.tsx';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { DialogButton } from '#client/ui/dialog.tsx';
import { Button, FormError } from '#client/ui/elements.tsx';
import { DialogFooter, useDialogLock } from '#client/ui/in-dialog.tsx';

type TeamTool = Reply<typeof contract.toolUsers.list>[number];
type Props = { teamId: string; toolId: string };

/** Who uses one of the tools that the team pays for by seat. Nothing while there is nobody to choose from. */
export const ToolUsers = ({ teamId, toolId }: Props) => {
  const params = { teamId };
  const tools = useApiQuery(contract.toolUsers.list, { params });
  const members = useApiQuery(contract.teams.members, { params });
  const tool = tools.data?.find((one) => one.toolId === toolId);
  if (tools.isError || members.isError) return <p className="text-xs">Who uses it could not be loaded.</p>;
  if (!tool || !members.data || seatsIn(members.data) < 2) return null;
  const seated = members.data.filter(({ role }) => takesSeat(role));
  const { userIds } = tool;
  const names = seated.flatMap(({ userId, user }) => (userIds?.includes(userId) ? nameOf(user) : []));
  return (
    <p className="text-xs text-muted">
      {userIds === null
        ? 'Everybody'
        : `${userIds.length} of ${seated.length} people: ${new Intl.ListFormat('en-AU').format(names)}`}{' '}
      ·{' '}
      <DialogButton
        button="Choose who"
        look={{ variant: 'link', className: 'text-xs!', 'aria-label': `Choose who uses ${tool.toolName}` }}
        title={`Who uses ${tool.toolName}`}
        description="Whoever you choose opens it from their dashboard. Everybody else loses it straight away."
      >
        {(close) => <ChooseUsers teamId={teamId} tool={tool} members={seated} onClose={close} />}
      </DialogButton>
    </p>
  );
};

type ChooseProps = { teamId: string; tool: TeamTool; members: readonly TeamMember[]; onClose: () => void };

/** The people as checkboxes, with whether they have used the tool lately, and what the choice does to the bill. */
const ChooseUsers = ({ teamId, tool, members, onClose }: ChooseProps) => {
  const all = members.map(({ userId }) => userId);
  const [everybody, setEverybody] = useState(tool.userIds === null);
  const [chosen, setChosen] = useState<readonly string[]>(tool.userIds ?? all);
  const used = useApiQuery(contract.teams.usage, {
    params: { teamId },
    query: { days: String(teamUsageDays) },
  }).data;
  const save = useApiMutation(contract.toolUsers.choose, {
    onSuccess: () => {
      toast({ title: 'Saved', description: `Those who gain or lose ${tool.toolName} are told by email.` });
      onClose();
    },
    failure: 'Who uses the tool could not be saved. Please try again.',
  });
  useDialogLock(save.isPending);
  const userIds = everybody ? null : all.filter((id) => chosen.includes(id));
  const isSame =
    userIds === null || tool.userIds === null
      ? userIds === tool.userIds
      : userIds.length === tool.userIds.length && userIds.every((id) => tool.userIds!.includes(id));
  const note = (userId: string) => {
    const usage = used?.find((row) => row.userId === userId && row.toolId === tool.toolId);
    if (!used || (usage && usage.sessions > 0)) return null;
    return <span className="block text-xs text-muted">Not used in the last {teamUsageDays} days</span>;
  };
  return (
    <>
      <FormError className="mb-4">{save.fault}</FormError>
      <fieldset className="min-w-0" disabled={save.isPending}>
        <legend className="sr-only">Who uses {tool.toolName}</legend>
        <Checkbox
          label="Everybody in the practice, and whoever joins"
          checked={everybody}
          onChange={(event) => setEverybody(event.target.checked)}
        />
        <ul className="mt-1 max-h-72 overflow-y-auto border-t pt-1">
          {members.map(({ userId, user }) => (
            <li key={userId}>
              <Checkbox
                label={
                  <>
                    {nameOf(user)}
                    {note(userId)}
                  </>
                }
                checked={everybody || chosen.includes(userId)}
                disabled={everybody}
                onChange={(event) =>
                  setChosen(event.target.checked ? [...chosen, userId] : chosen.filter((id) => id !== userId))
                }
              />
            </li>
          ))}
        </ul>
      </fieldset>
      <div className="mt-3 text-sm" aria-live="polite">
        {userIds?.length === 0 ? (
          <p>Please choose somebody. To stop paying for the tool, cancel it.</p>
        ) : (
          !isSame && <Cost teamId={teamId} toolId={tool.toolId} userIds={userIds} />
        )}
      </div>
      <DialogFooter>
        <Button variant="secondary" disabled={save.isPending} onClick={onClose}>
          Keep as it is
        </Button>
        <Button
          disabled={isSame || userIds?.length === 0}
          pending={save.isPending}
          pendingLabel="Saving…"
          onClick={() => save.mutate({ params: { teamId, toolId: tool.toolId }, body: { userIds } })}
        >
          Save
        </Button>
      </DialogFooter>
    </>
  );
};

type CostProps = Props & { userIds: readonly string[] | null };

/** What the choice does to the bill. */
const Cost = ({ teamId, toolId, userIds }: CostProps) => {
  const change = { choose: toolId, ...(userIds && { users: userIds.join(',') }) };
  const { lines, isError, isPending } = useBillWith({ teamId, change });
  if (isPending) return <p>Working out the new bill…</p>;
  if (isError) return <p>The new bill could not be loaded.</p>;
  return (
    <p>
      {lines.length === 0 ? (
        'The bill stays as it is.'
      ) : (
        <>
          The practice’s bill: <BillLines lines={lines} />
        </>
      )}
    </p>
  );
};
