import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { plusMonths } from '#shared/rules/dates.ts';
import { freeMonthsFrom } from '#shared/rules/pricing.ts';
import { expectedInvoice, invoiceFault } from './latest-invoice.ts';

const coupons = [{ id: 'BULK_5', percent: 5, months: null, name: 'Bulk discount (5%)' }];
const purchase = { attempt: 1, trialDays: null, unitCents: 3000, quantity: 1, totalCents: 2850, coupons };
const row = { purchase, monthlyCents: 2700, quantity: 1, teamId: null, freeMonths: null };
const renewedAt = new Date('2026-03-01T00:00:00Z');
const line = (amount: number, { off = 0, proration = false, quantity = 1 } = {}) =>
  ({
    amount,
    quantity,
    period: { start: renewedAt.getTime() / 1000 },
    discount_amounts: off ? [{ amount: off, discount: 'di_1' }] : [],
    parent: { subscription_item_details: { proration } },
  }) as unknown as Stripe.InvoiceLineItem;
const invoice = (reason: Stripe.Invoice.BillingReason, ...data: Stripe.InvoiceLineItem[]) => ({
  billing_reason: reason,
  lines: { data },
});

describe('what an invoice should charge', () => {
  it.each([
    ['subscription_create', row, 2850],
    ['subscription_create', { ...row, purchase: { ...purchase, trialDays: 30 } }, 0],
    ['subscription_create', { ...row, purchase: null }, undefined],
    ['subscription_cycle', row, 2700],
    ['subscription_update', row, undefined],
    ['subscription_cycle', { ...row, freeMonths: freeMonthsFrom(renewedAt, 1) }, 0],
    ['subscription_cycle', { ...row, freeMonths: freeMonthsFrom(plusMonths(renewedAt, -1), 1) }, 2700],
    ['manual', row, undefined],
  ] as const)('%s', (reason, before, cents) =>
    expect(expectedInvoice(invoice(reason, line(3000)), before)?.monthCents).toBe(cents),
  );

  it('a member who joined while it was a draft is not on it yet', () => {
    const team = { ...row, quantity: 3, monthlyCents: 8550, teamId: 'team' };
    const old = invoice('subscription_cycle', line(6000, { off: 300, quantity: 2 }));
    expect(expectedInvoice(old, team)).toEqual({ monthCents: 5700, prorations: true });
  });
});

describe('how it differs', () => {
  const adviser = { monthCents: 2700, prorations: false };
  const right = line(3000, { off: 300 });
  it.each([
    ['as quoted', [right], adviser, null],
    ['another price', [line(3000)], adviser, 'Stripe bills 3000 cents for the subscription, and we quoted 2700'],
    [
      'a wrong price behind a proration that makes up for it',
      [line(3000), line(-300, { proration: true })],
      { ...adviser, prorations: true },
      'Stripe bills 3000 cents for the subscription, and we quoted 2700',
    ],
    [
      'a stray proration beside the right price',
      [right, line(3750, { proration: true })],
      adviser,
      'Stripe bills a proration of 3750 cents that nobody ordered',
    ],
    [
      'a team’s members came and went',
      [right, line(3750, { proration: true })],
      { ...adviser, prorations: true },
      null,
    ],
  ])('%s', (_name, lines, expected, fault) =>
    expect(invoiceFault(invoice('subscription_cycle', ...lines), expected)).toBe(fault),
  );
});
