import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { day, plus } from '#shared/rules/dates.ts';
import type { SubscriptionStatus } from '#shared/rules/subscriptions.ts';
import { rowFromStripe } from './row-from-stripe.ts';

const now = new Date('2026-11-21T00:00:00Z');
const ahead = (days: number) => plus(now, days * day);
const seconds = (date: Date) => date.getTime() / 1000;

type Facts = {
  status: string;
  trialEnd?: Date;
  periodEnd?: Date;
  periodStart?: Date;
  cancelAt?: Date;
  cancelAtPeriodEnd?: boolean;
  endedAt?: Date;
  invoiceTriedAt?: Date;
};

/** The fields that are read, in Stripe's own shape. */
const stripeSubscription = (facts: Facts) =>
  ({
    status: facts.status,
    billing_cycle_anchor: seconds(now),
    trial_end: facts.trialEnd ? seconds(facts.trialEnd) : null,
    cancel_at: facts.cancelAt ? seconds(facts.cancelAt) : null,
    cancel_at_period_end: facts.cancelAtPeriodEnd ?? false,
    ended_at: facts.endedAt ? seconds(facts.endedAt) : null,
    items: {
      data: [
        {
          current_period_start: seconds(facts.periodStart ?? ahead(-1)),
          current_period_end: seconds(facts.periodEnd ?? ahead(29)),
        },
      ],
    },
    latest_invoice: facts.invoiceTriedAt
      ? { created: seconds(ahead(-9)), status_transitions: { finalized_at: seconds(facts.invoiceTriedAt) } }
      : 'in_1',
  }) as unknown as Stripe.Subscription;

const row = (
  status: SubscriptionStatus,
  rest: { endDate?: Date; trialEndDate?: Date; gracePeriodEnd?: Date; autoRenew?: boolean } = {},
) => ({ status, autoRenew: true, endDate: null, trialEndDate: null, gracePeriodEnd: null, purchase: null, ...rest });

const set = (values: object) => ({ kind: 'set', values });
const live = (status: SubscriptionStatus, values: object) =>
  set({
    status,
    isActive: true,
    autoRenew: true,
    billingDay: now.getUTCDate(),
    gracePeriodEnd: null,
    paymentProblem: null,
    ...values,
  });
const over = (expiredAt: Date) => set({ status: 'expired', isActive: false, expiredAt, paymentProblem: null });

const cases: [string, Facts, ReturnType<typeof row>, object][] = [
  ['an unpaid purchase waits', { status: 'incomplete' }, row('incomplete'), set({})],
  ['it is gone after 23 hours', { status: 'incomplete_expired' }, row('incomplete'), { kind: 'remove' }],
  ['it was withdrawn', { status: 'canceled', endedAt: now }, row('incomplete'), { kind: 'remove' }],
  ['paid', { status: 'active' }, row('incomplete'), live('active', { endDate: ahead(29) })],
  ['renewed', { status: 'active', periodEnd: ahead(30) }, row('active'), live('active', { endDate: ahead(30) })],
  [
    'a trial',
    { status: 'trialing', trialEnd: ahead(30) },
    row('incomplete'),
    live('trial', { trialEndDate: ahead(30), endDate: ahead(30) }),
  ],
  ['a trial became paid', { status: 'active' }, row('trial'), live('active', { endDate: ahead(29) })],
  ['a trial ended without a card', { status: 'canceled', endedAt: ahead(-1) }, row('trial'), over(ahead(-1))],
  [
    'a renewal failed: seven days from the failure, however late we learn of it',
    { status: 'past_due', invoiceTriedAt: ahead(-2) },
    row('active'),
    live('grace_period', { endDate: ahead(-1), gracePeriodEnd: ahead(5) }),
  ],
  [
    'another retry failed: the first failure counts',
    { status: 'past_due', invoiceTriedAt: ahead(-1) },
    row('grace_period', { gracePeriodEnd: ahead(2) }),
    live('grace_period', { endDate: ahead(-1), gracePeriodEnd: ahead(2) }),
  ],
  [
    'failed, with an invoice we do not see',
    { status: 'unpaid' },
    row('trial'),
    live('grace_period', { endDate: ahead(-1), gracePeriodEnd: ahead(7) }),
  ],
  ['a retry came through', { status: 'active' }, row('grace_period'), live('active', { endDate: ahead(29) })],
  ['ended while in grace', { status: 'canceled', endedAt: now }, row('grace_period'), over(now)],
  ['ended, no time given', { status: 'canceled' }, row('active'), over(now)],
  [
    'a schedule made outside counts as auto-renew off',
    { status: 'active', cancelAt: ahead(29) },
    row('active'),
    live('active', { endDate: ahead(29), autoRenew: false }),
  ],
  [
    'and in its older form',
    { status: 'active', cancelAtPeriodEnd: true },
    row('active'),
    live('active', { endDate: ahead(29), autoRenew: false }),
  ],
  [
    'cancelled by the adviser stays so',
    { status: 'active', cancelAt: ahead(3) },
    row('cancelled', { endDate: ahead(3), gracePeriodEnd: ahead(10) }),
    set({}),
  ],
  [
    'and keeps its slot while it can be reactivated',
    { status: 'canceled', endedAt: ahead(-3) },
    row('cancelled', { endDate: ahead(-3), gracePeriodEnd: ahead(4) }),
    set({}),
  ],
  [
    'then it is over',
    { status: 'canceled', endedAt: ahead(-8) },
    row('cancelled', { endDate: ahead(-8), gracePeriodEnd: ahead(-1) }),
    over(ahead(-1)),
  ],
  ['history never comes back', { status: 'active' }, row('expired'), set({})],
  ['paused leaves it to the clock', { status: 'paused' }, row('active'), set({})],
  ['and so does what the stripeSubscription may invent', { status: 'hibernating' }, row('active'), set({})],
];

describe('the row after reading Stripe', () => {
  it.each(cases)('%s', (_name, facts, before, after) => {
    expect(rowFromStripe(stripeSubscription(facts), before, now)).toEqual(after);
  });
});
