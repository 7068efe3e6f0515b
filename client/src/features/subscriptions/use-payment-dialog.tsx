import { type ReactNode, useState } from 'react';
import type { DialogRequest } from '#client/features/subscriptions/payment-dialog.tsx';
import { lazyDialog } from '#client/lib/lazy-dialog.tsx';
import type { Payer } from '#client/lib/payer.ts';
import { syncSubscription } from '#client/lib/sync-subscription.ts';

const [PaymentDialog] = lazyDialog(() => import('#client/features/subscriptions/payment-dialog.tsx'));

/** Asks for a payment. `done` is called once it is synced. */
export const usePaymentDialog = (payer: Payer, done: () => void): [(asked: DialogRequest) => void, ReactNode] => {
  const [request, setRequest] = useState<DialogRequest | null>(null);
  const paid = async () => {
    if (!request) return;
    await syncSubscription(request.toolId, payer);
    setRequest(null);
    done();
  };
  const dialog = (
    <PaymentDialog
      open={request !== null}
      request={request}
      payer={payer}
      onClose={() => setRequest(null)}
      onPaid={() => void paid()}
    />
  );
  return [setRequest, dialog];
};
