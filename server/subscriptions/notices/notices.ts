import type { ForecastCharge } from '#shared/rules/forecast.ts';
import { monthsText } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import type { MoneyMail } from '#server/notifications/service.ts';
import { cancelled, expired } from './ends.ts';
import {
  askFirst,
  endingSentence,
  type NoticeText,
  type Payment,
  productOf,
  refused,
  signed,
  type StatusChange,
  type SubscriptionNotice,
  termsOf,
} from './sentences.ts';

function toNotice({ row, words }: StatusChange, { key, title, message, link, mail }: NoticeText): SubscriptionNotice {
  const { actionUrl, actionLabel } = link ?? words.tools;
  return {
    title,
    message,
    actionUrl,
    dedupeKey: `subscription:${row.id}:${key}`,
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

const chargeOf = ({ forecast, row }: StatusChange): ForecastCharge | undefined =>
  forecast.charges.find(({ subscriptionId }) => subscriptionId === row.id);

const terms = (change: StatusChange) => termsOf(chargeOf(change), change.words, change.refusals(change.row.toolId));

/** What was charged to which card, why it is not the month's price, and where the invoice is. */
function receiptOf({ row, words }: StatusChange, { cents, lines }: Payment): string[] {
  const net = lines.map(({ description, cents: gross, discounts = [] }) => ({
    description,
    cents: discounts.reduce((left, discount) => left - discount.cents, gross),
  }));
  const credit = cents - net.reduce((sum, line) => sum + line.cents, 0);
  if (credit !== 0) net.push({ description: 'Credit from earlier invoices', cents: credit });
  const why = row.teamId === null ? '' : 'It differs from the monthly price because members joined or left. ';
  return [
    `We have received ${formatCents(cents)}${words.whose}${words.card ? `, charged to ${words.card}` : ''}. The tax invoice is on ${words.billingTab}.`,
    ...(net.length > 1
      ? [
          `${why}The invoice has these lines:\n${net.map((line) => `${line.description}: ${signed(line.cents)}`).join('\n')}`,
        ]
      : []),
  ];
}

/** How long the price of an offer or discount code holds, at its first payment. */
function offerOf(change: StatusChange, paid: Payment): string[] {
  const { winBack } = change.row;
  const charge = chargeOf(change);
  const then = winBack?.months === 1 ? charge : charge?.after;
  if (!winBack || !then) return [];
  const name = winBack.code ? `discount code ${winBack.code}` : 'welcome back offer';
  return [
    `Your ${name}: ${formatCents(paid.cents)} a month for ${monthsText(winBack.months)}, then ${formatCents(then.totalCents)} a month.`,
  ];
}

function trialStarted(change: StatusChange): NoticeText {
  const { row, words, forecast } = change;
  const charge = chargeOf(change);
  const ending = forecast.endings.find(({ subscriptionId }) => subscriptionId === row.id);
  const then = charge
    ? [`It then continues automatically.`, ...terms(change)]
    : [
        `Add a card before then to keep it for ${formatCents(ending?.monthlyCents ?? row.monthlyCents)} a month, GST included; without one it simply ends and nothing is charged.`,
        `To stop it, open ${words.toolsTab} and choose Cancel; it takes two clicks.`,
      ];
  return {
    key: 'trial-started',
    title: 'Free trial started',
    message: `Your free trial of ${productOf(change)} runs until ${words.on(row.trialEndDate)}.`,
    mail: {
      kind: 'trial-started',
      subject: `Your free trial of ${productOf(change)} has started`,
      paragraphs: ['Nothing is charged today.', ...then],
    },
  };
}

function becameActive(change: StatusChange): NoticeText | null {
  const { before, row, words, paid } = change;
  const product = productOf(change);
  const paragraphs = [...(paid ? receiptOf(change, paid) : []), ...terms(change)];
  const mailOf = (kind: MoneyMail, subject: string) => ({ kind, subject, paragraphs });
  switch (before?.status) {
    case 'grace_period':
      // Free access came back.
      if (!paid && row.monthlyCents === 0)
        return {
          key: `free-again:${row.version}`,
          title: 'Nothing to pay',
          message: `${product} is now free for you, and continues.`,
        };
      if (!paid && change.forgiven)
        return {
          key: `forgiven:${row.version}`,
          title: 'Nothing is owed any more',
          message: `What was owed for ${product} will not be charged. Your subscription continues.`,
          link: words.billing,
        };
      return {
        key: `payment-recovered:${paid?.invoiceId ?? row.version}`,
        title: 'Payment received',
        message: `The payment for ${product} came through. Your subscription continues.`,
        link: words.billing,
        mail: mailOf('payment-recovered', `Payment received for ${product}`),
      };
    case 'cancelled':
      return {
        key: `reactivated:${row.version}`,
        title: 'Subscription reactivated',
        message: `Your subscription to ${product} continues.`,
        mail: mailOf('reactivated', `Your subscription to ${product} continues`),
      };
    case 'trial':
      // Its first charge is tried within the hour, and that notice says the rest.
      if (!paid && row.monthlyCents > 0) return null;
      return paid
        ? renewed(change, paid)
        : {
            key: 'started',
            title: 'Subscription started',
            message: `Your free trial of ${product} has ended. It continues, and costs you nothing.`,
          };
    default:
      return {
        key: 'started',
        title: 'Subscription started',
        message: `Your subscription to ${product} is active.`,
        mail: paid
          ? {
              kind: 'receipt',
              subject: `Receipt for ${product}`,
              paragraphs: [...receiptOf(change, paid), ...offerOf(change, paid), ...terms(change)],
            }
          : mailOf('subscription-started', `Your subscription to ${product} is active`),
      };
  }
}

function renewed(change: StatusChange, paid: Payment): NoticeText {
  const { words } = change;
  const product = productOf(change);
  return {
    key: `renewed:${paid.invoiceId}`,
    title: paid.afterTrial ? 'Subscription started' : 'Subscription renewed',
    message: paid.afterTrial
      ? `Your free trial of ${product} has ended, and your subscription has started for ${formatCents(paid.cents)}.`
      : `${product} was renewed for ${formatCents(paid.cents)}.`,
    link: words.billing,
    mail: {
      kind: 'receipt',
      subject: `Receipt for ${product}`,
      paragraphs: [...receiptOf(change, paid), ...terms(change)],
    },
  };
}

function autoRenewChanged(change: StatusChange): NoticeText {
  const { row, toolName, words, forecast, refusals } = change;
  const refusal = refusals(row.toolId);
  const ending = forecast.endings.find(({ subscriptionId }) => subscriptionId === row.id);
  const product = productOf(change);
  return {
    key: `auto-renew:${row.version}`,
    title: row.autoRenew ? 'Auto-renewal is on' : 'Auto-renewal is off',
    message: row.autoRenew
      ? `${product} renews each month again.`
      : ending
        ? endingSentence({ ...ending, toolName: product }, words, refusal)
        : `${product} no longer renews.`,
    mail: {
      kind: 'auto-renew',
      subject: row.autoRenew ? `${product} renews again` : `${product} ends on ${words.on(ending?.at ?? row.endDate)}`,
      paragraphs: row.autoRenew
        ? terms(change)
        : [
            refusal
              ? `${refused(toolName, refusal)}. ${askFirst(refusal, words.on(ending?.at ?? row.endDate))}`
              : `To keep it, switch Auto-renew on under ${words.toolsTab} before that day.`,
          ],
    },
  };
}

function textOf(change: StatusChange, now: Date): NoticeText | null {
  const { before, row, paid } = change;
  if (before?.status === row.status) {
    if (row.status === 'active' && paid?.renewal) return renewed(change, paid);
    return before.autoRenew !== row.autoRenew && row.status !== 'cancelled' && row.isActive
      ? autoRenewChanged(change)
      : null;
  }
  switch (row.status) {
    case 'trial':
      return before?.status === 'cancelled' ? becameActive(change) : trialStarted(change);
    case 'active':
      return becameActive(change);
    case 'cancelled':
      return cancelled(change, now);
    case 'expired':
      return expired(change);
    // A failure is told together with all others of that day: changes.ts.
    case 'grace_period':
    case 'incomplete':
      return null;
  }
}

/** The notice to the payer, with a mail that has prices, dates and how to cancel; null where nothing needs saying. */
export function noticeFor(change: StatusChange, now: Date): SubscriptionNotice | null {
  const text = textOf(change, now);
  return text && toNotice(change, text);
}
