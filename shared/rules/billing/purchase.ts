import {
  billAfter,
  type BillInput,
  type BillRow,
  lastDay,
  lineOf,
  paidTools,
  priceAt,
  quantityOf,
  totalled,
} from './bill.ts';
import { type Bill, type BillPart, gstIn } from './bill-types.ts';
import { plusMonths, sydneyDate } from '../dates.ts';
import { daysOf, partOf } from './part-month.ts';
import type { Price } from './pricing.ts';

/** The payer's first bill, or what is charged for a tool that is added to the bill that there is. */
export type Sold = Bill & { kind: 'first' | 'tool' };

/** What buying a tool charges now: its first month, or its days until the bill that there is. */
export type Purchase = {
  price: Price;
  /** How long the charge lasts: to the bill, or a month. */
  until: Date;
  /** Null where a whole month is charged. */
  part: BillPart | null;
  bill: Sold;
};

/**
 * What is charged for a tool bought at that moment. Without a bill its first month; else the days until the bill. On the billing
 * day itself before the instant, the month that the bill begins.
 */
export function purchaseOf(row: BillRow, input: BillInput): Purchase {
  const { payer, now } = input;
  const others = input.rows.filter(({ id }) => id !== row.id);
  const beside = { ...input, rows: others, adjustments: [] };
  const price = priceAt(row, beside, now, paidTools(beside, null) + 1);
  if (payer.nextBillAt === null) {
    const until = plusMonths(now, 1);
    const lines = [lineOf(row, price, now, until, quantityOf(payer, row))];
    const bill = totalled({ at: now, until, lines, parts: [] }, payer.creditCents);
    return { price, until, part: null, bill: { ...bill, kind: 'first' } };
  }
  const isBillingDay = daysOf(now, payer.nextBillAt) <= 0;
  const until = isBillingDay ? billAfter(payer.nextBillAt, payer) : payer.nextBillAt;
  const start = isBillingDay ? payer.nextBillAt : plusMonths(until, -1, payer.billingDay);
  const days = daysOf(now, until);
  const cents = partOf(price.totalCents, days, daysOf(start, until));
  const { id, toolId, toolName } = row;
  const dates = { from: sydneyDate(now), to: lastDay(now, until), days };
  const part: BillPart = {
    id: null,
    cause: 'purchase',
    subscriptionId: id,
    toolId,
    toolName,
    person: null,
    ...dates,
    cents,
    gstCents: gstIn(cents),
  };
  const bill = totalled({ at: now, until, lines: [], parts: [part] }, payer.creditCents);
  return { price, until, part, bill: { ...bill, kind: 'tool' } };
}

/** When the whole months of something bought now begin: an offer counts them from there. */
export const firstWholeMonth = ({ part, until }: Purchase, now: Date): Date => (part === null ? now : until);
