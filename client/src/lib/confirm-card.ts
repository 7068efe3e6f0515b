import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js';

type Confirmation = {
  stripe: Stripe;
  elements: StripeElements;
  clientSecret: string;
  /** A card kept for later, where nothing is due today. */
  setup: boolean;
  returnUrl: string;
};

/** Intents in these states need nothing more of the adviser. */
const settled = (status: string | undefined) => status === 'succeeded' || status === 'processing';

/** The provider's confirm step (B §4), redirecting only if required. `paid`, or why not; null for what has no words. */
export const confirmCard = async ({ stripe, elements, clientSecret, setup, returnUrl }: Confirmation) => {
  const options = {
    elements,
    clientSecret,
    confirmParams: { return_url: returnUrl },
    redirect: 'if_required',
  } as const;
  if (setup) {
    const { error, setupIntent } = await stripe.confirmSetup(options);
    return outcome(error, (error?.setup_intent ?? setupIntent)?.status);
  }
  const { error, paymentIntent } = await stripe.confirmPayment(options);
  return outcome(error, (error?.payment_intent ?? paymentIntent)?.status);
};

/** An intent that is paid already, in another tab perhaps, is no failure. */
const outcome = (error: StripeError | undefined, status: string | undefined): 'paid' | StripeError | null =>
  settled(status) ? 'paid' : (error ?? null);

/** B §8: the provider's message for the card and its fields, one sentence for everything else. */
export const paymentSentence = (error: StripeError | null) =>
  error?.type === 'card_error' || error?.type === 'validation_error'
    ? (error.message ?? 'An error occurred with your card.')
    : 'An unexpected error occurred. Please try again.';
