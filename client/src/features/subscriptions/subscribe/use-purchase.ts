import { useRef } from 'react';
import { contract } from '#shared/api/members.ts';
import type { Quote } from '#shared/api/subscriptions.ts';
import type { Tool } from '#shared/api/tools.ts';
import { type Outcome, purchaseOutcome } from '#client/features/subscriptions/purchase-outcome.ts';
import type { NamedPayer } from '#client/features/subscriptions/subscribe/payer-choice.tsx';
import { purchaseFailure } from '#client/features/subscriptions/subscribe/purchase-error.tsx';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { payerArgs } from '#client/lib/money/payer.ts';

export type Purchase = {
  tool: Tool;
  payer: NamedPayer;
  quote: Quote;
  /** A discount code was entered, or with null removed; the quote follows. */
  onCode: (code: string | null) => void;
  onDone: (outcome: Outcome) => void;
};

/** The quote's discount code, as it is sent with the purchase. */
export const codeArgs = ({ code }: Quote) => (code ? { code: code.code } : {});

/** A purchase without a card: free, or a trial. It is sent once, however often the button is pressed. */
export const usePurchase = ({ tool, payer, quote, onDone }: Purchase, terms: { trial?: true } = {}) => {
  const sent = useRef(false);
  const { mutate, isPending, error } = useApiMutation(contract.subscriptions.create, {
    // Otherwise the refetched list would say "Already subscribed" before the page tells the outcome.
    early: true,
    onSuccess: ({ includesLostMoney }) => onDone(purchaseOutcome(false, tool.name, includesLostMoney)),
    onError: () => (sent.current = false),
  });
  const send = () => {
    if (sent.current) return;
    sent.current = true;
    mutate({ body: { toolId: tool.id, ...terms, ...codeArgs(quote), ...payerArgs(payer) } });
  };
  return { send, pending: isPending, fault: error && purchaseFailure(error) };
};
