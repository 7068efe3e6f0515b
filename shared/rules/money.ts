/** `"30.00"` as 3000. */
export function centsOf(decimal: string): number {
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(decimal);
  if (!match) throw new RangeError(`not an amount of money: ${decimal}`);
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

const aud = new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' });

/** 123450 as `$1,234.50`. */
export const formatCents = (cents: number) => aud.format(cents / 100);

/** 3000 as `$30`, 3050 as `$30.50`: for labels such as "Subscribe • $30/month". */
export const formatCentsShort = (cents: number) =>
  cents % 100 === 0 ? formatCents(cents).slice(0, -3) : formatCents(cents);

/** A percentage of an amount, rounded half up to the cent. `percent` has at most two decimals, so hundredths are exact. */
export const percentOf = (cents: number, percent: number) =>
  Math.floor((cents * Math.round(percent * 100) + 5000) / 10000);
