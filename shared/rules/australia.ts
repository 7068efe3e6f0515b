import { cleanCode } from './text.ts';

/** Australian facts: states, postcodes, ABN, phone numbers. */
export const states = ['NSW', 'VIC', 'QLD', 'WA', 'SA', 'TAS', 'ACT', 'NT'] as const;
export type State = (typeof states)[number];

const abnWeights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

/** Digits of a valid ABN, also of `ABN 51-824-753-556`, or null. The check subtracts 1 from the first digit and divides the weighted sum by 89. */
export function parseAbn(input: string): string | null {
  const digits = cleanCode(input)
    .replace(/^abn\b:?/i, '')
    .replace(/[\s.–-]/g, '');
  if (!/^[1-9]\d{10}$/.test(digits)) return null;
  const sum = abnWeights.reduce((total, weight, i) => total + weight * (Number(digits[i]) - (i === 0 ? 1 : 0)), 0);
  return sum % 89 === 0 ? digits : null;
}

/** `51824753556` as `51 824 753 556`. */
export const formatAbn = (abn: string) => abn.replace(/^(\d{2})(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4');

/**
 * An Australian number in E.164 (`+61412345678`), also from `+61 (0)412…` and, for a mobile, without the 0; so is a foreign one that
 * begins with `+`. Anything else with digits is kept as typed, because a phone is refused only when it has no digits. Null: no digits.
 */
export function parsePhone(input: string): string | null {
  const text = cleanCode(input);
  const compact = text.replace(/[\s().–-]/g, '');
  const national = /^(?:(?:\+|00)?610?|0)([2-478]\d{8})$|^(4\d{8})$/.exec(compact);
  if (national) return `+61${national[1] ?? national[2]}`;
  if (/^\+[1-9]\d{6,14}$/.test(compact)) return compact;
  return /\d/.test(text) ? text : null;
}

/** `+61412345678` as `+61 412 345 678`, a landline as `+61 2 5550 1234`; anything else unchanged. */
export function formatPhone(phone: string): string {
  const mobile = /^\+61(4\d{2})(\d{3})(\d{3})$/.exec(phone);
  if (mobile) return `+61 ${mobile[1]} ${mobile[2]} ${mobile[3]}`;
  const landline = /^\+61([2378])(\d{4})(\d{4})$/.exec(phone);
  return landline ? `+61 ${landline[1]} ${landline[2]} ${landline[3]}` : phone;
}

const only = (postcode: number) => [postcode, postcode] as const;

/**
 * Postcodes of streets and of post office boxes; where these meet, as one range. Some belong to places on both sides of a border. Jervis
 * Bay (2540) is written as ACT, and Christmas and the Cocos Islands (6798, 6799) as WA.
 */
const postcodeRanges: Record<State, readonly (readonly [number, number])[]> = {
  NSW: [
    [2000, 2599],
    [2619, 2899],
    [2921, 2999],
    [1000, 1999],
    ...[2611, 2618, 3585, 3586, 3644, 3691, 3707, 4377, 4380, 4383, 4385].map(only),
  ],
  ACT: [[2600, 2618], [2900, 2920], [200, 299], ...[2540, 2620].map(only)],
  VIC: [
    [3000, 3999],
    [8000, 8999],
  ],
  QLD: [[4000, 4999], [9000, 9999], only(2406)],
  SA: [[5000, 5999], only(872)],
  WA: [[6000, 6999], only(872)],
  TAS: [[7000, 7999]],
  NT: [[800, 999]],
};

/** False is a warning, never an error: border towns are served from the next state. */
export const postcodeFitsState = (postcode: string, state: State) =>
  postcodeRanges[state].some(([from, to]) => Number(postcode) >= from && Number(postcode) <= to);

/** AFSL numbers have up to six digits in practice; another shape is a warning, never an error. */
export const looksLikeAfsl = (afsl: string) => /^\d{1,6}$/.test(afsl.trim());
