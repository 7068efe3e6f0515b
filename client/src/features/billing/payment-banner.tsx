import { lazy, Suspense } from 'react';
import { contract } from '#shared/api/index.ts';
import { useApiQuery } from '#client/lib/query-client.ts';

const FailedPayment = lazy(() => import('#client/features/billing/failed-payment.tsx'));

type Props = { teamsOnly?: boolean; className?: string };

/** Renewals that failed and can still be paid, those of a team of one's own too (decisions §6); nothing when all is well. */
export const PaymentBanner = ({ teamsOnly = false, className }: Props) => {
  const { data } = useApiQuery(contract.subscriptions.list);
  const failed = (data ?? []).filter(
    ({ paymentProblem, canManage, status, teamId }) =>
      paymentProblem && canManage && status === 'grace_period' && (teamId !== null || !teamsOnly),
  );
  if (failed.length === 0) return null;
  return (
    <Suspense>
      <section aria-label="Failed payments" className={className}>
        <div className="grid gap-3">
          {failed.map((subscription) => (
            <FailedPayment key={subscription.id} subscription={subscription} />
          ))}
        </div>
      </section>
    </Suspense>
  );
};
