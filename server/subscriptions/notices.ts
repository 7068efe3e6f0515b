import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import { comebackPercent } from '#shared/rules/win-back.ts';
import type { Notice } from '#server/notifications/service.ts';
import type { SubscriptionRow } from './queries.ts';

/** What has just been charged for the subscription, in cents, where something was. */
export type Paid = { invoiceId: string; cents: number; renewal: boolean };

export type Told = Omit<Notice, 'userId' | 'type'>;

/** What happened to a subscription, from its status before to the row after. */
export type Change = {
  was: SubscriptionRow['status'] | 'none';
  row: SubscriptionRow;
  /** The tool, with the team's name where it is a team's. */
  what: string;
  cardOnFile: boolean;
  paid: Paid | null;
};

const on = (date: Date | null) => (date ? formatSydneyDate(date) : '');
const dashboard = { actionUrl: '/dashboard', actionLabel: 'Open my subscriptions' };
const billing = { actionUrl: '/dashboard?tab=billing', actionLabel: 'Open billing' };

/** In every mail about a trial or a renewal: what it costs, when it is charged next, and how to stop it (Australian consumer law). */
const terms = ({ row, what }: Change): string[] =>
  row.monthlyCents === 0 || !row.endDate || !row.autoRenew
    ? []
    : [
        `${what} costs ${formatCents(row.monthlyCents)} a month, GST included. The next charge is on ${on(row.endDate)}.`,
        'To stop it, open Subscriptions on your dashboard and choose Cancel before that day; it takes two clicks.',
      ];

type Text = {
  key: string;
  title: string;
  message: string;
  place?: typeof dashboard;
  mail?: { kind: string; subject: string; paragraphs?: string[]; optional?: true };
};

function told(rowId: string, { key, title, message, place = dashboard, mail }: Text): Told {
  const { actionUrl, actionLabel } = place;
  return {
    title,
    message,
    actionUrl,
    dedupeKey: `subscription:${rowId}:${key}`,
    ...(mail && {
      mail: {
        kind: mail.kind,
        subject: mail.subject,
        paragraphs: [message, ...(mail.paragraphs ?? [])],
        actionLabel,
        always: mail.optional !== true,
      },
    }),
  };
}

function trialStarted(change: Change): Text {
  const { row, what, cardOnFile } = change;
  const price = formatCents(row.monthlyCents);
  const then = cardOnFile
    ? `It then continues for ${price} a month, GST included, charged to your card on ${on(row.trialEndDate)}.`
    : `Add a card before then to keep it for ${price} a month, GST included; without one it simply ends and nothing is charged.`;
  return {
    key: 'trial-started',
    title: 'Free trial started',
    message: `Your free trial of ${what} runs until ${on(row.trialEndDate)}.`,
    mail: {
      kind: 'trial-started',
      subject: `Your free trial of ${what} has started`,
      paragraphs: [
        `Nothing is charged today. ${then}`,
        'To stop it, open Subscriptions on your dashboard and choose Cancel; it takes two clicks.',
      ],
    },
  };
}

function becameActive(change: Change): Text {
  const { was, row, what, paid } = change;
  const receipt = paid ? [`We have received ${formatCents(paid.cents)}. The tax invoice is on your Billing tab.`] : [];
  const paragraphs = [...receipt, ...terms(change)];
  switch (was) {
    case 'grace_period':
      return {
        key: `payment-recovered:${paid?.invoiceId ?? on(row.endDate)}`,
        title: 'Payment received',
        message: `The payment for ${what} came through. Your subscription continues.`,
        place: billing,
        mail: { kind: 'payment-recovered', subject: `Payment received for ${what}`, paragraphs },
      };
    case 'cancelled':
      return {
        key: `reactivated:${row.version}`,
        title: 'Subscription reactivated',
        message: `Your subscription to ${what} continues.`,
        mail: { kind: 'reactivated', subject: `Your subscription to ${what} continues`, paragraphs },
      };
    default:
      return {
        key: was === 'none' || was === 'incomplete' ? 'started' : `active:${on(row.endDate)}`,
        title: 'Subscription started',
        message: `Your subscription to ${what} is active.`,
        mail: {
          kind: paid ? 'receipt' : 'subscription-started',
          subject: paid ? `Receipt for ${what}` : `Your subscription to ${what} is active`,
          paragraphs,
        },
      };
  }
}

function paymentFailed({ row, what }: Change): Text {
  const until = on(row.gracePeriodEnd);
  const { amountCents, reason, invoiceId } = row.paymentProblem ?? { amountCents: 0, reason: '', invoiceId: null };
  if (invoiceId === '')
    return {
      key: `free-access-ended:${row.gracePeriodEnd?.toISOString() ?? ''}`,
      title: 'Free access ended',
      message: `Your free access to ${what} has ended. Reactivate it for ${formatCents(amountCents)} a month by ${until} to keep it.`,
      mail: { kind: 'free-access-ended', subject: `Your free access to ${what} has ended` },
    };
  const owed = amountCents > 0 ? ` of ${formatCents(amountCents)}` : '';
  return {
    key: `payment-failed:${row.gracePeriodEnd?.toISOString() ?? ''}`,
    title: 'Payment failed',
    message: `The payment${owed} for ${what} failed. You keep access until ${until}.`,
    place: billing,
    mail: {
      kind: 'payment-failed',
      subject: `The payment for ${what} failed`,
      paragraphs: [
        ...(reason ? [reason] : []),
        `Pay now or give another card on your Billing tab by ${until}; otherwise the subscription ends, and nothing more is charged.`,
      ],
    },
  };
}

function cancelled({ row, what }: Change, now: Date): Text {
  const over = row.endDate !== null && row.endDate <= now;
  const access = over ? 'Access has ended.' : `You keep access until ${on(row.endDate)}.`;
  return {
    key: `cancelled:${row.cancelledAt?.toISOString() ?? ''}`,
    title: 'Subscription cancelled',
    message: `Your subscription to ${what} is cancelled. ${access}`,
    mail: {
      kind: 'cancelled',
      subject: `Your subscription to ${what} is cancelled`,
      paragraphs: [
        'You will not be charged for it again.',
        `If you change your mind, reactivate it on your dashboard by ${on(row.gracePeriodEnd)}.`,
      ],
    },
  };
}

const expired = ({ row, what }: Change): Text => ({
  key: 'expired',
  title: 'Subscription ended',
  message: `Your subscription to ${what} has ended. You can subscribe again at any time.`,
  // There are offers only for what costs something, and they are on the dashboard.
  place:
    row.monthlyCents > 0
      ? { actionUrl: '/dashboard', actionLabel: 'See the offers' }
      : { actionUrl: `/subscribe/${row.toolId}`, actionLabel: 'Subscribe again' },
  ...(row.monthlyCents > 0 && {
    mail: {
      kind: 'win-back',
      subject: `${what}: come back for less`,
      paragraphs: [
        'Your dashboard has three offers for coming back.',
        `During the first seven days the comeback special takes ${comebackPercent(0)}% off for three months.`,
      ],
      optional: true as const,
    },
  }),
});

const renewed = (change: Change, paid: Paid): Text => ({
  key: `renewed:${paid.invoiceId}`,
  title: 'Subscription renewed',
  message: `${change.what} was renewed for ${formatCents(paid.cents)}.`,
  place: billing,
  mail: {
    kind: 'receipt',
    subject: `Receipt for ${change.what}`,
    paragraphs: ['The tax invoice is on your Billing tab.', ...terms(change)],
  },
});

/** What its payer is told, if anything; prices, dates and the way out are in the mail. */
export function noticeOf(change: Change, now: Date): Told | null {
  const { was, row, paid } = change;
  if (was === row.status) return row.status === 'active' && paid?.renewal ? told(row.id, renewed(change, paid)) : null;
  switch (row.status) {
    case 'trial':
      return was === 'cancelled' ? told(row.id, becameActive(change)) : told(row.id, trialStarted(change));
    case 'active':
      return told(row.id, becameActive(change));
    case 'grace_period':
      return told(row.id, paymentFailed(change));
    case 'cancelled':
      return told(row.id, cancelled(change, now));
    case 'expired':
      return told(row.id, expired(change));
    case 'incomplete':
      return null;
  }
}
