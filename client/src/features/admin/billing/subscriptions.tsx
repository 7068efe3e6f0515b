import { useState } from 'react';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { SubscriptionDialog } from '#client/features/admin/billing/subscription-dialog.tsx';
import { formatDay, sentenceCase } from '#client/lib/words/format.ts';
import { statusTone } from '#client/lib/words/status-tone.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';

const acted: readonly string[] = ['trial', 'active', 'grace_period'];

/** As the user sees them, with the status the clock gives them now, each with what may be done about it. */
export const Subscriptions = ({ subscriptions }: { subscriptions: Subscription[] }) => {
  const [chosen, setChosen] = useState<Subscription>();
  return (
    <Panel title="Subscriptions" description="By the clock, as the user sees them">
      {subscriptions.length === 0 ? (
        <p className="text-sm text-muted">None, and none before.</p>
      ) : (
        <ul className="divide-y text-sm">
          {subscriptions.map((sub) => (
            <li key={sub.id} className="py-3 first:pt-0 last:pb-0">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {sub.tool.name}
                <Badge tone={statusTone[sub.status]}>{sentenceCase(sub.status.replaceAll('_', ' '))}</Badge>
                {!sub.hasAccess && <Badge tone="danger">No access</Badge>}
                {acted.includes(sub.status) && sub.toolId !== lostMoneyTool && (
                  <Button
                    variant="ghost"
                    size="sm"
                    className="-my-1 -mr-3 ml-auto"
                    aria-label={`Manage ${sub.tool.name}`}
                    onClick={() => setChosen(sub)}
                  >
                    Manage…
                  </Button>
                )}
              </p>
              <p className="figures mt-1 text-muted">
                {formatCents(sub.monthlyCents)} a month
                {sub.teamName && `, paid by ${sub.teamName}`}
                {sub.discounts.map(({ label }) => ` · ${label}`).join('')}
                {!sub.autoRenew && ' · auto-renew off'}
              </p>
              <p className="figures text-muted">
                Since {formatDay(sub.createdAt)}
                {sub.trialEndDate && sub.status === 'trial' && ` · trial ends ${formatDay(sub.trialEndDate)}`}
                {sub.gracePeriodEnd &&
                  sub.status === 'grace_period' &&
                  ` · access until ${formatDay(sub.gracePeriodEnd)}`}
                {sub.endDate &&
                  sub.status !== 'grace_period' &&
                  sub.status !== 'trial' &&
                  ` · paid until ${formatDay(sub.endDate)}`}
              </p>
              {sub.paymentProblem && (
                <p className={`mt-1 ${sub.paymentProblem.tried ? 'text-danger' : 'text-warning'}`}>
                  {sub.paymentProblem.tried
                    ? `The bill of ${formatCents(sub.paymentProblem.amountCents)} is not paid. They read: “${sub.paymentProblem.reason}”`
                    : 'Free access has ended, and nothing was charged.'}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {chosen && <SubscriptionDialog subscription={chosen} onClose={() => setChosen(undefined)} />}
    </Panel>
  );
};
