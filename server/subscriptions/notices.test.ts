import { describe, expect, it } from 'vitest';
import { day, formatSydneyDate, plus } from '#shared/rules/dates.ts';
import { noticeOf, type Change } from './notices.ts';
import type { SubscriptionRow } from './queries.ts';

const now = new Date('2026-11-21T00:00:00Z');
const ahead = (days: number) => plus(now, days * day);
const row = (values: Partial<SubscriptionRow>) =>
  ({
    id: 'row',
    toolId: 'risk-profile-ai',
    status: 'active',
    monthlyCents: 2850,
    autoRenew: true,
    endDate: ahead(30),
    trialEndDate: null,
    gracePeriodEnd: null,
    cancelledAt: null,
    paymentProblem: null,
    version: 3,
    ...values,
  }) as SubscriptionRow;
const paid = { invoiceId: 'in_1', cents: 2850, renewal: false };

/** Title of the notice, and everything its mail says. */
function said(was: Change['was'], values: Partial<SubscriptionRow>, rest: Partial<Change> = {}) {
  const notice = noticeOf(
    { was, row: row(values), what: 'Risk Profile AI', cardOnFile: false, paid: null, ...rest },
    now,
  );
  const { subject = '', paragraphs = [] } = notice?.mail ?? {};
  return {
    title: notice?.title,
    link: notice?.actionUrl,
    kind: notice?.mail?.kind,
    always: notice?.mail?.always,
    text: [subject, ...paragraphs].join(' '),
  };
}

const price = /\$28\.50 a month, GST included/;
const wayOut = /choose Cancel/;
const on = (days: number) => formatSydneyDate(ahead(days));

describe('what a mail about money says (Australian consumer law): price, next charge, how to stop it', () => {
  it.each([
    ['incomplete', { paid }, 'Subscription started', 'receipt'],
    ['active', { paid: { ...paid, renewal: true } }, 'Subscription renewed', 'receipt'],
    ['grace_period', { paid }, 'Payment received', 'payment-recovered'],
    ['cancelled', {}, 'Subscription reactivated', 'reactivated'],
  ] as const)('from %s to active', (was, rest, title, kind) => {
    const mail = said(was, {}, rest);
    expect(mail).toMatchObject({ title, kind, always: true });
    expect(mail.text).toMatch(price);
    expect(mail.text).toMatch(wayOut);
    expect(mail.text).toContain(`The next charge is on ${on(30)}.`);
  });

  it.each([
    [true, /charged to your card on/],
    [false, /without one it simply ends and nothing is charged/],
  ])('a trial, card on file: %s', (cardOnFile, then) => {
    const mail = said('incomplete', { status: 'trial', trialEndDate: ahead(30) }, { cardOnFile });
    expect(mail).toMatchObject({ title: 'Free trial started', kind: 'trial-started', always: true });
    for (const part of [price, wayOut, then, /Nothing is charged today/]) expect(mail.text).toMatch(part);
    expect(mail.text).toContain(on(30));
  });

  it('a failed payment: how much, why, until when, and what to do', () => {
    const problem = { invoiceId: 'in_1', amountCents: 2850, reason: 'Your card was declined.', needsAction: false };
    const mail = said('active', { status: 'grace_period', gracePeriodEnd: ahead(7), paymentProblem: problem });
    expect(mail).toMatchObject({ title: 'Payment failed', kind: 'payment-failed', always: true });
    for (const part of ['$28.50', 'Your card was declined.', on(7), 'Billing tab']) expect(mail.text).toContain(part);
  });

  it('a cancellation: until when it opens, that nothing is charged, until when it can be taken back', () => {
    const values = { status: 'cancelled', endDate: ahead(12), gracePeriodEnd: ahead(19), cancelledAt: now } as const;
    const mail = said('active', values);
    expect(mail).toMatchObject({ title: 'Subscription cancelled', kind: 'cancelled', always: true });
    for (const part of [`until ${on(12)}`, 'not be charged', `by ${on(19)}`]) expect(mail.text).toContain(part);
    expect(said('active', { ...values, endDate: now }).text).toContain('Access has ended.');
  });

  it('an end invites back, by preference only, and never for what cost nothing', () => {
    expect(said('grace_period', { status: 'expired' })).toMatchObject({ kind: 'win-back', always: false });
    expect(said('grace_period', { status: 'expired' }).text).toContain('the comeback special takes 30% off');
    // The offers are on the dashboard; the subscribe screen asks the full price.
    expect(said('active', { status: 'expired' }).link).toBe('/dashboard');
    expect(said('active', { status: 'expired', monthlyCents: 0 }).link).toBe('/subscribe/risk-profile-ai');
    expect(said('active', { status: 'expired', monthlyCents: 0 }).kind).toBeUndefined();
  });

  it('nothing where nothing happened', () => {
    expect(said('active', {}).title).toBeUndefined();
    expect(said('none', { status: 'incomplete' }).title).toBeUndefined();
  });
});
