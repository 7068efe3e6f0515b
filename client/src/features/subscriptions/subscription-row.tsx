import { clsx } from 'clsx';
import { useRef, useState } from 'react';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { renewalBadge } from '#shared/rules/billing/renewal.ts';
import { statusLabel, subscriptionCan } from '#shared/rules/billing/subscriptions.ts';
import { contract } from '#shared/api/members.ts';
import { ManageSubscription } from '#client/features/subscriptions/manage-subscription.tsx';
import { dateLine } from '#client/features/subscriptions/subscription-dates.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { billDay } from '#client/lib/words/format.ts';
import { useNotAllowed } from '#client/lib/money/not-allowed.ts';
import { statusTone } from '#client/lib/words/status-tone.ts';
import { useToolLook } from '#client/lib/words/tool-look.ts';
import { Badge, type Part, Text } from '#client/ui/elements.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { Switch } from '#client/ui/checkbox.tsx';
import { payerArgs } from '#client/lib/money/payer.tsx';

const [StopRenewingDialog, prepareDialog] = lazyDialog(async () => ({
  default: (await import('#client/features/subscriptions/cancel-dialog.tsx')).StopRenewingDialog,
}));

/** What a month of it costs; where the running one cost another amount, both. */
const priceText = (sub: Subscription) => {
  const { status, monthlyCents, paidMonthCents, nextBillAt, canManage, quantity, freeUntil } = sub;
  // Members see their team's subscriptions without prices.
  if (!canManage || status === 'expired') return null;
  if (monthlyCents === 0 && paidMonthCents === null) return freeUntil ? null : 'Free';
  const seats = quantity > 1 ? ` for ${quantity} members` : '';
  const month = `${formatCents(monthlyCents)}/month${seats}`;
  if (paidMonthCents === null) return month;
  if (!nextBillAt) return `${formatCents(paidMonthCents)} this month`;
  return paidMonthCents === monthlyCents
    ? month
    : `${formatCents(paidMonthCents)} this month, ${month} from ${billDay(nextBillAt)}`;
};

/** How much a win-back offer or discount code takes off, until when, and what a month costs then. */
const WinBackTerms = ({ winBack, discounts, afterOfferCents }: Subscription) => {
  const holds = winBack !== null && discounts.some(({ kind }) => kind === 'win_back' || kind === 'code');
  return (
    holds && (
      <p className="figures mt-0.5 text-xs text-success">
        <Text>
          {winBack.code ? `Discount code ${winBack.code}` : 'Welcome back'}: {winBack.percent}% off
          {winBack.endsAt && ` until ${formatSydneyDate(winBack.endsAt)}`}
          {afterOfferCents !== null && `, then ${formatCents(afterOfferCents)}/month`}
        </Text>
      </p>
    )
  );
};

type RowProps = {
  subscription: Subscription;
  /** The page is its payer's, and need not name it. */
  ofPage?: boolean;
  /** Who uses it. */
  users?: Part;
};

/** A practice's tools stand in columns. */
const pageColumns = '@2xl:grid-cols-[13rem_minmax(0,1fr)_7.5rem_4.75rem]';
const pageFacts = '@4xl:grid @4xl:grid-cols-[14rem_minmax(0,1fr)]';

export const SubscriptionRow = ({ subscription, ofPage = false, users }: RowProps) => {
  const { toolId, tool, status, teamName, canManage, nextPrice } = subscription;
  const { icon } = useToolLook()(toolId);
  const now = businessNow();
  const date = dateLine(subscription, now);
  const price = date?.endsWith('/month') ? null : priceText(subscription);
  const badge = renewalBadge(subscription, now);
  const notAllowed = useNotAllowed(toolId);
  const teamDiscount = subscription.discounts.find(({ kind }) => kind === 'team');
  const { autoRenew, monthlyCents, cardOnFile } = subscription;
  const renews = autoRenew && monthlyCents > 0 && (status === 'active' || (status === 'trial' && cardOnFile));
  return (
    <li className="flex items-start gap-3 py-3 @2xl:items-center">
      <ToolIcon icon={icon} className="size-8! max-sm:mt-1.5" />
      <div
        className={clsx(
          'grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1',
          ofPage ? pageColumns : '@2xl:grid-cols-[12.5rem_minmax(0,1fr)_8rem_4.75rem]',
        )}
      >
        <div className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-2 gap-y-1 max-sm:min-h-11">
          <p className="min-w-0 font-medium">{tool.name}</p>
          <span className="flex flex-wrap gap-1">
            {badge && !(ofPage && date) && <Badge tone={badge.tone}>{badge.label}</Badge>}
            <Badge tone={statusTone[status]}>{statusLabel(subscription)}</Badge>
          </span>
        </div>
        <div className="min-w-0 @max-2xl:col-span-2">
          <div className={clsx('figures flex flex-wrap gap-x-2 text-xs text-muted', ofPage && pageFacts)}>
            {teamName && !ofPage && <p>{teamName}</p>}
            {price && (
              <div>
                <p className="text-text">{price}</p>
                {ofPage && teamDiscount && <p>Team discount {teamDiscount.percent}%</p>}
              </div>
            )}
            <div className="empty:hidden @4xl:col-start-2">
              {date && <p>{date}</p>}
              {users}
            </div>
          </div>
          {canManage && <WinBackTerms {...subscription} />}
          {subscription.freeUntil && (
            <p className="figures mt-0.5 text-xs text-success">Free until {formatSydneyDate(subscription.freeUntil)}</p>
          )}
          {nextPrice && (
            <p className="figures mt-0.5 text-xs">
              <Text>
                On {formatSydneyDate(nextPrice.from)} the price goes from {formatCents(nextPrice.beforeCents)} to{' '}
                {formatCents(nextPrice.unitCents)} a month{subscription.quantity > 1 && ' for each member'}.
                {nextPrice.unitCents > nextPrice.beforeCents && ' To leave, cancel before that day.'}
              </Text>
            </p>
          )}
          {notAllowed && subscription.hasAccess && (
            <p className="mt-0.5 text-xs">
              <Text>
                {notAllowed.teamName} doesn’t allow this tool.
                {canManage && renews && ' It renews, and is charged, until you cancel it.'}
                {canManage && status === 'grace_period' && ' Cancel it, and it comes off what is owed.'}
              </Text>
            </p>
          )}
        </div>
        {canManage && (
          <>
            <div className="flex whitespace-nowrap empty:hidden @max-2xl:col-span-2 @2xl:col-start-3">
              {subscriptionCan.autoRenew(subscription, now) && (!notAllowed || autoRenew) && (
                <AutoRenew subscription={subscription} />
              )}
            </div>
            <div className="col-start-2 row-start-1 flex w-max gap-2 justify-self-end empty:hidden @2xl:col-start-4">
              <ManageSubscription subscription={subscription} cancelLabel="Cancel" />
            </div>
          </>
        )}
      </div>
    </li>
  );
};

/** Stops or resumes the renewal. Stopping says first what it does; the switch moves before the server answers, and back if that fails. */
const AutoRenew = ({ subscription }: { subscription: Subscription }) => {
  const { toolId, tool, autoRenew, endDate } = subscription;
  const busy = useRef(false);
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [asking, setAsking] = useState(false);
  const until = endDate ? ` on ${formatSydneyDate(endDate)}` : '';
  const { mutate, isPending, fault, reset } = useApiMutation(contract.subscriptions.autoRenew, {
    onSuccess: (_reply, { body }) => {
      setAsking(false);
      toast({
        title: body.autoRenew ? 'Auto-renewal enabled' : 'Auto-renewal disabled',
        description: body.autoRenew ? `${tool.name} renews each month again.` : `${tool.name} ends${until}.`,
      });
    },
    failure: 'Failed to update auto-renewal settings.',
    onSettled: () => {
      busy.current = false;
      setWanted(null);
    },
  });
  const change = (on: boolean) => {
    // Not `wanted`: somebody who sees the toast may press again before its reset is drawn.
    if (busy.current) return;
    busy.current = true;
    setWanted(on);
    mutate({ params: { toolId }, body: { autoRenew: on, ...payerArgs(subscription) } });
  };
  return (
    <>
      <Switch
        label="Auto-renew"
        aria-label={`Auto-renew ${tool.name}`}
        checked={!asking && (wanted ?? autoRenew)}
        onPointerEnter={prepareDialog}
        onChange={(event) => {
          if (event.target.checked) return change(true);
          reset();
          setAsking(true);
        }}
      />
      <StopRenewingDialog
        subscription={subscription}
        open={asking}
        onClose={() => setAsking(false)}
        pending={isPending}
        error={fault}
        onConfirm={() => change(false)}
      />
    </>
  );
};
