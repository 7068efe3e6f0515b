import { Gift, KeyRound, LayoutDashboard, LifeBuoy, ShieldX, Users } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Redirect } from 'wouter';
import { contract } from '#shared/api/index.ts';
import { ApiKeysTab } from '#client/features/admin/api-keys-tab.tsx';
import { AuditLog } from '#client/features/admin/audit-log.tsx';
import { OverviewTab } from '#client/features/admin/overview-tab.tsx';
import { ResetPasswordForm } from '#client/features/admin/reset-password-form.tsx';
import { ResetFactorsForm } from '#client/features/admin/reset-factors-form.tsx';
import { UsersTab } from '#client/features/admin/users-tab.tsx';
import { useApiQuery } from '#client/lib/query.ts';
import { paths } from '#client/lib/paths.ts';
import { useUser } from '#client/lib/session.ts';
import { useTabInAddress } from '#client/lib/tab-in-address.ts';
import { useTitle } from '#client/lib/title.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Loading } from '#client/ui/skeleton.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';

const tabs = [
  { value: 'overview', label: 'Overview', icon: <LayoutDashboard aria-hidden /> },
  { value: 'users', label: 'Users', icon: <Users aria-hidden /> },
  { value: 'free-access', label: 'Free Access', icon: <Gift aria-hidden /> },
  { value: 'api-keys', label: 'API Keys', icon: <KeyRound aria-hidden /> },
  { value: 'support', label: 'Support', icon: <LifeBuoy aria-hidden /> },
] as const;

const AccessDenied = ({ why = 'You need administrator privileges to access this page.' }: { why?: string }) => {
  useTitle('Access Denied');
  return (
    <div className="flex min-h-[50dvh] flex-col items-center justify-center text-center">
      <ShieldX aria-hidden className="mb-3 size-8 text-danger" />
      <h1 className="text-xl">Access Denied</h1>
      <p className="mt-2 text-muted">{why}</p>
      <ButtonLink href={paths.dashboard} className="mt-6">
        Go to Dashboard
      </ButtonLink>
    </div>
  );
};

/** Leads to setting up a second factor. What was refused for the want of it is forgotten, to be asked again afterwards. */
const ToEnrolment = () => {
  const queryClient = useQueryClient();
  useEffect(() => {
    const refused = ({ queryKey }: { queryKey: readonly unknown[] }) => String(queryKey[0]).startsWith('/api/admin/');
    return () => queryClient.removeQueries({ predicate: refused });
  }, [queryClient]);
  return <Redirect to={paths.security} replace />;
};

const Dashboard = () => {
  const [tab, openTab] = useTabInAddress(tabs);
  // Needed for every write. Fetched at load, it also shows whether the person is still an administrator.
  const token = useApiQuery(contract.admin.csrfToken);
  useTitle('Admin Dashboard');
  if (token.error?.code === 'admin_required') return <AccessDenied />;
  if (token.error?.code === 'admin_network') return <AccessDenied why={token.error.sentence} />;
  if (token.error?.code === 'factor_required') return <ToEnrolment />;
  return (
    <>
      <PageHeader title="Admin Dashboard" description="People, access, and anything that needs attention." />
      <Tabs label="Admin Dashboard" tabs={tabs} value={tab} onValueChange={openTab}>
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

/** /admin. The server checks every call again. */
export default function AdminPage() {
  const { user } = useUser();
  if (!user) return <Loading label="Loading…" skeletons={['h-8 w-56', 'mt-6 h-64']} />;
  return user.isAdmin ? <Dashboard /> : <AccessDenied />;
}
