import { describe, expect, it } from 'vitest';
import { day, hour, plus } from '../dates.ts';
import {
  accessUntil,
  hasAccess,
  isLive,
  shownStatus,
  subscriptionActions,
  subscriptionCan,
  subscriptionStatuses,
  type SubscriptionFacts,
  type SubscriptionStatus,
  toolRefusal,
  type ToolRule,
} from './subscriptions.ts';

const now = new Date('2026-11-21T00:00:00Z');
const ago = (ms: number) => plus(now, -ms);
const ahead = (ms: number) => plus(now, ms);
const row = (status: SubscriptionStatus, rest: Partial<SubscriptionFacts> = {}): SubscriptionFacts => ({
  status,
  autoRenew: true,
  endDate: null,
  trialEndDate: null,
  gracePeriodEnd: null,
  ...rest,
});

/** What the row is, whether it gives access, whether it is live, what it is shown as. */
const cases: [string, SubscriptionFacts, boolean, boolean, SubscriptionStatus][] = [
  ['an unconfirmed purchase', row('incomplete'), false, false, 'incomplete'],
  ['a trial running', row('trial', { trialEndDate: ahead(1) }), true, true, 'trial'],
  ['a trial at its end', row('trial', { trialEndDate: now }), false, false, 'expired'],
  ['a trial over, card on file', row('trial', { trialEndDate: ago(71 * hour), cardOnFile: true }), true, true, 'trial'],
  ['the same at 72 h', row('trial', { trialEndDate: ago(72 * hour), cardOnFile: true }), false, false, 'expired'],
  ['a trial without an end', row('trial'), false, false, 'expired'],
  ['a price of 0', row('active'), true, true, 'active'],
  ['paid', row('active', { endDate: ahead(day) }), true, true, 'active'],
  ['paid until lately', row('active', { endDate: ago(71 * hour) }), true, true, 'active'],
  ['paid until three days ago', row('active', { endDate: ago(72 * hour) }), false, false, 'expired'],
  ['auto-renew off, paid', row('active', { endDate: ahead(1), autoRenew: false }), true, true, 'active'],
  ['auto-renew off, over', row('active', { endDate: now, autoRenew: false }), false, false, 'expired'],
  [
    'a failed renewal',
    row('grace_period', { endDate: ago(day), gracePeriodEnd: ahead(1) }),
    true,
    true,
    'grace_period',
  ],
  ['a grace period over', row('grace_period', { gracePeriodEnd: now }), false, false, 'expired'],
  [
    'cancelled, time left',
    row('cancelled', { endDate: ahead(day), gracePeriodEnd: ahead(8 * day) }),
    true,
    true,
    'cancelled',
  ],
  [
    'cancelled, can come back',
    row('cancelled', { endDate: ago(day), gracePeriodEnd: ahead(6 * day) }),
    false,
    true,
    'cancelled',
  ],
  ['cancelled, over', row('cancelled', { endDate: ago(8 * day), gracePeriodEnd: ago(day) }), false, false, 'expired'],
  ['expired', row('expired', { endDate: ahead(day) }), false, false, 'expired'],
];

describe('a subscription', () => {
  it.each(cases)('has its rights by status and clock: %s', (_name, facts, access, live, shown) => {
    expect({ access: hasAccess(facts, now), live: isLive(facts, now), shown: shownStatus(facts, now) }).toEqual({
      access,
      live,
      shown,
    });
    expect(subscriptionCan.open(facts, now)).toBe(access);
    expect(subscriptionCan.subscribeAgain(facts, now)).toBe(!live);
  });

  it('gives access that never comes back as time passes', () => {
    for (const [, facts] of cases) {
      const until = accessUntil(facts);
      if (until === 'forever' || until === null) continue;
      expect(hasAccess(facts, plus(until, -1))).toBe(true);
      expect(hasAccess(facts, until)).toBe(false);
      expect(hasAccess(facts, plus(until, day))).toBe(false);
    }
  });

  it.each([
    ['cancelled', ahead(1), true],
    ['grace_period', ahead(1), true],
    ['cancelled', now, false],
    ['cancelled', null, false],
    ['active', ahead(1), false],
    ['trial', ahead(1), false],
    ['expired', ahead(1), false],
  ] as const)('can be reactivated: %s until %s is %s', (status, gracePeriodEnd, allowed) =>
    expect(subscriptionCan.reactivate(row(status, { gracePeriodEnd }), now)).toBe(allowed),
  );
});

/** Every status, at each moment that matters to it → exactly what may be done. */
const allowed: [string, SubscriptionFacts, string][] = [
  ['incomplete', row('incomplete'), 'subscribeAgain'],
  ['trial, running', row('trial', { trialEndDate: ahead(1) }), 'open cancel'],
  ['trial, at its end', row('trial', { trialEndDate: now }), 'subscribeAgain'],
  ['trial, over, card on file', row('trial', { trialEndDate: ago(day), cardOnFile: true }), 'open cancel'],
  [
    'trial, over, card on file, renewal off',
    row('trial', { trialEndDate: ago(day), cardOnFile: true, autoRenew: false }),
    'subscribeAgain',
  ],
  ['trial, 72 h over', row('trial', { trialEndDate: ago(72 * hour), cardOnFile: true }), 'subscribeAgain'],
  ['active, price 0', row('active', { monthlyCents: 0 }), 'open cancel'],
  ['active, paid', row('active', { endDate: ahead(1), monthlyCents: 3000 }), 'open cancel autoRenew'],
  ['active, free from the next invoice', row('active', { endDate: ahead(1), monthlyCents: 0 }), 'open cancel'],
  ['active, renewal late', row('active', { endDate: ago(71 * hour) }), 'open cancel autoRenew'],
  ['active, 72 h late', row('active', { endDate: ago(72 * hour) }), 'subscribeAgain'],
  ['active, off, running', row('active', { endDate: ahead(1), autoRenew: false }), 'open cancel autoRenew'],
  ['active, off, over', row('active', { endDate: now, autoRenew: false }), 'subscribeAgain'],
  ['grace', row('grace_period', { gracePeriodEnd: ahead(1) }), 'open cancel reactivate pay'],
  ['grace, over', row('grace_period', { gracePeriodEnd: now }), 'subscribeAgain'],
  ['cancelled, running', row('cancelled', { endDate: ahead(1), gracePeriodEnd: ahead(day) }), 'open reactivate'],
  ['cancelled, in its last seven days', row('cancelled', { endDate: now, gracePeriodEnd: ahead(1) }), 'reactivate'],
  ['cancelled, over', row('cancelled', { endDate: ago(day), gracePeriodEnd: now }), 'subscribeAgain'],
  ['expired', row('expired', { endDate: ahead(day), gracePeriodEnd: ahead(day) }), 'subscribeAgain'],
];

describe('the table of states and actions', () => {
  it.each(allowed)('has what may be done: %s', (_name, facts, actions) =>
    expect(subscriptionActions.filter((action) => subscriptionCan[action](facts, now)).join(' ')).toBe(actions),
  );
  it('has every status', () =>
    expect([...new Set(allowed.map(([, { status }]) => status))].toSorted()).toEqual(
      [...subscriptionStatuses].toSorted(),
    ));
});

describe('the refusal of a tool', () => {
  const rule = (change: Partial<ToolRule>): ToolRule => ({
    teamId: 'harbour',
    teamName: 'Harbour',
    newToolsAllowed: true,
    toolId: null,
    allowed: null,
    reason: null,
    ...change,
  });
  const decided = (allowed: boolean | null, change: Partial<ToolRule> = {}) =>
    rule({ toolId: 'a', allowed, ...change });

  it.each<[string, ToolRule[], ReturnType<typeof toolRefusal>]>([
    ['in no team', [], null],
    ['nothing decided', [rule({})], null],
    ['allowed', [decided(true)], null],
    ['not allowed', [decided(false, { reason: 'No DPA' })], { teamName: 'Harbour', reason: 'No DPA' }],
    ['only a review is due', [decided(null)], null],
    ['undecided, and new tools wait', [rule({ newToolsAllowed: false })], { teamName: 'Harbour', reason: null }],
    [
      'only a review is due, and new tools wait',
      [decided(null, { newToolsAllowed: false })],
      { teamName: 'Harbour', reason: null },
    ],
    ['allowed, and new tools wait', [decided(true, { newToolsAllowed: false })], null],
    ['another tool is not allowed', [rule({ toolId: 'b', allowed: false })], null],
    [
      'one team allows it, another of the same name does not',
      [decided(true), decided(false, { teamId: 'other' })],
      { teamName: 'Harbour', reason: null },
    ],
    [
      'one team has decided, another has new tools wait',
      [decided(true), rule({ teamId: 'other', teamName: 'Other', newToolsAllowed: false })],
      { teamName: 'Other', reason: null },
    ],
  ])('names the practice that does not allow it: %s', (_name, rules, refusal) =>
    expect(toolRefusal(rules, 'a')).toEqual(refusal),
  );
});
