import { expect, it } from 'vitest';
import { backText, dateLine } from './subscription-dates.ts';

const now = new Date('2026-11-21T05:00:00Z');
const december = new Date('2026-12-20T20:00:00Z');
const october = new Date('2026-10-02T00:00:00Z');
const base = {
  status: 'active',
  autoRenew: true,
  endDate: null,
  trialEndDate: null,
  gracePeriodEnd: null,
  monthlyCents: 3000,
  cardOnFile: false,
  paymentProblem: null,
} as const;

it.each([
  ['a trial', { status: 'trial', trialEndDate: december }, 'Trial ends 21 Dec 2026'],
  [
    'a trial with a card',
    { status: 'trial', trialEndDate: december, cardOnFile: true },
    'Free until 21 Dec 2026, then $30.00/month',
  ],
  ['paid', { endDate: december }, 'Renews 21 Dec 2026'],
  ['paid, auto-renew off', { endDate: december, autoRenew: false }, 'Ends 21 Dec 2026'],
  ['price 0: nothing renews', { monthlyCents: 0 }, null],
  ['grace', { status: 'grace_period', gracePeriodEnd: december }, 'Payment failed. Access until 21 Dec 2026'],
  [
    'free access that ended: nothing has failed',
    { status: 'grace_period', gracePeriodEnd: december, paymentProblem: { tried: false } },
    'Free access ended. Start paying by 21 Dec 2026',
  ],
  ['cancelled', { status: 'cancelled', endDate: december }, 'Access until 21 Dec 2026'],
  ['cancelled at once', { status: 'cancelled', endDate: october }, 'Access ended 2 Oct 2026'],
  ['expired', { status: 'expired', endDate: october }, 'Expired 2 Oct 2026'],
  [
    'expired after a cancellation: on the last day to reactivate',
    { status: 'expired', endDate: new Date('2026-09-25T00:00:00Z'), gracePeriodEnd: october },
    'Expired 2 Oct 2026',
  ],
  ['an expired trial', { status: 'expired', trialEndDate: october }, 'Expired 2 Oct 2026'],
  ['nothing known', { status: 'expired' }, null],
] as const)('a subscription shows the date that counts: %s', (_case, details, line) => {
  expect(dateLine({ ...base, ...details }, now)).toBe(line);
});

const free = "You can undo this for free until 26 Feb 2027. After that you'd subscribe again.";
it.each([
  [
    'ends on the day until which coming back is free, at another hour',
    '2027-02-26T02:00:00Z',
    '2027-02-26T09:00:00Z',
    free,
  ],
  ['ends earlier that day', '2027-02-26T09:00:00Z', '2027-02-26T02:00:00Z', free],
  [
    'ends on a later day',
    '2027-02-26T12:59:00Z',
    '2027-02-26T13:00:00Z',
    "You can undo this for free until 26 Feb 2027. After that, until 27 Feb 2027, you pay that day's price to reactivate.",
  ],
])('names no day twice where the time to come back %s', (_name, freeUntil, last, text) =>
  expect(backText(new Date(freeUntil), new Date(last))).toBe(text),
);
