import { Layers } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { contract } from '#shared/api/index.ts';
import { BillingSummary } from '#client/features/subscriptions/billing-summary.tsx';
import { RenewalAlert } from '#client/features/subscriptions/renewal-alert.tsx';
import { RenewalReminders } from '#client/features/subscriptions/renewal-reminders.tsx';
import { SubscriptionRow } from '#client/features/subscriptions/subscription-row.tsx';
import { WinBackOffers } from '#client/features/subscriptions/win-back-offers.tsx';
import { useApiQuery } from '#client/lib/query-client.ts';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

/** `toolsAction` leads to the Tools tab, where subscriptions begin; nothing on that tab itself. */
type Props = { toolsAction: ReactNode };

/** Reminders, offers to come back, the summary, and every subscription, expired ones included (B §2). */
export const SubscriptionsPanel = ({ toolsAction }: Props) => {
  const { data, error, refetch } = useApiQuery(contract.subscriptions.list);
  const headingId = useId();
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader id={headingId} title="Subscriptions" description="What you have, until when, and at what price" />
      <CardBody className="pt-3">
        {data ? (
          <div className="flex flex-col gap-4">
            {data.length > 0 && <RenewalReminders />}
            <WinBackOffers />
            <RenewalAlert subscriptions={data} />
            <BillingSummary subscriptions={data} />
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
                aria-labelledby={headingId}
                className="-mr-2 max-h-[400px] divide-y overflow-y-auto rounded-sm pr-2"
              >
                {data.map((subscription) => (
                  <SubscriptionRow key={subscription.id} subscription={subscription} />
                ))}
              </ul>
            )}
          </div>
        ) : error ? (
          <ErrorState
            title="Your subscriptions could not be loaded"
            message={error.sentence}
            requestId={error.requestId}
            onRetry={refetch}
          />
        ) : (
          <Loading label="Loading your subscriptions" className="flex flex-col gap-3">
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </Loading>
        )}
      </CardBody>
    </Card>
  );
};
