import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { contract } from '#shared/api/index.ts';
import { invalidate } from '#client/lib/query-client.ts';

const channelName = 'adviserly-email-verified';

/** What a verified address changes: the badge, the trial on offer, and the price of the partner group (decisions §3). */
const refresh = (queryClient: QueryClient) =>
  invalidate(queryClient, contract.accounts.user, contract.subscriptions.quote);

/** After a verification: here, and in the other tabs, where the sign-up usually still stands. */
export const refreshAfterVerification = (queryClient: QueryClient) => {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('verified');
  channel.close();
  return refresh(queryClient);
};

export const useVerifiedElsewhere = () => {
  const queryClient = useQueryClient();
  useEffect(() => {
    const channel = new BroadcastChannel(channelName);
    channel.onmessage = () => void refresh(queryClient);
    return () => channel.close();
  }, [queryClient]);
};
