import { useState } from 'react';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/money.ts';
import { api } from '#client/lib/api.ts';
import { ApiError } from '#client/lib/api-error.ts';
import { useCardOnFile } from '#client/lib/card-name.tsx';
import { payerArgs } from '#client/lib/payer.ts';
import { syncSubscription } from '#client/lib/sync-subscription.ts';
import { toast } from '#client/lib/toast.ts';

/** Charges what is owed to the card on file, with the bank's authentication if it wants one. Without a card it does nothing. */
export const usePayNow = ({ toolId, teamId, tool, paymentProblem }: Subscription) => {
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const { data: card } = useCardOnFile({ teamId });
  const cents = paymentProblem?.amountCents ?? 0;

  const pay = async () => {
    if (!card) return;
    const { clientSecret } = await api.subscriptions.pay({
      params: { toolId },
      body: { ...payerArgs({ teamId }), charge: { cents, last4: card.last4 } },
    });
    const { authenticate } = await import('#client/lib/authenticate.ts');
    const refused = clientSecret === null ? null : await authenticate(clientSecret);
    if (clientSecret !== null) await syncSubscription(toolId, { teamId });
    if (refused === null)
      toast({ title: 'Payment Successful', description: `${formatCents(cents)} paid. ${tool.name} continues.` });
    else {
      setRefusal(refused);
      toast({ title: 'Payment Failed', variant: 'destructive' });
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
  return { payNow, pending, refusal, card, cents };
};
