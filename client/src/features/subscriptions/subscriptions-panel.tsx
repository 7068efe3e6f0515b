import { Layers } from 'lucide-react';
import type { ReactNode } from 'react';
import { contract } from '#shared/api/members.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/money.ts';
import { renewsSoon } from '#shared/rules/renewal.ts';
import { formatDay } from '#client/lib/format.ts';
import { BillingSummary } from '#client/features/subscriptions/billing-summary.tsx';
import { RenewalReminders } from '#client/features/subscriptions/renewal-reminders.tsx';
import { SubscriptionRow } from '#client/features/subscriptions/subscription-row.tsx';
import { WinBackOffers } from '#client/features/subscriptions/win-back-offers.tsx';
import { businessNow } from '#client/lib/business-time.ts';
import { type Payer, payerArgs, useOwnedTeams } from '#client/lib/payer.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

/** `toolsAction` is a link to the Tools tab, if this is not on that tab. */
type Props = { toolsAction: ReactNode };

export const SubscriptionsPanel = ({ toolsAction }: Props) => {
  const subscriptions = useApiQuery(contract.subscriptions.list);
  return (
    <Panel title="Subscriptions" description="Your tools, renewal dates and prices" bodyClassName="pt-3">
      <QueryView
        query={subscriptions}
        failedTitle="Your subscriptions could not be loaded"
        loading={
          <Loading label="Loading your subscriptions" className="flex flex-col gap-3" skeletons={['h-10', 'h-10']} />
        }
      >
        {(data) => (
          <div className="flex flex-col gap-4">
            {data.length > 0 && <RenewalReminders />}
            <WinBackOffers />
            <RenewalAlerts subscriptions={data} />
            <BillingSummary subscriptions={data} />
            <TeamSummaries subscriptions={data} />
            {data.every(({ status }) => status === 'expired') && (
              <EmptyState
                icon={<Layers />}
                title="No Active Subscriptions"
                description="Visit the Tools tab and choose one."
                action={toolsAction}
              />
            )}
            {data.length > 0 && (
              // Focusable, so that the keyboard can scroll it.
              <ul
                tabIndex={0}
                aria-label="Subscriptions"
                className="-mr-2 max-h-[400px] divide-y overflow-y-auto rounded-sm pr-2"
              >
                {data.map((subscription) => (
                  <SubscriptionRow key={subscription.id} subscription={subscription} />
                ))}
              </ul>
            )}
          </div>
        )}
      </QueryView>
    </Panel>
  );
};

/** What the teams that this person pays for cost. */
const TeamSummaries = ({ subscriptions }: { subscriptions: readonly Subscription[] }) =>
  useOwnedTeams().map(({ id, name }) => (
    <BillingSummary key={id} subscriptions={subscriptions} teamId={id} teamName={name} />
  ));

const RenewalAlerts = ({ subscriptions }: { subscriptions: readonly Subscription[] }) => {
  const now = businessNow();
  const soon = subscriptions.filter((sub) => sub.canManage && renewsSoon(sub, now));
  return [...new Set(soon.map(({ teamId }) => teamId))].map((teamId) => (
    <RenewalAlert key={teamId} teamId={teamId} subscriptions={soon.filter((sub) => sub.teamId === teamId)} />
  ));
};

/** What one payer will be charged within the week. */
const RenewalAlert = ({ teamId, subscriptions }: Payer & { subscriptions: readonly Subscription[] }) => {
  const { data } = useApiQuery(contract.billing.forecast, { query: payerArgs({ teamId }) });
  const renewals = data?.charges.filter(({ subscriptionId }) => subscriptions.some(({ id }) => id === subscriptionId));
  if (!renewals || renewals.length === 0) return null;
  const whose = subscriptions[0]?.teamName ? ` for ${subscriptions[0].teamName}` : '';
  return (
    <Alert
      tone="warning"
      title={
        renewals.length === 1 ? `A renewal${whose} is coming up` : `${renewals.length} renewals${whose} are coming up`
      }
    >
      <ul className="figures mt-0.5 text-xs">
        {renewals.map(({ subscriptionId, toolName, at, totalCents }) => (
          <li key={`${subscriptionId} ${at.toISOString()}`}>
            {toolName} renews on {formatDay(at)} for {formatCents(totalCents)}
          </li>
        ))}
      </ul>
    </Alert>
  );
};
