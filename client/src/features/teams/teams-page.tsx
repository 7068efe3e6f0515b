import { Building2, LogIn, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { contract } from '#shared/api/members.ts';
import { teamDiscountMembers, teamPercent } from '#shared/rules/billing/pricing.ts';
import { defaultMaxMembers, defaultTeamName } from '#shared/rules/people/teams.ts';
import { RoleBadge } from '#client/features/teams/team-labels.tsx';
import { type TeamPanels, TeamTabs } from '#client/features/teams/team-tabs.tsx';
import { type MyTeam, useChosenTeam, useMyTeams } from '#client/features/teams/use-teams.ts';
import { membershipLabels } from '#client/lib/session/people.ts';
import { paths, serverLogin } from '#client/lib/pages/paths.ts';
import { useSignedInUser, useUser } from '#client/lib/session/session.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Button, ButtonLink } from '#client/ui/button.tsx';
import { Card } from '#client/ui/card.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Field, Form, Input, Select } from '#client/ui/form.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toast } from '#client/lib/words/toast.ts';

type SelectorProps = { teams: readonly MyTeam[]; chosen: MyTeam; onChoose: (teamId: string) => void };

const TeamSelector = ({ teams, chosen, onChoose }: SelectorProps) => (
  <div className="w-full sm:w-72">
    <Select
      aria-label="Team"
      value={chosen.team.id}
      onChange={(event) => onChoose(event.target.value)}
      options={teams.map(({ team }) => ({
        value: team.id,
        label: `${team.name} (${membershipLabels[team.membershipType]})`,
      }))}
    />
  </div>
);

const rights = {
  owner: '',
  admin: 'You can invite people, remove members and see how the tools are used.',
  member: 'You can open its tools and see who is in it.',
};

const MembershipCard = ({ team, role }: MyTeam) => (
  <Card aria-label="Your membership" className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
    <span
      aria-hidden
      className="flex size-9 items-center justify-center rounded-full bg-primary-subtle text-primary [&_svg]:size-5"
    >
      <Building2 />
    </span>
    <div className="min-w-0 flex-1 basis-60">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        You are a member of {team.name}
        <RoleBadge role={role} />
      </p>
      <p className="text-muted">{rights[role]}</p>
    </div>
  </Card>
);

type Props = TeamPanels & { notice: ReactNode };

const Content = ({ notice, ...panels }: Props) => {
  const mine = useMyTeams();
  const { teams } = mine;
  const [chosen, choose] = useChosenTeam(teams ?? []);
  const membership = teams?.find(({ role }) => role !== 'owner');
  return (
    <>
      <PageHeader
        title="Team management"
        description="Your practice together: who is in it, and which tools it shares."
        action={teams && chosen && <TeamSelector teams={teams} chosen={chosen} onChoose={choose} />}
      />
      <QueryView
        query={mine}
        failedTitle="Your team could not be loaded"
        framedFailure
        loading={
          <Loading
            label="Loading your team"
            className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]"
            skeletons={['h-80', 'h-64']}
          />
        }
      >
        {() =>
          chosen ? (
            <>
              {membership && <MembershipCard {...membership} />}
              {notice}
              <TeamTabs key={chosen.team.id} {...chosen} panels={panels} />
            </>
          ) : (
            <CreateTeam />
          )
        }
      </QueryView>
    </>
  );
};

/** /teams, with panels of other features. */
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

const points = [
  `Up to ${defaultMaxMembers} people including you, each with their own account.`,
  "One team card pays for everyone's tools, priced per member.",
  `From ${teamDiscountMembers.min} members and two tools, every tool costs ${teamPercent}% less.`,
];

/** For advisers who neither own nor belong to a team. */
export const CreateTeam = () => {
  const { firstName } = useSignedInUser();
  const form = useApiForm({
    schema: contract.teams.create.body,
    defaultValues: { name: defaultTeamName(firstName), membershipType: 'team', maxMembers: defaultMaxMembers },
    draft: 'create-team',
    send: (body) => api.teams.create({ body }),
    onDone: (team) =>
      toast({ title: 'Team Created', description: `${team.name} is ready. Invite your colleagues next.` }),
    failure: 'Failed to create team.',
  });
  return (
    <Card className="mx-auto max-w-form p-6 sm:p-8">
      <span
        aria-hidden
        className="flex size-12 items-center justify-center rounded-full bg-primary-subtle text-primary [&_svg]:size-6"
      >
        <Users />
      </span>
      <h2 className="mt-4 text-lg">Create Your First Team</h2>
      <ul className="mt-3 list-disc space-y-1.5 pl-5 text-muted">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <Form form={form} label="Create your first team" className="mt-6">
        <Field
          label="Team name"
          help="Usually the practice's name. You can change it later."
          error={form.errorOf('name')}
        >
          <Input autoComplete="organization" {...form.register('name')} />
        </Field>
        <Button type="submit" className="mt-3 w-full" pending={form.pending} pendingLabel="Creating team…">
          Create team
        </Button>
      </Form>
    </Card>
  );
};
