import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { contract } from '#shared/api/index.ts';
import type { Tool } from '#shared/api/tools.ts';
import { payerOf } from '#client/features/subscriptions/change.ts';
import { paymentSentence } from '#client/lib/confirm-card.ts';
import { outcomeOf } from '#client/features/subscriptions/use-finish.ts';
import { api } from '#client/lib/api.ts';
import { paths } from '#client/lib/paths.ts';
import { invalidate } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';

const toolParam = 'subscribed';
const freeParam = 'free';
const teamParam = 'team';

/** What the provider adds to the address it returns to. */
const providerParams = [
  'payment_intent',
  'payment_intent_client_secret',
  'setup_intent',
  'setup_intent_client_secret',
  'redirect_status',
];

/** Where the provider sends the browser back to, if it has to leave the page (B §4). */
export const returnAddress = (toolId: string, includesLostMoney: boolean, teamId: string | null) => {
  const search = new URLSearchParams({
    [toolParam]: toolId,
    ...(includesLostMoney ? { [freeParam]: '1' } : {}),
    ...(teamId === null ? {} : { [teamParam]: teamId }),
  });
  return `${window.location.origin}${paths.dashboard}?${search}`;
};

/** Back from the provider on the dashboard: the outcome as a toast, and the address cleaned (decisions §5). */
export const useProviderReturn = (tools: readonly Tool[] | undefined) => {
  const queryClient = useQueryClient();
  const [path, navigate] = useLocation();
  useEffect(() => {
    const search = new URLSearchParams(window.location.search);
    const status = search.get('redirect_status');
    if (!tools || !status) return;
    const toolId = search.get(toolParam) ?? '';
    const includesLostMoney = search.get(freeParam) === '1';
    const payer = payerOf({ teamId: search.get(teamParam) });
    for (const name of [...providerParams, toolParam, freeParam, teamParam]) search.delete(name);
    navigate(search.size > 0 ? `${path}?${search}` : path, { replace: true });

    const tell = async () => {
      const tool = tools.find(({ id }) => id === toolId);
      const synced = tool ? await api.subscriptions.sync({ params: { toolId }, body: payer }).catch(() => null) : null;
      const { list, listAll, quote } = contract.subscriptions;
      await invalidate(queryClient, list, listAll, quote);
      // The provider re-read outweighs what an address can claim.
      if (synced?.hasAccess) {
        const { title, sentence } = outcomeOf(true, synced.tool.name, includesLostMoney);
        toast({ title, description: sentence });
      } else if (status === 'failed') {
        toast({ title: 'Payment Failed', description: paymentSentence(null), variant: 'destructive' });
      } else {
        toast({
          title: 'Payment received',
          description: 'Your subscription appears here once the payment is confirmed.',
        });
      }
    };
    void tell();
  }, [tools, path, navigate, queryClient]);
};
