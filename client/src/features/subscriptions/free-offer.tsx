import { useRef } from 'react';
import { contract } from '#shared/api/index.ts';
import type { Quote } from '#shared/api/subscriptions.ts';
import type { Tool } from '#shared/api/tools.ts';
import { formatCents } from '#shared/rules/money.ts';
import type { Buyer } from '#client/features/subscriptions/buyer.ts';
import { payerOf } from '#client/features/subscriptions/change.ts';
import { initFailure } from '#client/features/subscriptions/init-failure.ts';
import { type Outcome, outcomeOf } from '#client/features/subscriptions/use-finish.ts';
import { useApiMutation } from '#client/lib/query-client.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';

type Props = { tool: Tool; buyer: Buyer; quote: Quote; onDone: (outcome: Outcome) => void };

/** A price of nothing: no card, no trial, and still nothing happens without a press. */
export const FreeOffer = ({ tool, buyer, quote, onDone }: Props) => {
  const sent = useRef(false);
  const create = useApiMutation(contract.subscriptions.create, {
    onSuccess: ({ includesLostMoney }) => onDone(outcomeOf(false, tool.name, includesLostMoney)),
    onError: () => (sent.current = false),
  });
  const subscribe = () => {
    if (sent.current) return;
    sent.current = true;
    create.mutate({ body: { toolId: tool.id, ...payerOf(buyer) } });
  };
  return (
    <>
      {create.error && (
        <Alert tone="danger" announce>
          {initFailure(create.error)}
        </Alert>
      )}
      <Button
        size="lg"
        className="figures w-full"
        pending={create.isPending}
        pendingLabel="Subscribing…"
        onClick={subscribe}
      >
        Subscribe for {formatCents(quote.totalCents)}/month
      </Button>
      <p className="text-xs text-muted">
        No card needed: nothing is charged, today or later, while the price is nothing.
      </p>
    </>
  );
};
