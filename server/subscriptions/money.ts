import type { Subscription } from '#shared/api/subscriptions.ts';
import {
  afterBill,
  billAfter,
  billedFrom,
  type BillInput,
  billOf,
  type BillRow,
  lineOf,
  paidTools,
  priceAt,
  quantityOf,
} from '#shared/rules/billing/bill.ts';
import type { Bill, BillLine } from '#shared/rules/billing/bill-types.ts';
import { centsOf } from '#shared/rules/billing/money.ts';
import { unitCentsAt } from '#shared/rules/billing/own-price.ts';
import { isFreeAt } from '#shared/rules/billing/pricing.ts';
import type { PayersMoney } from './forecast.ts';
import type { ListedRow } from './queries.ts';

export type Money = Pick<
  Subscription,
  | ('quantity' | 'baseCents' | 'discounts' | 'monthlyCents' | 'nextBillAt')
  | ('paidMonthCents' | 'afterOfferCents' | 'nextPrice' | 'freeUntil' | 'paymentProblem')
>;

/** What a subscription costs: its line on the first bill that has it, else what a month of it costs now. */
export function moneyOf(listed: ListedRow, { input, forecast, owed }: PayersMoney): Money {
  const row = input.rows.find(({ id }) => id === listed.id);
  const next = row && forecast.bill ? nextLine(row, forecast.bill, input) : null;
  const { line, at } = next ?? { line: monthNow(listed, row, input), at: null };
  return {
    quantity: quantityOf(input.payer),
    baseCents: line.baseCents,
    discounts: line.discounts.map(({ kind, label, percent, cents }) => ({ kind, label, percent, cents })),
    monthlyCents: line.cents,
    nextBillAt: at,
    paidMonthCents: listed.isActive && listed.periodStart !== null ? listed.monthlyCents : null,
    afterOfferCents: row?.offer?.endsAt ? priceAt(row, input, new Date(row.offer.endsAt)).totalCents : null,
    nextPrice: row && next ? nextPriceOf(row, listed, next.at, input) : null,
    freeUntil: at && isFreeAt(listed.freeMonths, at) ? new Date(listed.freeMonths!.until) : null,
    paymentProblem: owed && {
      amountCents: owed.dueCents,
      reason: owed.reason,
      needsAction: owed.needsAction,
      tried: owed.tried,
    },
  };
}

/** The row's line on the first bill that has it: the coming one, or for a trial that ends after it a later one. */
function nextLine(row: BillRow, bill: Bill, input: BillInput): { line: BillLine; at: Date } | null {
  const lineOn = ({ lines }: Bill) => lines.find(({ subscriptionId }) => subscriptionId === row.id);
  const coming = lineOn(bill);
  if (coming) return { line: coming, at: bill.at };
  const from = billedFrom(row, input.payer);
  if (!from) return null;
  const later = afterBill(input, bill);
  let { at } = bill;
  while (at < from) at = billAfter(at, later.payer);
  const line = lineOn(billOf(later, at));
  return line ? { line, at } : null;
}

/** What a month of it costs now, beside what there is; of what has ended, if it were bought again. */
function monthNow(listed: ListedRow, row: BillRow | undefined, input: BillInput): BillLine {
  const { now, payer } = input;
  const tools = row ? undefined : paidTools(input, null) + 1;
  const price = { unitCents: centsOf(listed.basePrice), number: 0 };
  const billed = row ?? { ...listed, price, decisions: [], offer: null };
  return lineOf(billed, priceAt(billed, input, now, tools), now, now, quantityOf(payer));
}

/** How many bills ahead a price that was announced is looked for: a rise is announced within a year. */
const billsAhead = 13;

/** The first unit price that differs from today's, and the first bill that asks for it. */
function nextPriceOf(
  { price, decisions }: BillRow,
  { periodStart, createdAt }: ListedRow,
  first: Date,
  { payer }: BillInput,
): Subscription['nextPrice'] {
  const beforeCents = unitCentsAt(price, decisions, periodStart ?? createdAt);
  const billingDay = payer.billingDay ?? first.getUTCDate();
  let from = first;
  for (let bill = 0; bill < billsAhead; bill += 1) {
    const unitCents = unitCentsAt(price, decisions, from);
    if (unitCents !== beforeCents) return { unitCents, beforeCents, from };
    from = billAfter(from, { billingDay });
  }
  return null;
}
