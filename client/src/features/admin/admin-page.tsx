import { Gift, KeyRound, LayoutDashboard, LifeBuoy, Users } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import { AccessDenied } from '#client/features/admin/access-denied.tsx';
import { ApiKeysTab } from '#client/features/admin/api-keys-tab.tsx';
import { OverviewTab } from '#client/features/admin/overview-tab.tsx';
import { SupportTab } from '#client/features/admin/support-tab.tsx';
import { useAddress } from '#client/features/admin/use-address.ts';
import { UsersTab } from '#client/features/admin/users-tab.tsx';
import { useApiQuery } from '#client/lib/query-client.ts';
import { useUser } from '#client/lib/session.ts';
import { useTitle } from '#client/lib/title.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { PageSpinner } from '#client/ui/page-spinner.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';

const tabs = [
  { value: 'overview', label: 'Overview', icon: <LayoutDashboard aria-hidden /> },
  { value: 'users', label: 'Users', icon: <Users aria-hidden /> },
  { value: 'free-access', label: 'Free Access', icon: <Gift aria-hidden /> },
  { value: 'api-keys', label: 'API Keys', icon: <KeyRound aria-hidden /> },
  { value: 'support', label: 'Support', icon: <LifeBuoy aria-hidden /> },
] as const;
const [firstTab] = tabs;

const Dashboard = () => {
  const address = useAddress();
  const tab = tabs.find(({ value }) => value === address.tab)?.value ?? firstTab.value;
  // Fetched at load (B §6). It also tells whether the rights are still there: they are read with each call.
  const token = useApiQuery(contract.admin.csrfToken);
  useTitle('Admin Dashboard');
  if (token.error?.code === 'admin_required') return <AccessDenied />;
  return (
    <>
      <PageHeader title="Admin Dashboard" description="Who uses the product, what they may do, and what went wrong." />
      <Tabs
        label="Admin Dashboard"
        tabs={tabs}
        value={tab}
        onValueChange={(next) => address.openTab(next === firstTab.value ? '' : next)}
      >
        <TabPanel value="overview">
          <OverviewTab />
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
          <SupportTab />
        </TabPanel>
      </Tabs>
    </>
  );
};

/** /admin (B §2): five tabs for administrators, a refusal for everybody else. The server checks every call again. */
export default function AdminPage() {
  const { user } = useUser();
  if (!user) return <PageSpinner />;
  return user.isAdmin ? <Dashboard /> : <AccessDenied />;
}
