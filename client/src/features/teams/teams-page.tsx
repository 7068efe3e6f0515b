import { LogIn } from 'lucide-react';
import type { ReactNode } from 'react';
import { CreateTeam } from '#client/features/teams/create-team.tsx';
import { MembershipCard } from '#client/features/teams/membership-card.tsx';
import { TeamSelector } from '#client/features/teams/team-selector.tsx';
import { type TeamMoney, TeamTabs } from '#client/features/teams/team-tabs.tsx';
import { useChosenTeam, useMyTeams } from '#client/features/teams/use-teams.ts';
import { paths, serverLogin } from '#client/lib/paths.ts';
import { useUser } from '#client/lib/session.ts';
import { useTitle } from '#client/lib/title.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Card } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

type Props = TeamMoney & { notice: ReactNode };

const Content = ({ notice, ...money }: Props) => {
  const { teams, data, error, refetch, isFetching } = useMyTeams();
  const [chosen, choose] = useChosenTeam(teams ?? []);
  const membership = teams?.find(({ role }) => role !== 'owner');
  return (
    <>
      <PageHeader
        title="Team management"
        description="Your practice together: who is in it, and which tools it shares."
        action={teams && chosen && <TeamSelector teams={teams} chosen={chosen} onChoose={choose} />}
      />
      {!data && error ? (
        <Card>
          <ErrorState
            title="Your team could not be loaded"
            message={error.sentence}
            requestId={error.requestId}
            onRetry={refetch}
            retrying={isFetching}
          />
        </Card>
      ) : !teams ? (
        <Loading label="Loading your team" className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <Skeleton className="h-80" />
          <Skeleton className="h-64" />
        </Loading>
      ) : !chosen ? (
        <CreateTeam />
      ) : (
        <>
          {membership && <MembershipCard {...membership} />}
          {notice}
          <TeamTabs key={chosen.team.id} {...chosen} money={money} />
        </>
      )}
    </>
  );
};

/** /teams (B §2), with what other features show of a team. */
export const TeamsPage = (props: Props) => {
  const { user } = useUser();
  useTitle('Team management');
  if (user) return <Content {...props} />;
  return (
    <Card className="mx-auto max-w-form">
      <EmptyState
        icon={<LogIn />}
        title={<h1 className="text-lg">Authentication Required</h1>}
        description="Please log in to manage your team."
        action={<ButtonLink href={serverLogin(paths.teams)}>Log In</ButtonLink>}
      />
    </Card>
  );
};
