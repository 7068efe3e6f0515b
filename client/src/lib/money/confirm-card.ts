import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js';

type Confirmation = {
  stripe: Stripe;
  elements: StripeElements;
  clientSecret: string;
  /** Only saves the card, because nothing is due today. */
  setup: boolean;
  returnUrl: string;
};

/** Intents in these states need nothing more from the adviser. */
export const settled = (status: string | undefined) => status === 'succeeded' || status === 'processing';

/** Leaves the page only if the bank requires it. Returns `paid`, else Stripe's error, or null if Stripe gives none. */
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

/** An intent that was paid already, perhaps in another tab, is not a failure. */
const outcome = (error: StripeError | undefined, status: string | undefined): 'paid' | StripeError | null =>
  settled(status) ? 'paid' : (error ?? null);

export const cardUnproved =
  'Your bank could not confirm that it was you. The card was not saved. Please try again, or use another card.';

/** Our words, by error code, for what Stripe words for developers rather than cardholders. */
const plain: Record<string, string> = {
  payment_intent_authentication_failure:
    'Your bank could not confirm that it was you. Nothing was charged. Please try again, or use another card.',
  setup_intent_authentication_failure: cardUnproved,
};
export const withdrawn =
  'This payment is no longer open: the purchase was changed in another window. Nothing was charged here.';

/** Stripe's message about the card or its fields, or our own words for what it says to developers; null for all else. */
export const explained = (error: StripeError | null): string | null => {
  if (error?.type === 'card_error' || error?.type === 'validation_error')
    return error.message ?? 'An error occurred with your card.';
  if (error?.payment_intent?.status === 'canceled') return withdrawn;
  return plain[error?.code ?? ''] ?? null;
};

export const paymentSentence = (error: StripeError | null) =>
  explained(error) ?? 'An unexpected error occurred. Please try again.';
