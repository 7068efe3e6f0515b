import { Users } from 'lucide-react';
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
import { Badge, Panel, Text } from '#client/ui/elements.tsx';
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
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-2 py-3 sm:grid-cols-[auto_minmax(0,1fr)_5rem_auto] sm:gap-x-3">
      <Avatar person={member.user} className="size-9! max-sm:row-span-2" />
      <div className="min-w-0 max-sm:contents">
        <p className="flex flex-wrap items-center gap-x-1.5 gap-y-1 font-medium">
          <span className="min-w-0 break-words">
            <Text>
              {nameOf(member.user)}
              {isMe && ' (you)'}
            </Text>
          </span>
          <span className="sm:hidden">
            <RoleBadge role={member.role} />
          </span>
          {member.hindrance && <Badge tone="warning">{hindrances[member.hindrance]}</Badge>}
        </p>
        <p className="flex flex-wrap items-center gap-x-1 text-xs text-muted max-sm:col-span-2 max-sm:col-start-2 max-sm:row-start-2">
          <span className="min-w-0 break-all">{member.user.email}</span>
          <span className="figures max-sm:hidden">{`· Joined ${formatDay(member.joinedAt)}`}</span>
        </p>
      </div>
      <span className="max-sm:hidden">
        <RoleBadge role={member.role} />
      </span>
      {teamCan(mine.role, 'invite') && (
        <div className="flex max-sm:col-span-2 max-sm:empty:hidden max-sm:col-start-2 max-sm:-mb-3 max-sm:-ml-3 sm:w-48 sm:justify-end">
          {teamCan(mine.role, 'manage') && member.role !== 'owner' && <ChangeRole team={mine.team} member={member} />}
          {removable && <RemoveMember {...mine} member={member} members={members} />}
        </div>
      )}
    </li>
  );
};

/** "5 members. You can invite 14 more." */
const countText = (members: readonly TeamMember[], { team, role }: MyTeam) => {
  const count = seatsIn(members);
  const more = team.maxMembers - count;
  const first = count === 1 ? '1 member' : `${count} members`;
  return more > 0 && teamCan(role, 'invite') ? `${first}. You can invite ${more} more.` : first;
};

/** The seats used. */
export const seatsIn = (members: readonly TeamMember[]) => members.filter(({ role }) => takesSeat(role)).length;

export const MemberList = ({ team, role }: MyTeam) => {
  const members = useApiQuery(contract.teams.members, { params: { teamId: team.id } });
  return (
    <Panel
      title="Members"
      description={members.data ? countText(members.data, { team, role }) : 'Who is in it'}
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
    onSuccess: () => toast({ title: 'Member Removed', description: `${name} is no longer a member.` }),
    failure: 'Failed to remove team member.',
  });
  return (
    <ConfirmButton
      button="Remove"
      look={{ variant: 'ghost', className: 'text-muted! hover:text-danger!', 'aria-label': `Remove ${name}` }}
      title={`Remove ${name}?`}
      keepLabel="Keep member"
      confirmLabel="Remove member"
      pendingLabel="Removing…"
      mutation={remove}
      onConfirm={(close) => remove.mutate({ params: { teamId: team.id, userId: member.userId } }, { onSuccess: close })}
    >
      <ul className="list-disc space-y-1.5 pl-5">
        {takesSeat(member.role) ? (
          <li>{name} loses access to the practice’s tools straight away. Their own subscriptions continue.</li>
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
