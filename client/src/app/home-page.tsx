import { Bell, ChartNoAxesColumn, CreditCard, LayoutGrid, UserRound } from 'lucide-react';
import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { businessZone } from '#shared/rules/dates.ts';
import { spentText } from '#shared/rules/record/analytics.ts';
import { laterPart } from '#client/lib/pages/load-later.ts';
import { FirstSteps, useFirstSteps } from '#client/app/first-steps.tsx';
import { HomeProfileCard } from '#client/app/home-profile-card.tsx';
import { PaymentBanner } from '#client/features/billing/payment-banner.tsx';
import { DuplicateSubscriptions } from '#client/features/subscriptions/duplicate-subscriptions.tsx';
import { ManageSubscription } from '#client/features/subscriptions/manage-subscription.tsx';
import { usePurchaseReturn } from '#client/features/subscriptions/purchase-outcome.ts';
import { FoldedSubscriptions } from '#client/features/subscriptions/folded-subscriptions.tsx';
import { TeamCardNotice } from '#client/features/subscriptions/team-card-notice.tsx';
import { LaunchDialogs } from '#client/features/tools/launch-dialogs.tsx';
import { UnstatedLine } from '#client/features/record/unstated-line.tsx';
import { ToolGrid } from '#client/features/tools/tool-grid.tsx';
import { useLaunch } from '#client/features/tools/use-launch.ts';
import { useForecast } from '#client/lib/money/payer.tsx';
import { useCardReturn } from '#client/lib/money/store-card.ts';
import { useApiQuery, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { useTabInAddress } from '#client/lib/pages/tab-in-address.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { Button, PageHeader } from '#client/ui/elements.tsx';
import { Loading } from '#client/ui/query-view.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';
import { homeIntro } from '#client/lib/pages/page-intros.ts';

// They load when they are first shown, not with the dashboard.
const AnalyticsPanel = laterPart(
  () => import('#client/features/analytics/analytics-panel.tsx'),
  <Loading
    label="Loading your analytics"
    className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4"
    skeletons={Array<string>(4).fill('h-28')}
  />,
);
const NotificationsPanel = laterPart(
  () => import('#client/features/notifications/notifications-panel.tsx'),
  <Loading label="Loading your notifications" skeletons={['h-80']} />,
);

const BillingTab = laterPart(
  () => import('#client/app/billing-tab.tsx'),
  <Loading label="Loading your billing details" className="grid gap-6" skeletons={['h-40', 'h-40', 'h-60']} />,
);

const tabs = [
  { value: 'tools', label: 'My Tools', icon: <LayoutGrid aria-hidden /> },
  { value: 'analytics', label: 'Analytics', icon: <ChartNoAxesColumn aria-hidden /> },
  { value: 'notifications', label: 'Notifications', icon: <Bell aria-hidden /> },
  { value: 'billing', label: 'Billing', icon: <CreditCard aria-hidden /> },
  { value: 'profile', label: 'Profile', icon: <UserRound aria-hidden /> },
] as const;
/** Buttons of the subscriptions feature, shown on the tools feature's cards. */
const manage = (subscription: Subscription) => (
  <ManageSubscription subscription={subscription} cancelLabel="Cancel Subscription" />
);

export default function HomePage() {
  const user = useSignedInUser();
  const [tab, openTab] = useTabInAddress(tabs);
  const [drawn, setDrawn] = useState(false);
  const tools = useApiQuery(contract.tools.list);
  const loads = [
    tools,
    useApiQuery(contract.subscriptions.list),
    useApiQuery(contract.tools.myUsage),
    // These decide what stands above the tools, which must not move under a press.
    useApiQuery(contract.analytics.dashboard),
    useApiQuery(contract.reminders.settings),
    useFreshQuery(contract.record.unstated),
    useApiQuery(contract.subscriptions.tiers),
    useForecast({}),
  ];
  useTitle(tab === 'tools' ? 'Dashboard' : tabs.find(({ value }) => value === tab)?.label);
  usePurchaseReturn(tools.data);
  useCardReturn();

  const header = <PageHeader {...homeIntro(user)} />;
  // Only on the first load; whatever fails says so in its own place, and is tried again there.
  const ready = drawn || !loads.some(({ isPending }) => isPending);
  if (ready && !drawn) setDrawn(true);
  if (!ready)
    return (
      <>
        {header}
        <Loading
          label="Loading your dashboard"
          className="grid gap-4 sm:grid-cols-3"
          skeletons={['h-10 sm:col-span-3', 'h-16 sm:col-span-3', ...Array<string>(6).fill('h-36')]}
        />
      </>
    );

  const toMyTools = (
    <Button variant="secondary" onClick={() => openTab('tools')}>
      Go to My Tools
    </Button>
  );

  return (
    <>
      {header}
      <PaymentBanner className="mb-6" />
      <TeamCardNotice className="mb-6" />
      <DuplicateSubscriptions className="mb-6" />
      <Tabs label="Dashboard" tabs={tabs} value={tab} onValueChange={openTab}>
        <TabPanel value="tools" className="flex flex-col gap-4 sm:gap-5">
          <MyTools />
        </TabPanel>
        <TabPanel value="analytics">
          <AnalyticsPanel />
        </TabPanel>
        <TabPanel value="notifications">
          <NotificationsPanel />
        </TabPanel>
        <TabPanel value="billing">
          <BillingTab toolsAction={toMyTools} />
        </TabPanel>
        <TabPanel value="profile" className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
          <HomeProfileCard full />
          <FoldedSubscriptions toolsAction={toMyTools} />
        </TabPanel>
      </Tabs>
    </>
  );
}

/** The launcher: tools first, what they cost and whose they are folded below. */
const MyTools = () => {
  const launching = useLaunch();
  const steps = useFirstSteps(launching);
  return (
    <>
      {steps ? <FirstSteps steps={steps} /> : <HomeTiles />}
      <UnstatedLine />
      <ToolGrid launching={launching} manage={manage} />
      {steps && <HomeTiles />}
      <div className="grid grid-cols-1 items-start gap-3 sm:gap-4 lg:grid-cols-2">
        <HomeProfileCard />
        <FoldedSubscriptions />
      </div>
      <LaunchDialogs launching={launching} />
    </>
  );
};

const unknown = '–';
/** A non-breaking space keeps the tile's height while it loads. */
const remark = ({ isPending }: { isPending: boolean }) => (isPending ? '\u00a0' : 'Could not be loaded');

const monthName = new Intl.DateTimeFormat('en-AU', { month: 'long', timeZone: businessZone });

const HomeTiles = () => {
  const subscriptions = useApiQuery(contract.subscriptions.list);
  const analytics = useApiQuery(contract.analytics.dashboard);

  const active = subscriptions.data && new Set(subscriptions.data.filter((sub) => sub.hasAccess).map((s) => s.toolId));
  const month = analytics.data?.thisMonth;
  const tiles = [
    [
      'Active Tools',
      active ? active.size : unknown,
      active ? (active.size > 0 ? 'Ready to open' : 'None yet') : remark(subscriptions),
      null,
    ],
    [
      'This Month',
      month ? month.sessions : unknown,
      month ? (month.sessions === 1 ? 'Session' : 'Sessions') : remark(analytics),
      ` in ${monthName.format(businessNow())}`,
    ],
    [
      'Time Saved',
      month ? spentText(month.minutesSaved * 60) : unknown,
      month ? 'An estimate' : remark(analytics),
      ", from this month's sessions",
    ],
  ] as const;
  return (
    <dl className="grid grid-cols-3 divide-x rounded border bg-surface shadow-faint">
      {tiles.map(([label, value, note, more]) => (
        <div key={label} className="min-w-0 px-3 py-2.5 sm:px-4">
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-2">
            <span className="figures text-lg font-semibold tracking-tight whitespace-nowrap max-sm:text-base">
              {value}
            </span>
            <span className="text-xs text-muted">
              {note}
              {more && value !== unknown && <span className="max-lg:sr-only">{more}</span>}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
};
