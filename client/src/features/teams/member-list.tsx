import { Users } from 'lucide-react';
import { useId } from 'react';
import { contract } from '#shared/api/index.ts';
import type { TeamMember } from '#shared/api/teams.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { removalRefusal } from '#shared/rules/teams.ts';
import { RemoveMember } from '#client/features/teams/remove-member.tsx';
import { nameOf, RoleBadge } from '#client/features/teams/team-labels.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { useSignedInUser } from '#client/lib/session.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

const MemberRow = ({ member, team, role }: MyTeam & { member: TeamMember }) => {
  const me = useSignedInUser();
  const isMe = member.userId === me.id;
  const removable = removalRefusal({ userId: me.id, role }, member) === null;
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
          {member.user.email} · <span className="figures">joined {formatSydneyDate(member.joinedAt)}</span>
        </p>
      </div>
      {removable && <RemoveMember teamId={team.id} member={member} />}
    </li>
  );
};

/** Everybody in the team with their role; who may be removed carries the button (B §2). */
export const MemberList = ({ team, role }: MyTeam) => {
  const headingId = useId();
  const { data, error, refetch, isFetching } = useApiQuery(contract.teams.members, { params: { teamId: team.id } });
  const alone = data?.length === 1 && role === 'owner';
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Members"
        description={data ? `${data.length} of ${team.maxMembers} places taken` : 'Who is in your team'}
      />
      <CardBody className="pt-2! pb-2!">
        {data ? (
          <>
            <ul aria-labelledby={headingId} className="divide-y">
              {data.map((member) => (
                <MemberRow key={member.id} member={member} team={team} role={role} />
              ))}
            </ul>
            {alone && (
              <EmptyState
                icon={<Users />}
                title="No team members yet. Invite some members to get started!"
                description="They get an email with a link, and join with an account of their own."
              />
            )}
          </>
        ) : error ? (
          <ErrorState
            title="The members could not be loaded"
            message={error.sentence}
            requestId={error.requestId}
            onRetry={refetch}
            retrying={isFetching}
          />
        ) : (
          <Loading label="Loading the members" className="space-y-3 py-3">
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </Loading>
        )}
      </CardBody>
    </Card>
  );
};
