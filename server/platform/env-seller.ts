import * as z from 'zod';
import { sampleSeller, type Seller } from '#shared/brand.ts';
import { parseAbn, parsePhone } from '#shared/rules/australia.ts';

const line = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\r\n]+$/, 'must be on one line');
const mailbox = z.email('must be an email address').max(254);

/** Text as one reads it, such as an ABN with its spaces, in the form that is stored. */
const written = (parse: (text: string) => string | null, message: string) =>
  z.string().transform((value, context) => {
    const parsed = parse(value);
    if (parsed !== null) return parsed;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const e164 = (text: string) => [parsePhone(text)].find((phone) => phone?.startsWith('+')) ?? null;

/** Who sells, as variables. */
export const sellerVariables = {
  SELLER_NAME: line(200).optional(),
  SELLER_ABN: written(parseAbn, 'must be an ABN: its eleven digits do not check').optional(),
  SELLER_ADDRESS: line(300).optional(),
  SELLER_PHONE: written(e164, 'must be a phone number such as (02) 5550 1234 or +61255501234').optional(),
  SUPPORT_EMAIL: mailbox.optional(),
  SALES_EMAIL: mailbox.optional(),
  ENTERPRISE_EMAIL: mailbox.optional(),
  PRIVACY_EMAIL: mailbox.optional(),
};

/** Who sells. One mailbox may stand for all. */
export function sellerOf(v: z.output<z.ZodObject<typeof sellerVariables>>): Seller {
  const mailboxOf = (name: 'sales' | 'enterprise' | 'privacy', given: string | undefined) =>
    given ?? v.SUPPORT_EMAIL ?? sampleSeller[`${name}Email`];
  return {
    name: v.SELLER_NAME ?? sampleSeller.name,
    abn: v.SELLER_ABN ?? sampleSeller.abn,
    address: v.SELLER_ADDRESS ?? sampleSeller.address,
    phone: v.SELLER_PHONE ?? sampleSeller.phone,
    supportEmail: v.SUPPORT_EMAIL ?? sampleSeller.supportEmail,
    salesEmail: mailboxOf('sales', v.SALES_EMAIL),
    enterpriseEmail: mailboxOf('enterprise', v.ENTERPRISE_EMAIL),
    privacyEmail: mailboxOf('privacy', v.PRIVACY_EMAIL),
  };
}

const sellerNames = ['SELLER_NAME', 'SELLER_ABN', 'SELLER_ADDRESS', 'SELLER_PHONE', 'SUPPORT_EMAIL'] as const;

/** The variables that are unset, for which the sample stands. */
export const sampledNames = (source: Record<string, string | undefined>) => sellerNames.filter((name) => !source[name]);

/** Whoever takes real money says who they are: a tax invoice without its supplier's identity and ABN is none. */
export function unnamedSeller(source: Record<string, string | undefined>): string[] {
  if (!/^[sr]k_live_/.test(source.STRIPE_SECRET_KEY ?? '')) return [];
  const missing = sampledNames(source);
  const invented = ['SUPPORT_EMAIL', 'SALES_EMAIL', 'ENTERPRISE_EMAIL', 'PRIVACY_EMAIL', 'MAIL_FROM'].filter((name) =>
    /\.example>?$/i.test(source[name] ?? ''),
  );
  return [
    ...(missing.length > 0 ? [`${missing.join(', ')} must be set with live keys: tax invoices name the seller`] : []),
    ...invented.map((name) => `${name} must be a mailbox of yours with live keys: nothing under .example exists`),
  ];
}
