import { cleanCode } from '../text.ts';

/** `"30.00"` as 3000. */
export function centsOf(decimal: string): number {
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(decimal);
  if (!match) throw new RangeError(`not an amount of money: ${decimal}`);
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

/** What somebody typed as dollars (`15`, `$15.50`, `1,500`) in cents; null where it is no amount. */
export function typedCents(text: string): number | null {
  const plain = cleanCode(text)
    .replace(/^\$\s*/, '')
    .replace(/,(?=\d{3}(\D|$))/g, '');
  return /^\d{1,7}(\.\d{1,2})?$/.test(plain) ? centsOf(plain) : null;
}

export const sumCents = (list: readonly { cents: number }[]) => list.reduce((total, { cents }) => total + cents, 0);

let aud: Intl.NumberFormat | undefined;

/** 123450 as `$1,234.50`, and −740 as `−$7.40`, with a minus sign instead of a hyphen. */
export const formatCents = (cents: number) => {
  aud ??= new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' });
  return `${cents < 0 ? '−' : ''}${aud.format(Math.abs(cents) / 100)}`;
};

/** 3000 as `$30`, 3050 as `$30.50`: for labels such as "Subscribe • $30/month". */
export const formatCentsShort = (cents: number) =>
  cents % 100 === 0 ? formatCents(cents).slice(0, -3) : formatCents(cents);

/** Stripe charges a card no less than this; smaller amounts wait on the customer's balance. */
export const smallestChargeCents = 50;

/** What an invoice of this total charges a customer with this credit (negative: they owe it), and the credit left afterwards. */
export function afterCredit(totalCents: number, creditCents: number): { cents: number; creditCents: number } {
  const left = totalCents - creditCents;
  const cents = left < smallestChargeCents ? 0 : left;
  return { cents, creditCents: cents - left };
}

/** A percentage of an amount, rounded half up to the cent. `percent` has at most two decimals, so hundredths are exact. */
export const percentOf = (cents: number, percent: number) =>
  Math.floor((cents * Math.round(percent * 100) + 5000) / 10000);

const brands: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

export const brandName = (brand: string) => brands[brand] ?? 'Card';

/** "Visa •••• 4242". */
export const cardName = ({ brand, last4 }: { brand: string; last4: string }) => `${brandName(brand)} •••• ${last4}`;
