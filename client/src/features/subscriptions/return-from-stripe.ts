import { useEffect } from 'react';
import { useLocation } from 'wouter';
import type { Tool } from '#shared/api/tools.ts';
import { paymentSentence } from '#client/lib/confirm-card.ts';
import { purchaseOutcome } from '#client/features/subscriptions/purchase-outcome.ts';
import { paths } from '#client/lib/paths.ts';
import type { Payer } from '#client/lib/payer.ts';
import { syncSubscription } from '#client/lib/sync-subscription.ts';
import { toast, toastError } from '#client/lib/toast.ts';

const toolParam = 'subscribed';
const freeParam = 'free';
const teamParam = 'team';

/** What Stripe adds to the return address. */
const stripeParams = [
  'payment_intent',
  'payment_intent_client_secret',
  'setup_intent',
  'setup_intent_client_secret',
  'redirect_status',
];

/** Where Stripe sends the browser if it has to leave the page, such as to a bank. */
export const returnAddress = (toolId: string, includesLostMoney: boolean, { teamId }: Payer) => {
  const search = new URLSearchParams({
    [toolParam]: toolId,
    ...(includesLostMoney ? { [freeParam]: '1' } : {}),
    ...(teamId && { [teamParam]: teamId }),
  });
  return `${window.location.origin}${paths.dashboard}?${search}`;
};

/** On the dashboard, after a return from Stripe: tells the outcome and removes Stripe's parameters from the address. */
export const useReturnFromStripe = (tools: readonly Tool[] | undefined) => {
  const [path, navigate] = useLocation();
  useEffect(() => {
    const search = new URLSearchParams(window.location.search);
    const status = search.get('redirect_status');
    if (!tools || !status) return;
    const toolId = search.get(toolParam) ?? '';
    const includesLostMoney = search.get(freeParam) === '1';
    const teamId = search.get(teamParam);
    for (const name of [...stripeParams, toolParam, freeParam, teamParam]) search.delete(name);
    navigate(search.size > 0 ? `${path}?${search}` : path, { replace: true });

    const tell = async () => {
      const tool = tools.find(({ id }) => id === toolId);
      const synced = tool && (await syncSubscription(toolId, { teamId }));
      // Anybody can type an address, so what the server reads from Stripe decides.
      if (synced?.hasAccess) {
        const { title, sentence } = purchaseOutcome(true, synced.tool.name, includesLostMoney);
        toast({ title, description: sentence });
      } else if (status === 'failed') {
        toastError(paymentSentence(null), 'Payment Failed');
      } else {
        toast({
          title: 'Payment received',
          description: 'Your subscription appears here once the payment is confirmed.',
        });
      }
    };
    void tell();
  }, [tools, path, navigate]);
};
