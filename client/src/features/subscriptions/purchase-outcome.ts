import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { paths } from '#client/lib/pages/paths.ts';
import type { Payer } from '#client/lib/money/payer.ts';
import { syncSubscription } from '#client/lib/calls/sync-subscription.ts';
import { toast } from '#client/lib/words/toast.ts';

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
