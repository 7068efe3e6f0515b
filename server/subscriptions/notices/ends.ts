import { monthsText } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import { askFirst, nextCharge, type NoticeText, productOf, refused, type StatusChange } from './sentences.ts';

/** Whoever pays has cancelled. */
export function cancelled(change: StatusChange, now: Date): NoticeText {
  const { row, toolName, words, forecast, refusals } = change;
  const refusal = refusals(row.toolId);
  const product = productOf(change);
  const over = row.endDate !== null && row.endDate <= now;
  const access = over ? 'Access has ended.' : `You keep access until ${words.on(row.endDate)}.`;
  return {
    key: `cancelled:${row.cancelledAt?.toISOString() ?? ''}`,
    title: 'Subscription cancelled',
    message: `Your subscription to ${product} is cancelled. ${access}`,
    mail: {
      kind: 'cancelled',
      subject: `Your subscription to ${product} is cancelled`,
      paragraphs: [
        'You will not be charged for it again.',
        refusal
          ? `${refused(toolName, refusal)}, so it can’t be reactivated. ${askFirst(refusal, words.on(row.gracePeriodEnd))}`
          : `If you change your mind, reactivate it under ${words.toolsTab} by ${words.on(row.gracePeriodEnd)}.`,
        ...(forecast.next ? ['Your other tools continue.', ...nextCharge(forecast, words, refusals)] : []),
      ],
    },
  };
}

/** It is over; with the win-back offers, where there are any. */
export function expired(change: StatusChange): NoticeText {
  const { row, toolName, words, comeback, refusals } = change;
  const refusal = refusals(row.toolId);
  const product = productOf(change);
  const text = {
    key: 'expired',
    title: 'Subscription ended',
    message: `Your subscription to ${product} has ended. ${refusal ? `${refused(toolName, refusal)}.` : 'You can subscribe again at any time.'}`,
  };
  if (refusal) return text;
  if (!comeback) return { ...text, link: { actionUrl: `/subscribe/${row.toolId}`, actionLabel: 'Subscribe again' } };
  const { count, offer, change: later, thenCents } = comeback;
  const until = later ? ` until ${words.on(later.at)}, then ${later.percent}%` : '';
  return {
    ...text,
    link: { ...words.tools, actionLabel: 'See the offers' },
    mail: {
      kind: 'win-back',
      subject: `${product}: come back for less`,
      paragraphs: [
        `There ${count === 1 ? 'is an offer' : `are ${['two', 'three'][count - 2]} offers`} for coming back under ${words.toolsTab}.`,
        `The ${offer.name.toLowerCase()} takes ${offer.percent}% off${until}: ${formatCents(offer.monthlyCents)} a month for ${monthsText(offer.months)}, and ${formatCents(thenCents)} a month after ${offer.months === 1 ? 'it' : 'them'}. GST is included.`,
      ],
      optional: true,
    },
  };
}
