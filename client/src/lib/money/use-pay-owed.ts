import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { api } from '#client/lib/calls/api.ts';
import { ApiError } from '#client/lib/calls/api-error.ts';
import { useForecast } from '#client/lib/money/forecast.ts';
import { type Payer, payerArgs } from '#client/lib/money/payer.ts';
import { syncSubscription } from '#client/lib/calls/sync-subscription.ts';
import { toast } from '#client/lib/words/toast.ts';
import { refetchChangedBy } from '#client/lib/calls/write.ts';

/** Charges everything that is owed to the card on file, with the bank's authentication if it wants one. Without a card it does nothing. */
export const usePayOwed = (payer: Payer) => {
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const { data: { owed, card } = { owed: null, card: null } } = useForecast(payer);

  const pay = async () => {
    if (!owed || !card) return;
    const charge = { cents: owed.dueCents, last4: card.last4 };
    const { clientSecret } = await api.billing.pay({ body: { ...payerArgs(payer), charge } });
    const toolId = owed.lines[0]?.toolId ?? owed.parts[0]?.toolId;
    const refused = clientSecret === null ? null : await authenticated(clientSecret);
    if (clientSecret !== null && toolId !== undefined) await syncSubscription(toolId, payer);
    if (refused === null)
      toast({ title: 'Payment Successful', description: `${formatCents(owed.dueCents)} paid. Your tools continue.` });
    else {
      setRefusal(refused);
      toast({ title: 'Payment Failed', variant: 'destructive' });
    }
  };
  const press = () => {
    if (pending) return;
    setPending(true);
    setRefusal(undefined);
    pay()
      .catch((error: unknown) => {
        setRefusal(error instanceof ApiError ? error.sentence : 'An unexpected error occurred. Please try again.');
        // What is owed, or the card, has changed elsewhere.
        return refetchChangedBy(contract.billing.pay);
      })
      .finally(() => setPending(false));
  };
  return { press, pending, refusal, owed, card };
};

const authenticated = async (clientSecret: string) => {
  const { authenticate } = await import('#client/lib/session/authenticate.ts');
  return authenticate(clientSecret);
};
