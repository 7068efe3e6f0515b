import {
  Building2,
  ChartNoAxesColumn,
  CreditCard,
  FileClock,
  History,
  LayoutGrid,
  LogIn,
  Settings,
  Users,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { contract } from '#shared/api/members.ts';
import { teamDiscountMembers, teamPercent } from '#shared/rules/billing/pricing.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { defaultMaxMembers, defaultTeamName, takesSeat, teamCan, type TeamRole } from '#shared/rules/people/teams.ts';
import { RoleBadge, yourRights } from '#client/features/teams/team-labels.tsx';
import { type MyTeam, useChosenTeam, useMyTeams } from '#client/features/teams/use-teams.ts';
import { membershipLabels } from '#client/lib/session/people.ts';
import { paths, serverLogin } from '#client/lib/pages/paths.ts';
import { useSignedInUser, useUser } from '#client/lib/session/session.ts';
import { keepDays } from '#client/lib/money/bill-words.ts';
import { useForecast } from '#client/lib/money/payer.tsx';
import { billDay, dotted } from '#client/lib/words/format.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Button, ButtonLink, Card, PageHeader, Panel, Text, TextLink } from '#client/ui/elements.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { Field, Input, Select } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { TakeOver } from '#client/features/teams/hand-over.tsx';
import { InviteForm, PendingInvitations } from '#client/features/teams/invite-form.tsx';
import { LeaveTeam } from '#client/features/teams/leave-team.tsx';
import { MemberList, seatsIn } from '#client/features/teams/member-list.tsx';
import { TeamActivity } from '#client/features/teams/team-activity.tsx';
import { TeamSettings } from '#client/features/teams/team-settings.tsx';
import { TeamUsage } from '#client/features/teams/team-usage.tsx';
import { useTabInAddress } from '#client/lib/pages/tab-in-address.ts';
import { ToolIcon } from '#client/ui/tool-icon.tsx';
import { useToolLook } from '#client/lib/words/tool-look.ts';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';

type SelectorProps = { teams: readonly MyTeam[]; chosen: MyTeam; onChoose: (teamId: string) => void };

const nameAndType = ({ team }: Pick<MyTeam, 'team'>) => `${team.name} (${membershipLabels[team.membershipType]})`;

const TeamSelector = ({ teams, chosen, onChoose }: SelectorProps) => (
  <div className="w-full sm:w-72">
    <Select
      aria-label="Team"
      value={chosen.team.id}
      onChange={(event) => onChoose(event.target.value)}
      options={teams.map(({ team }) => ({
        value: team.id,
        label: nameAndType({ team }),
      }))}
    />
  </div>
);

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
        {takesSeat(role) ? 'You are a member of' : 'You look after the record of'} {team.name}
        <RoleBadge role={role} />
      </p>
      <p className="text-muted">{yourRights[role]}</p>
    </div>
    <LeaveTeam team={team} />
  </Card>
);

/** "5 members · 2 paid tools · $318.75 on 1 Dec": what it pays is for its owner. */
const InShort = ({ team, role }: MyTeam) => {
  const members = useApiQuery(contract.teams.members, { params: { teamId: team.id } }).data;
  const bill = useForecast({ teamId: team.id }, { enabled: role === 'owner' }).data?.bill;
  const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  if (!members) return <Text>{'\u00a0'}</Text>;
  return (
    <span className="figures">
      {dotted([
        counted(seatsIn(members), 'member'),
        bill ? counted(bill.lines.length, 'paid tool') : null,
        bill ? keepDays(`${formatCents(bill.totalCents)} on ${billDay(bill.at)}`) : null,
      ])}
    </span>
  );
};

type Props = TeamPanels & { notice: ReactNode };

const Content = ({ notice, ...panels }: Props) => {
  const mine = useMyTeams();
  const { teams } = mine;
  const [chosen, choose] = useChosenTeam(teams ?? []);
  const membership = teams?.find(({ role }) => role !== 'owner');
  return (
    <>
      <PageHeader
        title={chosen ? chosen.team.name : 'Team'}
        description={chosen ? <InShort key={chosen.team.id} {...chosen} /> : 'Manage members and shared tools.'}
        action={teams && chosen && teams.length > 1 && <TeamSelector teams={teams} chosen={chosen} onChoose={choose} />}
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
              {membership && <TakeOver {...membership} />}
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
export const TeamManagement = (props: Props) => {
  const { user } = useUser();
  useTitle('Team');
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
const CreateTeam = () => {
  const { firstName } = useSignedInUser();
  const form = useKeptForm({
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

const tabs = [
  { value: 'members', label: 'Members', icon: <Users aria-hidden />, right: 'seeMembers' },
  { value: 'tools', label: 'Tools', icon: <LayoutGrid aria-hidden />, right: 'manage' },
  { value: 'billing', label: 'Billing', icon: <CreditCard aria-hidden />, right: 'manage' },
  { value: 'usage', label: 'Usage', icon: <ChartNoAxesColumn aria-hidden />, right: 'seeUsage' },
  { value: 'record', label: 'Record', icon: <FileClock aria-hidden />, right: 'seeUsage' },
  { value: 'activity', label: 'Activity', icon: <History aria-hidden />, right: 'seeActivity' },
  { value: 'settings', label: 'Settings', icon: <Settings aria-hidden />, right: 'manage' },
] as const;

const People = (mine: MyTeam) => (
  <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
    <MemberList {...mine} />
    {teamCan(mine.role, 'invite') && (
      <div className="grid grid-cols-1 gap-6">
        <InviteForm {...mine} />
        <PendingInvitations {...mine} />
      </div>
    )}
  </div>
);

/** What a member may open, for somebody who manages nothing. */
const SharedTools = ({ team }: MyTeam) => {
  const shared = useApiQuery(contract.subscriptions.list).data?.filter(
    ({ teamId, hasAccess }) => teamId === team.id && hasAccess,
  );
  const look = useToolLook();
  if (!shared || shared.length === 0) return null;
  return (
    <Panel title="The practice’s tools" description="Open them here or from your dashboard" bodyClassName="pt-2! pb-2!">
      <ul aria-label="The practice’s tools" className="divide-y">
        {shared.map(({ id, tool, toolId }) => (
          <li key={id} className="flex items-center gap-3 py-2.5">
            <ToolIcon icon={look(toolId).icon} className="size-8!" />
            <TextLink href={paths.disclosure(toolId)} className="mr-auto">
              {tool.name}
            </TextLink>
            <ButtonLink href={paths.open(toolId)} size="sm" aria-label={`Open ${tool.name}`}>
              Open
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Panel>
  );
};

/** Panels of other features, passed in by the page. */
type TeamPanels = {
  tools: (teamId: string) => ReactNode;
  billing: (teamId: string) => ReactNode;
  record: (teamId: string, role: TeamRole) => ReactNode;
};

/** The tabs depend on the role; a member sees only the list of members. */
const TeamTabs = ({ panels, ...mine }: MyTeam & { panels: TeamPanels }) => {
  const [named, setTab] = useTabInAddress(tabs, { keep: ['team'] });
  const open = tabs.filter(({ right }) => teamCan(mine.role, right));
  const tab = open.some(({ value }) => value === named) ? named : 'members';
  if (mine.role === 'member')
    return (
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <MemberList {...mine} />
        <SharedTools {...mine} />
      </div>
    );
  return (
    <Tabs label={mine.team.name} tabs={open} value={tab} onValueChange={setTab}>
      <TabPanel value="members">
        <People {...mine} />
      </TabPanel>
      <TabPanel value="tools">{panels.tools(mine.team.id)}</TabPanel>
      <TabPanel value="billing">{panels.billing(mine.team.id)}</TabPanel>
      <TabPanel value="usage">
        <TeamUsage {...mine} />
      </TabPanel>
      <TabPanel value="record">{panels.record(mine.team.id, mine.role)}</TabPanel>
      <TabPanel value="activity">
        <TeamActivity {...mine} />
      </TabPanel>
      <TabPanel value="settings">
        <TeamSettings {...mine} />
      </TabPanel>
    </Tabs>
  );
};
