import { Suspense } from 'react';
import { later } from '#client/lib/later.ts';
import { contract } from '#shared/api/members.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { useApiQuery } from '#client/lib/query.ts';

const FailedPayments = later(() => import('#client/features/billing/failed-payments.tsx'));

type Props = { teamsOnly?: boolean; className?: string };

/** Failed renewals that can still be paid, and free access that has ended: the adviser's own, and those of a team they own. */
export const PaymentBanner = ({ teamsOnly = false, className }: Props) => {
  const { data } = useApiQuery(contract.subscriptions.list);
  const failed = (data ?? []).filter(
    ({ paymentProblem, canManage, status, teamId }) =>
      paymentProblem && canManage && status === 'grace_period' && (teamId !== null || !teamsOnly),
  );
  if (failed.length === 0) return null;
  const kindOf = ({ teamId, paymentProblem }: Subscription) => `${teamId ?? ''} ${paymentProblem?.tried !== false}`;
  const kinds = [...new Set(failed.map(kindOf))];
  return (
    <Suspense>
      <section
        aria-label={
          failed.some(({ paymentProblem }) => paymentProblem?.tried) ? 'Failed payments' : 'Free access ended'
        }
        className={className}
      >
        <div className="grid gap-3">
          {kinds.map((kind) => (
            <FailedPayments key={kind} subscriptions={failed.filter((one) => kindOf(one) === kind)} />
          ))}
        </div>
      </section>
    </Suspense>
  );
};
