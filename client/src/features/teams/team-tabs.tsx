import { ChartNoAxesColumn, CreditCard, FileClock, LayoutGrid, Settings, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { teamCan } from '#shared/rules/people/teams.ts';
import { InviteForm, PendingInvitations } from '#client/features/teams/invite-form.tsx';
import { MemberList } from '#client/features/teams/member-list.tsx';
import { TeamSettings } from '#client/features/teams/team-settings.tsx';
import { TeamUsage } from '#client/features/teams/team-usage.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { useTabInAddress } from '#client/lib/pages/tab-in-address.ts';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';

const tabs = [
  { value: 'members', label: 'Members', icon: <Users aria-hidden />, right: 'seeMembers' },
  { value: 'tools', label: 'Tools', icon: <LayoutGrid aria-hidden />, right: 'manage' },
  { value: 'billing', label: 'Billing', icon: <CreditCard aria-hidden />, right: 'manage' },
  { value: 'usage', label: 'Usage', icon: <ChartNoAxesColumn aria-hidden />, right: 'seeUsage' },
  { value: 'record', label: 'Record', icon: <FileClock aria-hidden />, right: 'seeUsage' },
  { value: 'settings', label: 'Settings', icon: <Settings aria-hidden />, right: 'manage' },
] as const;

const People = (mine: MyTeam) => (
  <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
    <MemberList {...mine} />
    <div className="grid grid-cols-1 gap-6">
      <InviteForm {...mine} />
      <PendingInvitations {...mine} />
    </div>
  </div>
);

/** Panels of other features, passed in by the page. */
export type TeamPanels = {
  tools: (teamId: string) => ReactNode;
  billing: (teamId: string) => ReactNode;
  record: (teamId: string, manages: boolean) => ReactNode;
};

/** The tabs depend on the role; a member sees only the list of members. */
export const TeamTabs = ({ panels, ...mine }: MyTeam & { panels: TeamPanels }) => {
  const [named, setTab] = useTabInAddress(tabs, { keep: ['team'] });
  const open = tabs.filter(({ right }) => teamCan(mine.role, right));
  const tab = open.some(({ value }) => value === named) ? named : 'members';
  if (mine.role === 'member') return <MemberList {...mine} />;
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
      <TabPanel value="record">{panels.record(mine.team.id, teamCan(mine.role, 'manage'))}</TabPanel>
      <TabPanel value="settings">
        <TeamSettings {...mine} />
      </TabPanel>
    </Tabs>
  );
};
