import { contract } from '#shared/api/members.ts';
import { api } from '#client/lib/calls/api.ts';
import { type Payer, payerArgs } from '#client/lib/money/payer.tsx';
import { refetchChangedBy } from '#client/lib/calls/use-api.ts';

/**
 * Makes the server read the subscription again from Stripe, after the browser confirmed a payment. Null if that fails:
 * the payment was made all the same, and Stripe's webhook will tell the server.
 */
export const syncSubscription = (toolId: string, payer: Payer) =>
  api.subscriptions.sync({ params: { toolId }, body: payerArgs(payer) }).catch(async () => {
    await refetchChangedBy(contract.subscriptions.sync);
    return null;
  });
