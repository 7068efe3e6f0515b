import { type ReactNode, useState } from 'react';
import type { Charge } from '#shared/api/charge.ts';
import { contract } from '#shared/api/members.ts';
import { termsOf } from '#client/features/subscriptions/charge-terms.ts';
import type { DialogRequest } from '#client/features/subscriptions/payment-dialog.tsx';
import { ApiError } from '#client/lib/calls/api-error.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import type { Payer } from '#client/lib/money/payer.tsx';
import { syncSubscription } from '#client/lib/calls/sync-subscription.ts';

const [PaymentDialog] = lazyDialog(() => import('#client/features/subscriptions/payment-dialog.tsx'));

/** Asks for a payment. `done` is called once it is synced. */
export const usePaymentDialog = (payer: Payer, done: () => void): [(request: DialogRequest) => void, ReactNode] => {
  const [request, setRequest] = useState<DialogRequest | null>(null);
  const paid = async () => {
    if (!request) return;
    await syncSubscription(request.toolId, payer);
    setRequest(null);
    done();
  };
  const open = async (latest: DialogRequest, charge?: Charge) => {
    try {
      return await latest.open(charge);
    } catch (error) {
      const quote = contract.subscriptions.quote.response.safeParse(
        error instanceof ApiError ? error.quote : null,
      ).data;
      // Something has changed: the next press agrees to what is due now.
      if (quote) setRequest({ ...latest, terms: termsOf(quote) });
      throw error;
    }
  };
  const dialog = (
    <PaymentDialog
      open={request !== null}
      request={request && { ...request, open: (charge) => open(request, charge) }}
      payer={payer}
      onClose={() => setRequest(null)}
      onPaid={() => void paid()}
    />
  );
  return [setRequest, dialog];
};
