import { BellRing, Layers } from 'lucide-react';
import { useState } from 'react';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { isBillSoon } from '#shared/rules/billing/renewal.ts';
import type { ReminderSettings } from '#shared/api/reminders.ts';
import { hasNone, noneTitle } from '#client/features/subscriptions/no-subscriptions.ts';
import { BillingSummary } from '#client/features/subscriptions/billing-summary.tsx';
import { SubscriptionRow } from '#client/features/subscriptions/subscription-row.tsx';
import { WinBackOffers } from '#client/features/subscriptions/win-back-offers.tsx';
import { listed } from '#client/lib/money/bill-words.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { type Payer, useForecast, useOwnedTeams } from '#client/lib/money/payer.tsx';
import { billDay, sentenceCase } from '#client/lib/words/format.ts';
import { refetchChangedBy, useApiQuery } from '#client/lib/calls/use-api.ts';
import { Alert, Button, Panel, type Part } from '#client/ui/elements.tsx';
import { EmptyState, Loading, QueryView, Skeleton } from '#client/ui/query-view.tsx';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';

/** `toolsAction` is a link to the Tools tab, if this is not on that tab. */
type Props = { toolsAction?: Part };

export const SubscriptionsPanel = ({ toolsAction }: Props) => (
  <Panel title="Subscriptions" description="Your tools, renewal dates and prices" bodyClassName="pt-3">
    <Contents toolsAction={toolsAction} />
  </Panel>
);

/** `folded`: in one column, below a line that says the rest. */
export default function Contents({ toolsAction, folded = false }: Props & { folded?: boolean }) {
  const subscriptions = useApiQuery(contract.subscriptions.list);
  return (
    <QueryView
      query={subscriptions}
      failedTitle="Your subscriptions could not be loaded"
      loading={
        <Loading label="Loading your subscriptions" className="flex flex-col gap-3" skeletons={['h-10', 'h-10']} />
      }
    >
      {(data) => {
        const reminders = data.length > 0 && <RenewalReminders />;
        const summary = (
          <>
            <BillingSummary />
            <TeamSummaries />
          </>
        );
        const list = (
          <List subscriptions={data} emptyTitle={folded ? 'Nothing to renew' : noneTitle} action={toolsAction} />
        );
        return folded ? (
          <div className="flex flex-col gap-4">
            {reminders}
            <WinBackOffers />
            <RenewalAlerts />
            {summary}
            {list}
          </div>
        ) : (
          <div className="grid grid-cols-1 items-start gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="flex min-w-0 flex-col gap-4 lg:has-[+:empty]:col-span-2">
              <RenewalAlerts />
              {list}
            </div>
            <div className="flex min-w-0 flex-col gap-4 empty:hidden">
              {summary}
              {reminders}
            </div>
            <div className="empty:hidden lg:col-span-2">
              <WinBackOffers />
            </div>
          </div>
        );
      }}
    </QueryView>
  );
}

/** What has expired stands below what runs. */
const lastExpired = (one: Subscription, other: Subscription) =>
  Number(one.status === 'expired') - Number(other.status === 'expired');

type ListProps = { subscriptions: readonly Subscription[]; emptyTitle: string; action: Part };

const List = ({ subscriptions, emptyTitle, action }: ListProps) => (
  <>
    {hasNone(subscriptions) && (
      <EmptyState
        icon={<Layers />}
        title={emptyTitle}
        description="Visit the Tools tab and choose one."
        action={action}
      />
    )}
    {subscriptions.length > 0 && (
      // Focusable, so that the keyboard can scroll it.
      <ul
        tabIndex={0}
        aria-label="Subscriptions"
        className="@container scroll-shadows-y -mr-2 divide-y rounded-sm pr-2 sm:max-h-[400px] sm:overflow-y-auto"
      >
        {subscriptions.toSorted(lastExpired).map((subscription) => (
          <SubscriptionRow key={subscription.id} subscription={subscription} />
        ))}
      </ul>
    )}
  </>
);

/** What the teams that this person pays for cost. */
const TeamSummaries = () =>
  useOwnedTeams().map(({ id, name }) => <BillingSummary key={id} teamId={id} teamName={name} />);

const RenewalAlerts = () => (
  <>
    <RenewalAlert />
    {useOwnedTeams().map(({ id, name }) => (
      <RenewalAlert key={id} teamId={id} teamName={name} />
    ))}
  </>
);

/** What one payer will be charged within the week. */
const RenewalAlert = ({ teamId, teamName }: Payer & { teamName?: string }) => {
  const bill = useForecast({ teamId }).data?.bill;
  if (!bill || bill.totalCents === 0 || !isBillSoon(bill.at, businessNow())) return null;
  const tools = listed(bill.lines.map(({ toolName }) => toolName));
  return (
    <Alert
      tone="warning"
      title={`${formatCents(bill.totalCents)} is due on ${billDay(bill.at)}${teamName ? ` for ${teamName}` : ''}`}
    >
      {tools && <p className="text-xs">For another month of {tools}.</p>}
    </Alert>
  );
};

const [ReminderSettingsDialog, prepareDialog] = lazyDialog(
  () => import('#client/features/subscriptions/reminder-settings-dialog.tsx'),
);

/** "By email and in the app, 7, 3 and 1 day before a renewal". */
function remindersText({ emailReminders, inAppNotifications, reminderDays }: ReminderSettings): string {
  const channels = [emailReminders && 'by email', inAppNotifications && 'in the app'].filter(Boolean).join(' and ');
  if (!channels || reminderDays.length === 0) return 'Off. You still get receipts, and hear about higher bills.';
  const last = reminderDays.at(-1);
  const days = reminderDays.length === 1 ? last : `${reminderDays.slice(0, -1).join(', ')} and ${last}`;
  const text = `${channels}, ${days} ${last === 1 ? 'day' : 'days'} before a renewal`;
  return sentenceCase(text);
}

const RenewalReminders = () => {
  const { data, error, refetch } = useApiQuery(contract.reminders.settings);
  const [open, setOpen] = useState(false);
  return (
    <section aria-label="Renewal reminders" className="flex items-start gap-3 rounded border p-3">
      <BellRing aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <h3 className="text-sm font-medium">Renewal reminders</h3>
        <div className="text-xs text-muted">
          {data ? remindersText(data) : error ? 'They could not be loaded.' : <Skeleton className="mt-1 h-3 w-40" />}
        </div>
      </div>
      {error ? (
        <Button variant="secondary" size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          aria-label="Reminder settings"
          disabled={!data}
          onPointerEnter={prepareDialog}
          onClick={() => {
            // A mail's unsubscribe link may have changed them meanwhile.
            void refetchChangedBy(contract.reminders.unsubscribe);
            setOpen(true);
          }}
        >
          Settings
        </Button>
      )}
      {data && <ReminderSettingsDialog settings={data} open={open} onClose={() => setOpen(false)} />}
    </section>
  );
};
