import { Layers } from 'lucide-react';
import type { ReactNode } from 'react';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { isBillSoon } from '#shared/rules/billing/renewal.ts';
import { BillingSummary } from '#client/features/subscriptions/billing-summary.tsx';
import { RenewalReminders } from '#client/features/subscriptions/renewal-reminders.tsx';
import { SubscriptionRow } from '#client/features/subscriptions/subscription-row.tsx';
import { WinBackOffers } from '#client/features/subscriptions/win-back-offers.tsx';
import { listed } from '#client/lib/money/bill-words.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { useForecast } from '#client/lib/money/forecast.ts';
import { billDay } from '#client/lib/words/format.ts';
import { type Payer, useOwnedTeams } from '#client/lib/money/payer.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';

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
            <RenewalAlerts />
            <BillingSummary />
            <TeamSummaries />
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
                className="scroll-shadows-y -mr-2 max-h-[400px] divide-y overflow-y-auto rounded-sm pr-2"
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
