import { Gift, KeyRound, LayoutDashboard, LifeBuoy, Users } from 'lucide-react';
import { Redirect, useSearchParams } from 'wouter';
import { Administrators } from '#client/features/admin/people/administrators.tsx';
import { ApiKeysTab } from '#client/features/admin/people/api-keys-tab.tsx';
import { OverviewTab } from '#client/features/admin/overview-tab.tsx';
import { ResetFactorsForm, ResetPasswordForm } from '#client/features/admin/people/support-forms.tsx';
import { UserList } from '#client/features/admin/people/users-tab.tsx';
import { useTabInAddress } from '#client/lib/pages/tab-in-address.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { PageHeader } from '#client/ui/elements.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';

const tabs = [
  { value: 'overview', label: 'Overview', icon: <LayoutDashboard aria-hidden /> },
  { value: 'users', label: 'Users', icon: <Users aria-hidden /> },
  { value: 'free-access', label: 'Free Access', icon: <Gift aria-hidden /> },
  { value: 'api-keys', label: 'API Keys', icon: <KeyRound aria-hidden /> },
  { value: 'support', label: 'Support', icon: <LifeBuoy aria-hidden /> },
] as const;

const Dashboard = () => {
  const [tab, openTab] = useTabInAddress(tabs);
  useTitle('Admin Dashboard');
  return (
    <>
      <PageHeader title="Admin Dashboard" description="People, access and keys." />
      {/* Less padding, so that five tabs fit on one line of a phone. */}
      <Tabs
        label="Admin Dashboard"
        tabs={tabs}
        value={tab}
        onValueChange={openTab}
        className="max-sm:[&_[role=tablist]>button]:px-1 max-sm:[&_[role=tablist]>button]:text-sm"
      >
        <TabPanel value="overview">
          <OverviewTab />
        </TabPanel>
        <TabPanel value="users">
          <UserList key="users" />
        </TabPanel>
        <TabPanel value="free-access">
          <UserList key="free" freeOnly />
        </TabPanel>
        <TabPanel value="api-keys">
          <ApiKeysTab />
        </TabPanel>
        <TabPanel value="support">
          <div className="space-y-6">
            <ResetPasswordForm />
            <ResetFactorsForm />
          </div>
        </TabPanel>
      </Tabs>
    </>
  );
};

/** /admin */
export default function AdminPage() {
  const [search] = useSearchParams();
  // Older links, as in mails.
  if (search.get('tab') === 'business') return <Redirect to={paths.desk('business')} replace />;
  return (
    <Administrators>
      <Dashboard />
    </Administrators>
  );
}
