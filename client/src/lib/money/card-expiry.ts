import { day } from '#shared/rules/dates.ts';

/** Days. */
const soon = 30;

/** A card pays until the last day of its month. */
export const cardExpiry = (
  { expMonth, expYear }: { expMonth: number; expYear: number },
  now: Date,
): 'valid' | 'soon' | 'expired' => {
  const end = Date.UTC(expYear, expMonth);
  if (end <= now.getTime()) return 'expired';
  return end - now.getTime() <= soon * day ? 'soon' : 'valid';
};

/** `4` and `2031` as `04/2031`. */
export const expiryText = ({ expMonth, expYear }: { expMonth: number; expYear: number }) =>
  `${String(expMonth).padStart(2, '0')}/${expYear}`;
