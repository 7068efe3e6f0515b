import type { Tool } from '#shared/api/tools.ts';
import { purchaseOutcome } from '#client/features/subscriptions/purchase-outcome.ts';
import { paymentSentence } from '#client/lib/money/confirm-card.ts';
import type { Payer } from '#client/lib/money/payer.ts';
import { returnAddress, useStripeReturn } from '#client/lib/money/stripe-return.ts';
import { syncSubscription } from '#client/lib/calls/sync-subscription.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';

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
