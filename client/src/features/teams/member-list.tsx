import { Users } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import type { TeamMember } from '#shared/api/teams.ts';
import { removalRefusal } from '#shared/rules/people/teams.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { RemoveMember } from '#client/features/teams/remove-member.tsx';
import { nameOf, RoleBadge } from '#client/features/teams/team-labels.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

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
        </p>
        <p className="text-xs break-words text-muted">
          {member.user.email} · <span className="figures">joined {formatDay(member.joinedAt)}</span>
        </p>
      </div>
      {removable && <RemoveMember {...mine} member={member} members={members} />}
    </li>
  );
};

export const MemberList = ({ team, role }: MyTeam) => {
  const members = useApiQuery(contract.teams.members, { params: { teamId: team.id } });
  return (
    <Panel
      title="Members"
      description={members.data ? `${members.data.length} of ${team.maxMembers} places taken` : 'Who is in your team'}
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
                <MemberRow key={member.id} member={member} members={list.length} team={team} role={role} />
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
