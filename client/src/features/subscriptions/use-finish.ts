import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { contract } from '#shared/api/index.ts';
import { payerOf } from '#client/features/subscriptions/change.ts';
import { api } from '#client/lib/api.ts';
import { paths } from '#client/lib/paths.ts';
import { invalidate } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';

/** B §9: how long the outcome is read before the dashboard follows, in milliseconds. */
const redirectMs = 1500;

export type Outcome = { title: 'Payment Successful' | 'Subscription Created'; sentence: string };

export const outcomeOf = (paid: boolean, toolName: string, includesLostMoney: boolean): Outcome => {
  const added = includesLostMoney ? '\nLost Money AI was added for free.' : '';
  return paid
    ? { title: 'Payment Successful', sentence: `You are subscribed to ${toolName}.${added}` }
    : { title: 'Subscription Created', sentence: `${toolName} is ready to open.${added}` };
};

/** After a purchase: the toast, the provider re-read, the lists refetched, and then the dashboard (B §4). */
export const useFinish = (toolId: string, teamId: string | null) => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => navigate(paths.dashboard), redirectMs);
    return () => clearTimeout(timer);
  }, [outcome, navigate]);

  const finish = async (done: Outcome) => {
    setOutcome(done);
    toast({ title: done.title, description: done.sentence });
    // The money is paid whatever becomes of this call: the provider's webhook brings the same news.
    await api.subscriptions.sync({ params: { toolId }, body: payerOf({ teamId }) }).catch(() => null);
    const { list, listAll, quote } = contract.subscriptions;
    await invalidate(queryClient, list, listAll, quote);
  };
  return { outcome, finish: (done: Outcome) => void finish(done) };
};
