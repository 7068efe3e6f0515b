import { cleanCode } from '../text.ts';

export const credentials = [
  'CFP',
  'CFA',
  'ChFP',
  'FPA',
  'SMSF Specialist Advisor',
  'Risk Insurance Specialist',
  'Self-Managed Super Fund Auditor',
  'Mortgage Broker',
  'Investment Adviser',
  'Insurance Broker',
  'Other',
] as const;

export const specializations = [
  'Wealth Management',
  'Retirement Planning',
  'Investment Strategy',
  'Insurance & Risk Management',
  'Tax Planning',
  'Estate Planning',
  'SMSF Administration',
  'Corporate Superannuation',
  'Mortgage & Lending',
  'Share Trading & Analysis',
  'Property Investment',
  'Business Advisory',
  'Financial Education',
  'Debt Management',
  'Cashflow Management',
] as const;

export const membershipTypes = ['standard', 'team', 'shaw_partners'] as const;
export type MembershipType = (typeof membershipTypes)[number];

/** In the order they are checked and listed. */
export const passwordRules = [
  {
    test: (p: string) => p.length >= 8,
    label: '8 or more characters',
    message: 'Password must be at least 8 characters long',
  },
  {
    test: (p: string) => /[A-Z]/.test(p),
    label: 'One uppercase letter',
    message: 'Password must contain at least one uppercase letter',
  },
  {
    test: (p: string) => /[a-z]/.test(p),
    label: 'One lowercase letter',
    message: 'Password must contain at least one lowercase letter',
  },
  { test: (p: string) => /\d/.test(p), label: 'One number', message: 'Password must contain at least one number' },
] as const;

/** Long enough for any passphrase. */
export const passwordMaxLength = 1000;
/** The minimum length of the first administrator's password. */
export const setupPasswordLength = 12;
export const passwordTooLong = `Password must be at most ${passwordMaxLength} characters long`;
export const passwordTooCommon = 'This password is too common.';
export const passwordGuessable =
  'This password is easy to guess. Please use more than your name, your email address or a common word.';

/** The domain as the network has it (`xn--…`), which is what browsers make of it too; left alone where it can't be one. */
function asciiDomain(domain: string): string {
  if (!/^[\p{L}\p{M}\p{N}.。-]+$/u.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}

/** The form that is stored and compared. */
export function normaliseEmail(email: string): string {
  const clean = cleanCode(email).toLowerCase();
  const at = clean.lastIndexOf('@');
  const domain = clean.slice(at + 1);
  // eslint-disable-next-line no-control-regex
  return /^[\x00-\x7F]*$/.test(domain) ? clean : clean.slice(0, at + 1) + asciiDomain(domain);
}

/**
 * A normalised address, as both RFC 5321 and the browsers' `type="email"` have it: at most 64 characters before the @, no dot at an
 * end or beside another, labels of at most 63 letters, digits and inner hyphens. Letters before the @ may be of any script (RFC 6531).
 * The domain has a dot.
 */
export const emailPattern =
  /^(?=[^@]{1,64}@)[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/u;

/** Verified addresses in one of these domains belong to the partner group. */
export const isPartnerEmail = (email: string, domains: readonly string[]) =>
  domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());

type Move = { membershipType: MembershipType; from: string; to: string; isTeamMember: boolean };

/** The membership after a change of verified address: the address decides who is in the partner group. */
export function membershipAfterMove({ membershipType, from, to, isTeamMember }: Move, domains: readonly string[]) {
  if (isPartnerEmail(to, domains)) return membershipType === 'standard' ? 'shaw_partners' : membershipType;
  if (membershipType !== 'shaw_partners' || !isPartnerEmail(from, domains)) return membershipType;
  return isTeamMember ? 'team' : 'standard';
}

export const emailChangeHours = 24;
/** For how long the old address can undo a change. */
export const emailUndoHours = 72;
export const verificationTokenHours = 24;
export const resetTokenHours = 1;

/** How long a session lives without a request, and at most, in seconds. */
export const sessionLife = {
  adviser: { idle: 24 * 3600, absolute: 14 * 86400 },
  admin: { idle: 3600, absolute: 12 * 3600 },
} as const;
