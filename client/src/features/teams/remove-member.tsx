import { UserMinus } from 'lucide-react';
import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import type { TeamMember } from '#shared/api/teams.ts';
import { teamDiscountMembers, teamPercent } from '#shared/rules/billing/pricing.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { useBillWith } from '#client/features/teams/bill-with.tsx';
import { nameOf } from '#client/features/teams/team-labels.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Button } from '#client/ui/button.tsx';

type Props = MyTeam & { member: TeamMember; members: number };

export const RemoveMember = ({ team, role, member, members }: Props) => {
  const [open, setOpen] = useState(false);
  const name = nameOf(member.user);
  const { mutate, isPending, fault } = useApiMutation(contract.teams.removeMember, {
    onSuccess: () => {
      setOpen(false);
      toast({ title: 'Member Removed', description: `${name} is no longer in your team.` });
    },
    failure: 'Failed to remove team member.',
  });
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        className="text-muted"
        aria-label={`Remove ${name}`}
        title="Remove"
        onClick={() => setOpen(true)}
      >
        <UserMinus aria-hidden />
      </Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Remove ${name}?`}
        keepLabel="Keep member"
        confirmLabel="Remove member"
        pendingLabel="Removing…"
        pending={isPending}
        error={fault}
        onConfirm={() => mutate({ params: { teamId: team.id, userId: member.userId } })}
      >
        <ul className="list-disc space-y-1.5 pl-5">
          <li>{name} loses access to the team&apos;s tools straight away. Their own subscriptions continue.</li>
          {role === 'owner' ? (
            <Bill team={team} userId={member.userId} members={members} />
          ) : (
            <li>{team.name} pays for one fewer member from now on.</li>
          )}
          <li>{name} is told by email. You can invite them again at any time.</li>
        </ul>
      </ConfirmDialog>
    </>
  );
};

/** What becomes of the team's bill, for the owner, who pays. */
const Bill = ({ team, userId, members }: { team: MyTeam['team']; userId: string; members: number }) => {
  const { sentence, changes, isError, isPending } = useBillWith({ team, change: { leaves: userId } });
  const losesDiscount = changes.some(({ fromCents, toCents }) => toCents / (members - 1) > fromCents / members);
  if (isPending) return <li>Looking up what becomes of the bill…</li>;
  if (isError) return <li>What becomes of the bill could not be loaded.</li>;
  return (
    <>
      {losesDiscount && (
        <li>
          The team discount of {teamPercent}% ends, because it needs {teamDiscountMembers.min} members.
        </li>
      )}
      {sentence && <li className="figures">{sentence}</li>}
    </>
  );
};
