import type Stripe from 'stripe';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import type { InvoiceLine } from '#shared/schema/billing.ts';
import { idOf } from '#server/stripe/ask.ts';

/** How the ids of the coupons begin that a release before "one bill per payer" made, and what an invoice calls them. */
const coupons = {
  FREE: 'Free access',
  GIFT: 'Free month',
  PARTNER: 'Partner discount',
  BULK_: 'Bulk discount',
  TEAM: 'Team discount',
  WB: 'Welcome back',
} as const;

/** What an invoice calls a coupon: "Bulk discount (10%)"; one that is not ours is a "Discount". */
function couponName(id: string): string {
  const [, codePercent, code] = /^CODE[1-9]\d*M_(\d+)_([A-Z0-9]+)$/.exec(id) ?? [];
  if (code !== undefined) return `Discount code ${code} (${codePercent}%)`;
  const [, name] = Object.entries(coupons).find(([prefix]) => id.startsWith(prefix)) ?? [];
  const percent = /(\d+(?:_\d+)?)$/.exec(id.replace(/^BULK_|^WB\d+M_/, ''))?.[1]?.replace('_', '.');
  if (!name || !percent) return 'Discount';
  return percent === '100' ? name : `${name} (${percent}%)`;
}

/** What the invoice's discounts are called, by their ids. */
const discountLabels = ({ discounts }: Stripe.Invoice): ReadonlyMap<string, string> =>
  new Map(
    discounts.flatMap((discount) =>
      typeof discount === 'string' || discount.deleted
        ? []
        : [[discount.id, couponName(idOf(discount.source.coupon) ?? '')]],
    ),
  );

const dates = ({ period }: Stripe.InvoiceLineItem) =>
  [period.start, period.end].map((seconds) => formatSydneyDate(new Date(seconds * 1000))).join(' to ');

/** What a change of members within a month is for. */
function changeText(line: Stripe.InvoiceLineItem): string {
  const members = `${line.quantity} ${line.quantity === 1 ? 'member' : 'members'}`;
  return `${line.amount < 0 ? `Credit for ${members}` : members}, ${dates(line)}`;
}

/** The lines of an invoice that no bill has: tool and period in place of Stripe's "1 × Name (at $30.00 / month)". */
export function linesOfStripe(invoice: Stripe.Invoice, toolName: string | null): InvoiceLine[] {
  const labels = discountLabels(invoice);
  return invoice.lines.data.map((line) => {
    const isChange = line.parent?.subscription_item_details?.proration ?? false;
    const own = isChange ? `${toolName}: ${changeText(line)}` : `${toolName}, ${dates(line)}`;
    const discounts = (line.discount_amounts ?? [])
      .filter((one) => one.amount > 0)
      .map((one) => ({ label: labels.get(idOf(one.discount) ?? '') ?? 'Discount', cents: one.amount }));
    return {
      description: toolName === null ? (line.description ?? 'Invoice') : own,
      quantity: line.quantity ?? 1,
      cents: line.amount,
      ...(discounts.length > 0 && { discounts }),
      gstCents: (line.taxes ?? []).reduce((total, { amount }) => total + amount, 0),
    };
  });
}
