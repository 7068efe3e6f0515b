import { Trash2, Users } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import type { TeamMember } from '#shared/api/teams.ts';
import { removalRefusal, takesSeat, teamCan } from '#shared/rules/people/teams.ts';
import { teamDiscountMembers, teamPercent } from '#shared/rules/billing/pricing.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { ChangeRole } from '#client/features/teams/change-role.tsx';
import { nameOf, RoleBadge } from '#client/features/teams/team-labels.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Badge, Panel } from '#client/ui/elements.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { BillLines, useBillWith } from '#client/features/teams/bill-with.tsx';
import { toast } from '#client/lib/words/toast.ts';
import { ConfirmButton } from '#client/ui/dialog.tsx';

const hindrances = {
  suspended: 'Can’t sign in at present',
  profile: 'Profile not completed',
  address: 'Address not verified',
} satisfies Record<NonNullable<TeamMember['hindrance']>, string>;

const MemberRow = ({ member, members, ...mine }: MyTeam & { member: TeamMember; members: number }) => {
  const me = useSignedInUser();
  const isMe = member.userId === me.id;
  const removable = removalRefusal({ userId: me.id, role: mine.role }, member) === null;
  return (
    <li className="flex items-center gap-3 py-3">
      <Avatar person={member.user} className="size-9!" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="min-w-0 break-words">{nameOf(member.user)}</span>
          <RoleBadge role={member.role} />
          {isMe && <Badge tone="outline">You</Badge>}
          {member.hindrance && <Badge tone="warning">{hindrances[member.hindrance]}</Badge>}
        </p>
        <p className="truncate text-xs text-muted" title={member.user.email}>
          {member.user.email}
        </p>
      </div>
      <p className="figures text-xs text-muted max-sm:hidden">Joined {formatDay(member.joinedAt)}</p>
      {teamCan(mine.role, 'manage') && member.role !== 'owner' && <ChangeRole team={mine.team} member={member} />}
      {removable && <RemoveMember {...mine} member={member} members={members} />}
    </li>
  );
};

/** The seats used. */
export const seatsIn = (members: readonly TeamMember[]) => members.filter(({ role }) => takesSeat(role)).length;

export const MemberList = ({ team, role }: MyTeam) => {
  const members = useApiQuery(contract.teams.members, { params: { teamId: team.id } });
  return (
    <Panel
      title="Members"
      description={members.data ? `${seatsIn(members.data)} of ${team.maxMembers} seats used` : 'Who is in your team'}
      bodyClassName="pt-2! pb-2!"
    >
      <QueryView
        query={members}
        failedTitle="The members could not be loaded"
        loading={
          <Loading label="Loading the members" className="space-y-3 py-3" skeletons={['h-10', 'h-10', 'h-10']} />
        }
      >
        {(list) => (
          <>
            <ul aria-label="Members" className="divide-y">
              {list.map((member) => (
                <MemberRow key={member.id} member={member} members={seatsIn(list)} team={team} role={role} />
              ))}
            </ul>
            {list.length === 1 && role === 'owner' && (
              <EmptyState
                icon={<Users />}
                title="No team members yet. Invite some members to get started!"
                description="They get an email with a link, and join with their own account."
              />
            )}
          </>
        )}
      </QueryView>
    </Panel>
  );
};

type RemoveProps = MyTeam & { member: TeamMember; members: number };

const RemoveMember = ({ team, role, member, members }: RemoveProps) => {
  const name = nameOf(member.user);
  const remove = useApiMutation(contract.teams.removeMember, {
    onSuccess: () => toast({ title: 'Member Removed', description: `${name} is no longer in your team.` }),
    failure: 'Failed to remove team member.',
  });
  return (
    <ConfirmButton
      button={
        <>
          <Trash2 aria-hidden className="sm:hidden" />
          <span className="max-sm:sr-only">Remove</span>
        </>
      }
      look={{
        variant: 'ghost',
        className: 'max-sm:-ml-3 max-sm:size-11 max-sm:px-0 text-muted! font-normal!',
        'aria-label': `Remove ${name}`,
        title: 'Remove',
      }}
      title={`Remove ${name}?`}
      keepLabel="Keep member"
      confirmLabel="Remove member"
      pendingLabel="Removing…"
      mutation={remove}
      onConfirm={(close) => remove.mutate({ params: { teamId: team.id, userId: member.userId } }, { onSuccess: close })}
    >
      <ul className="list-disc space-y-1.5 pl-5">
        {takesSeat(member.role) ? (
          <li>{name} loses access to the team&apos;s tools straight away. Their own subscriptions continue.</li>
        ) : (
          <li>{name} can no longer read the record and the invoices.</li>
        )}
        {!takesSeat(member.role) ? null : role === 'owner' ? (
          <Bill team={team} userId={member.userId} members={members} />
        ) : (
          <li>{team.name} pays for one fewer member from now on.</li>
        )}
        <li>{name} is told by email. You can invite them again at any time.</li>
      </ul>
    </ConfirmButton>
  );
};

/** What becomes of the team's bill, for the owner, who pays. */
const Bill = ({ team, userId, members }: { team: MyTeam['team']; userId: string; members: number }) => {
  const { lines, changes, isError, isPending } = useBillWith({ teamId: team.id, change: { leaves: userId } });
  const losesDiscount = changes.some(({ fromCents, toCents }) => toCents / (members - 1) > fromCents / members);
  if (isPending) return <li>Working out the new bill…</li>;
  if (isError) return <li>The new bill could not be loaded.</li>;
  return (
    <>
      {losesDiscount && (
        <li>
          The team discount of {teamPercent}% ends, because it needs {teamDiscountMembers.min} members.
        </li>
      )}
      {lines.length > 0 && (
        <li>
          {team.name}’s bill: <BillLines lines={lines} />
        </li>
      )}
    </>
  );
};
