import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { contract } from '#shared/api/index.ts';
import type { Quote } from '#shared/api/subscriptions.ts';
import type { Tool } from '#shared/api/tools.ts';
import { centsOf } from '#shared/rules/money.ts';
import type { Buyer } from '#client/features/subscriptions/buyer.ts';
import { payerOf } from '#client/features/subscriptions/change.ts';
import { ChargeSchedule } from '#client/features/subscriptions/charge-schedule.tsx';
import { CheckoutCard } from '#client/features/subscriptions/checkout-card.tsx';
import { initFailure } from '#client/features/subscriptions/init-failure.ts';
import { Preparing } from '#client/features/subscriptions/preparing.tsx';
import { PriceBreakdown } from '#client/features/subscriptions/price-breakdown.tsx';
import { returnAddress } from '#client/features/subscriptions/provider-return.ts';
import { SubscriptionError } from '#client/features/subscriptions/subscription-error.tsx';
import { type Outcome, outcomeOf } from '#client/features/subscriptions/use-finish.ts';
import { api } from '#client/lib/api.ts';
import { keyOf, useApiQuery } from '#client/lib/query-client.ts';
import { Button } from '#client/ui/button.tsx';

const loadForm = () => import('#client/features/subscriptions/payment-form.tsx');
const PaymentForm = lazy(loadForm);

type Props = {
  tool: Tool;
  buyer: Buyer;
  quote: Quote;
  onDone: (outcome: Outcome) => void;
  onTrial: (() => void) | null;
};

/** Paying now: the purchase is opened when this appears (decisions §5), and the server offers an open one again. */
export const PaymentSection = ({ tool, buyer, quote, onDone, onTrial }: Props) => {
  const config = useApiQuery(contract.billing.config);
  const body = { toolId: tool.id, ...payerOf(buyer) };
  // A query and not a mutation: React may mount twice, and this asks once.
  const opened = useQuery({
    queryKey: keyOf(contract.subscriptions.create, body),
    queryFn: () => api.subscriptions.create({ body }),
    gcTime: 0,
  });
  const purchase = opened.data;
  const told = useRef(false);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    // Met again, and shown, when the form is rendered.
    loadForm().catch(() => undefined);
  }, []);
  useEffect(() => {
    // Nothing to pay after all, such as free access granted meanwhile.
    if (!purchase || purchase.clientSecret || told.current) return;
    told.current = true;
    onDone(outcomeOf(false, tool.name, purchase.includesLostMoney));
  }, [purchase, tool.name, onDone]);

  const error = opened.error ?? config.error;
  if (error) return <SubscriptionError as="h2" sentence={initFailure(error)} requestId={error.requestId} />;

  const price = purchase?.quote ?? quote;
  return (
    <CheckoutCard>
      <PriceBreakdown quote={price} unitCents={centsOf(tool.basePrice)} />
      <ChargeSchedule
        charges={[
          { label: 'Due today', cents: price.dueTodayCents },
          ...(price.nextChargeAt ? [{ label: 'Next charge', cents: price.totalCents, at: price.nextChargeAt }] : []),
        ]}
      />
      {purchase?.clientSecret && config.data ? (
        <Suspense fallback={<Preparing />}>
          <PaymentForm
            config={config.data}
            clientSecret={purchase.clientSecret}
            intent={purchase.intent}
            totalCents={price.totalCents}
            returnUrl={returnAddress(tool.id, purchase.includesLostMoney, buyer.teamId)}
            onBusy={setBusy}
            onPaid={() => onDone(outcomeOf(true, tool.name, purchase.includesLostMoney))}
          />
        </Suspense>
      ) : (
        <Preparing />
      )}
      {onTrial && !busy && (
        <Button variant="link" className="self-center" onClick={onTrial}>
          Back to the free trial
        </Button>
      )}
    </CheckoutCard>
  );
};
