/** What administrators do that Stripe carries out. */
export const actKinds = ['cancel', 'extend_trial', 'retry_charge', 'void_invoice', 'refund'] as const;
export type ActKind = (typeof actKinds)[number];
