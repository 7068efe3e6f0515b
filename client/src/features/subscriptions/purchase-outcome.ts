import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Tool } from '#shared/api/tools.ts';
import { paths } from '#client/lib/pages/paths.ts';
import type { Payer } from '#client/lib/money/payer.tsx';
import { syncSubscription } from '#client/lib/calls/sync-subscription.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { paymentSentence } from '#client/lib/money/confirm-card.ts';
import { returnAddress, useStripeReturn } from '#client/lib/money/stripe-return.ts';

const redirectMs = 1500;

export type Outcome = { title: 'Payment Successful' | 'Subscription Created'; sentence: string };

export const purchaseOutcome = (paid: boolean, toolName: string, includesLostMoney: boolean): Outcome => {
  const added = includesLostMoney ? '\nLost Money AI was added for free.' : '';
  return paid
    ? { title: 'Payment Successful', sentence: `You are subscribed to ${toolName}.${added}` }
    : { title: 'Subscription Created', sentence: `${toolName} is ready to open.${added}` };
};

/** After a purchase: tells the outcome, syncs the subscription and opens the dashboard. */
export const usePurchaseOutcome = (toolId: string, payer: Payer) => {
  const [, navigate] = useLocation();
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => navigate(paths.dashboard), redirectMs);
    return () => clearTimeout(timer);
  }, [outcome, navigate]);

  const finish = (done: Outcome) => {
    setOutcome(done);
    toast({ title: done.title, description: done.sentence });
    void syncSubscription(toolId, payer);
  };
  return { outcome, finish };
};

const toolParam = 'subscribed';
const freeParam = 'free';
const teamParam = 'team';

/** Where Stripe sends the browser back to after a payment. */
export const purchaseReturn = (toolId: string, includesLostMoney: boolean, { teamId }: Payer) =>
  returnAddress({
    [toolParam]: toolId,
    ...(includesLostMoney ? { [freeParam]: '1' } : {}),
    ...(teamId && { [teamParam]: teamId }),
  });

/** On the dashboard, after a return from a payment: tells the outcome. */
export const usePurchaseReturn = (tools: readonly Tool[] | undefined) =>
  useStripeReturn(
    { purpose: toolParam, passing: [freeParam, teamParam], ready: tools !== undefined },
    async (returned) => {
      const tool = tools?.find(({ id }) => id === returned.get(toolParam));
      const synced = tool && (await syncSubscription(tool.id, { teamId: returned.get(teamParam) }));
      // Anybody can type an address, so what the server reads from Stripe decides.
      if (synced?.hasAccess) {
        const { title, sentence } = purchaseOutcome(true, synced.tool.name, returned.get(freeParam) === '1');
        toast({ title, description: sentence });
      } else if (returned.get('redirect_status') === 'failed') {
        toastError(paymentSentence(null), 'Payment Failed');
      } else {
        toast({
          title: 'Payment not confirmed yet',
          description: 'Your subscription appears here once it is.',
          variant: 'info',
        });
      }
    },
  );
