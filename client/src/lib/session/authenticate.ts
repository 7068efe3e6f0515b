import { api } from '#client/lib/calls/api.ts';
import { paymentSentence, settled, withdrawn } from '#client/lib/money/confirm-card.ts';
import { startStripe } from '#client/lib/money/stripe.ts';

/**
 * Finishes a payment that the server began with the card on file, for which the bank may want the cardholder. Null once it is paid,
 * else why it was not.
 */
export const authenticate = async (clientSecret: string): Promise<string | null> => {
  const stripe = await startStripe(await api.billing.config());
  const { paymentIntent: found, error: unread } = await stripe.retrievePaymentIntent(clientSecret);
  if (settled(found?.status)) return null;
  if (unread) return paymentSentence(unread);
  if (found.status === 'canceled') return withdrawn;
  if (found.status !== 'requires_action')
    return found.last_payment_error?.message ?? 'Your card was declined. Please use another card.';
  const { error, paymentIntent } = await stripe.handleNextAction({ clientSecret });
  return settled(paymentIntent?.status) ? null : paymentSentence(error ?? null);
};
