import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { CardRequest } from '#client/features/subscriptions/card-dialog.tsx';
import { changedBySubscription, payerOf } from '#client/features/subscriptions/change.ts';
import { api } from '#client/lib/api.ts';
import { invalidate } from '#client/lib/query-client.ts';

const CardDialog = lazy(() => import('#client/features/subscriptions/card-dialog.tsx'));

/** Asks for a card where the server answered a client secret; `done` follows once the provider was read again. */
export const useCard = (
  payer: { teamId: string | null },
  done: () => void,
): [(asked: CardRequest) => void, ReactNode] => {
  const queryClient = useQueryClient();
  const [request, setRequest] = useState<CardRequest | null>(null);
  const [opened, setOpened] = useState(false);
  const ask = (asked: CardRequest) => {
    setRequest(asked);
    setOpened(true);
  };
  const paid = async () => {
    if (!request) return;
    // Paid whatever becomes of this call: the provider's webhook brings the same news.
    const { toolId } = request;
    await api.subscriptions.sync({ params: { toolId }, body: payerOf(payer) }).catch(() => null);
    await invalidate(queryClient, ...changedBySubscription);
    setRequest(null);
    done();
  };
  const dialog = opened && (
    <Suspense>
      <CardDialog request={request} teamId={payer.teamId} onClose={() => setRequest(null)} onPaid={() => void paid()} />
    </Suspense>
  );
  return [ask, dialog];
};
