import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { payerArgs } from '#client/features/billing/payer.ts';
import { changedByPayment } from '#client/features/billing/use-save-card.ts';
import { api } from '#client/lib/api.ts';
import { ApiError } from '#client/lib/api-error.ts';
import { paymentSentence } from '#client/lib/confirm-card.ts';
import { invalidate } from '#client/lib/query-client.ts';
import { startStripe } from '#client/lib/stripe.ts';
import { toast } from '#client/lib/toast.ts';

/** The bank's question, answered in the browser; null once it is paid, else why not. */
const confirmInBrowser = async (clientSecret: string): Promise<string | null> => {
  const stripe = await startStripe(await api.billing.config());
  const { paymentIntent: found } = await stripe.retrievePaymentIntent(clientSecret);
  if (found?.status === 'succeeded' || found?.status === 'processing') return null;
  if (found?.status !== 'requires_action')
    return found?.last_payment_error?.message ?? 'Your card was declined. Please give another card.';
  const { error, paymentIntent } = await stripe.handleNextAction({ clientSecret });
  return paymentIntent?.status === 'succeeded' || paymentIntent?.status === 'processing'
    ? null
    : paymentSentence(error ?? null);
};

/** Charges what is owed to the card on file, with the bank's question in the browser where it has one. */
export const usePayNow = ({ toolId, teamId, tool }: Subscription) => {
  const queryClient = useQueryClient();
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const args = { params: { toolId }, body: payerArgs({ teamId: teamId ?? undefined }) };

  const pay = async () => {
    const { clientSecret } = await api.subscriptions.pay(args);
    const refused = clientSecret === null ? null : await confirmInBrowser(clientSecret);
    // The provider's webhook brings the same news.
    if (clientSecret !== null) await api.subscriptions.sync(args).catch(() => null);
    await invalidate(queryClient, ...changedByPayment);
    if (refused === null) toast({ title: 'Payment Successful', description: `${tool.name} continues.` });
    else {
      setRefusal(refused);
      toast({ title: 'Payment Failed', description: refused, variant: 'destructive' });
    }
  };
  const payNow = () => {
    if (pending) return;
    setPending(true);
    setRefusal(undefined);
    pay()
      .catch((error: unknown) =>
        setRefusal(error instanceof ApiError ? error.sentence : 'An unexpected error occurred. Please try again.'),
      )
      .finally(() => setPending(false));
  };
  return { payNow, pending, refusal };
};
