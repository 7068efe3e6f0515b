import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import { renewalDate, renewsSoon } from '#shared/rules/renewal.ts';
import { businessNow } from '#client/lib/business-time.ts';
import { Alert } from '#client/ui/alert.tsx';

/** What is about to be charged: active subscriptions with 7 days or fewer to go (B §9). */
export const RenewalAlert = ({ subscriptions }: { subscriptions: readonly Subscription[] }) => {
  const now = businessNow();
  const soon = subscriptions.filter((sub) => sub.canManage && renewsSoon(sub, now));
  if (soon.length === 0) return null;
  return (
    <Alert
      tone="warning"
      title={soon.length === 1 ? 'A renewal is coming up' : `${soon.length} renewals are coming up`}
    >
      <ul className="figures mt-0.5 text-xs">
        {soon.map((sub) => {
          const at = renewalDate(sub, now);
          return (
            <li key={sub.id}>
              {sub.tool.name} renews on {at && formatSydneyDate(at)} for {formatCents(sub.monthlyCents)}
            </li>
          );
        })}
      </ul>
    </Alert>
  );
};
