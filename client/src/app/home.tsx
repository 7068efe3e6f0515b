import { Bell, ChartNoAxesColumn, CircleHelp, CreditCard, LayoutGrid, UserRound } from 'lucide-react';
import { useLocation, useSearchParams } from 'wouter';
import { contract } from '#shared/api/index.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { AnalyticsTab, NotificationsTab } from '#client/app/home-lazy-tabs.tsx';
import { HomeProfileCard } from '#client/app/home-profile-card.tsx';
import { HomeTiles } from '#client/app/home-tiles.tsx';
import { BillingPanel } from '#client/features/billing/billing-panel.tsx';
import { PaymentBanner } from '#client/features/billing/payment-banner.tsx';
import { DoubleSubscriptions } from '#client/features/subscriptions/double-subscriptions.tsx';
import { ManageSubscription } from '#client/features/subscriptions/manage-subscription.tsx';
import { useProviderReturn } from '#client/features/subscriptions/provider-return.ts';
import { SubscriptionsPanel } from '#client/features/subscriptions/subscriptions-panel.tsx';
import { TeamCardNotice } from '#client/features/subscriptions/team-card-notice.tsx';
import { ToolGrid } from '#client/features/tools/tool-grid.tsx';
import { paths } from '#client/lib/paths.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { useSignedInUser } from '#client/lib/session.ts';
import { useTitle } from '#client/lib/title.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Button } from '#client/ui/button.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { PageSpinner } from '#client/ui/page-spinner.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';

const tabs = [
  { value: 'tools', label: 'My Tools', icon: <LayoutGrid aria-hidden /> },
  { value: 'analytics', label: 'Analytics', icon: <ChartNoAxesColumn aria-hidden /> },
  { value: 'notifications', label: 'Notifications', icon: <Bell aria-hidden /> },
  { value: 'billing', label: 'Billing', icon: <CreditCard aria-hidden /> },
  { value: 'profile', label: 'Profile', icon: <UserRound aria-hidden /> },
] as const;
type TabName = (typeof tabs)[number]['value'];
const [firstTab] = tabs;

/** The tab lives in the address, so that Back, a reload and a shared link show the same; the first one needs no mention. */
const useTab = () => {
  const [search] = useSearchParams();
  const [path, navigate] = useLocation();
  const tab = tabs.find(({ value }) => value === search.get('tab'))?.value ?? firstTab.value;
  const setTab = (next: TabName) => {
    const to = next === firstTab.value ? path : `${path}?tab=${next}`;
    // A press may tell of the same tab twice, before this is rendered again: one entry of the history.
    if (to !== window.location.pathname + window.location.search) navigate(to);
  };
  return [tab, setTab] as const;
};

/** The grid's cards carry the buttons of another feature. */
const manage = (subscription: Subscription) => (
  <ManageSubscription subscription={subscription} cancelLabel="Cancel Subscription" className="w-full" />
);

/** The home dashboard (B §2): who, how it stands, and five tabs. */
export default function HomePage() {
  const { firstName } = useSignedInUser();
  const [tab, setTab] = useTab();
  const tools = useApiQuery(contract.tools.list);
  const loads = [
    tools,
    useApiQuery(contract.subscriptions.list),
    useApiQuery(contract.tools.myUsage),
    useApiQuery(contract.subscriptions.tiers),
  ];
  useTitle('Dashboard');
  useProviderReturn(tools.data);

  // Only before anything was there; what fails is told, and tried again, in its own place.
  if (loads.some(({ isFetched }) => !isFetched)) return <PageSpinner label="Loading your dashboard" />;

  const panel = (
    <SubscriptionsPanel
      toolsAction={
        tab !== 'tools' && (
          <Button variant="secondary" onClick={() => setTab('tools')}>
            Go to My Tools
          </Button>
        )
      }
    />
  );
  return (
    <>
      <PageHeader
        title={`Welcome back, ${firstName.trim() || 'Professional'}`}
        description="Your tools, what they save you, and what they cost."
      />
      <PaymentBanner className="mb-6" />
      <HomeTiles />
      <TeamCardNotice className="mt-6" />
      <DoubleSubscriptions className="mt-6" />
      <Tabs label="Dashboard" tabs={tabs} value={tab} onValueChange={setTab} className="mt-8 max-sm:pb-16">
        <TabPanel value="tools" className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <ToolGrid manage={manage} />
          <div className="grid grid-cols-1 gap-6">
            <HomeProfileCard />
            {panel}
          </div>
        </TabPanel>
        <TabPanel value="analytics">
          <AnalyticsTab />
        </TabPanel>
        <TabPanel value="notifications">
          <NotificationsTab />
        </TabPanel>
        <TabPanel value="billing" className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
          {panel}
          <BillingPanel />
        </TabPanel>
        <TabPanel value="profile" className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
          <HomeProfileCard />
          {panel}
        </TabPanel>
      </Tabs>
      <ButtonLink
        href={paths.help}
        variant="primary"
        aria-label="Help"
        title="Help"
        className="screen-only fixed right-4 bottom-4 z-10 size-12! rounded-full! p-0! shadow-popover sm:right-6 sm:bottom-6 [&_svg]:size-5!"
      >
        <CircleHelp aria-hidden />
      </ButtonLink>
    </>
  );
}
