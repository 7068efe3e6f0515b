import { ChartNoAxesCombined, Gift, KeyRound, LayoutDashboard, LifeBuoy, Users } from 'lucide-react';
import { Administrators } from '#client/features/admin/people/administrators.tsx';
import { ApiKeysTab } from '#client/features/admin/people/api-keys-tab.tsx';
import { AuditLog } from '#client/features/admin/incidents/audit-log.tsx';
import { OverviewTab } from '#client/features/admin/overview-tab.tsx';
import { ResetFactorsForm, ResetPasswordForm } from '#client/features/admin/people/support-forms.tsx';
import { UsersTab } from '#client/features/admin/people/users-tab.tsx';
import { laterPart } from '#client/lib/pages/load-later.ts';
import { useTabInAddress } from '#client/lib/pages/tab-in-address.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Loading } from '#client/ui/query-view.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';

const BusinessTab = laterPart(
  () => import('#client/features/admin/business/business-tab.tsx'),
  <Loading label="Loading the figures" skeletons={['h-28', 'mt-6 h-72']} />,
);

const tabs = [
  { value: 'overview', label: 'Overview', icon: <LayoutDashboard aria-hidden /> },
  { value: 'business', label: 'Business', icon: <ChartNoAxesCombined aria-hidden /> },
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
      <PageHeader
        title="Admin Dashboard"
        description="People, access, the business, and anything that needs attention."
      />
      {/* Less padding, so that six tabs fit on one line of a phone. */}
      <Tabs
        label="Admin Dashboard"
        tabs={tabs}
        value={tab}
        onValueChange={openTab}
        className="max-sm:[&>[role=tablist]>button]:px-1"
      >
        <TabPanel value="overview">
          <OverviewTab />
        </TabPanel>
        <TabPanel value="business">
          <BusinessTab />
        </TabPanel>
        <TabPanel value="users">
          <UsersTab key="users" />
        </TabPanel>
        <TabPanel value="free-access">
          <UsersTab key="free" freeOnly />
        </TabPanel>
        <TabPanel value="api-keys">
          <ApiKeysTab />
        </TabPanel>
        <TabPanel value="support">
          <div className="space-y-6">
            <ResetPasswordForm />
            <ResetFactorsForm />
            <AuditLog />
          </div>
        </TabPanel>
      </Tabs>
    </>
  );
};

/** /admin */
export default function AdminPage() {
  return (
    <Administrators>
      <Dashboard />
    </Administrators>
  );
}
