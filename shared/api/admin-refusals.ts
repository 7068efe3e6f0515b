/** What an administrator's act, or the approval of one, is refused with. */
export const adminRefusals = {
  user_verified: [409, 'This user’s address is verified already.'],
  user_suspended: [409, 'This user is suspended. Reinstate them first.'],
  subscription_gone: [404, 'This subscription does not exist.'],
  invoice_not_found: [404, 'This invoice does not exist.'],
  invoice_settled: [409, 'This invoice is no longer open. Nothing was changed.'],
  invoice_not_paid: [409, 'Only what was paid can be refunded.'],
  cannot_extend: [409, 'Only a running trial that would go on or end by itself can be extended.'],
  trial_changed: [409, 'This trial has changed in the meantime. Nothing was changed; please check and try again.'],
  trial_too_long: [409, 'A trial can last 120 days in all. Please extend it by fewer days.'],
  refund_changed: [
    409,
    'Something was refunded of this invoice in the meantime. Nothing was refunded now; please check and try again.',
  ],
  refund_refused: [409, 'Stripe refused this refund. Nothing was sent back.'],
  card_missing: [409, 'There is no card on file to charge.'],
  charge_refused: [409, 'The card was refused, so the invoice stays open. Nothing was charged.'],
} as const;
