import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { laterPart } from '#client/lib/pages/load-later.ts';
import { NewCard } from '#client/features/billing/new-card.tsx';
import { ChargeCard } from '#client/features/subscriptions/charge-card.tsx';
import { PaymentFormSkeleton } from '#client/features/subscriptions/payment-form-skeleton.tsx';
import type { Opened, PaymentRequest } from '#client/features/subscriptions/payment-terms.tsx';
import { purchaseReturn } from '#client/features/subscriptions/return-from-stripe.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { cardExpiry } from '#client/lib/money/card-expiry.ts';
import { CardName, useCardOnFile } from '#client/lib/money/card-name.tsx';
import type { Payer } from '#client/lib/money/payer.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { Button } from '#client/ui/button.tsx';
import { both, QueryView } from '#client/ui/query-view.tsx';

const loadForm = () => import('#client/features/subscriptions/payment-form.tsx');
const PaymentForm = laterPart(loadForm, <PaymentFormSkeleton />);

type Props = PaymentRequest & {
  payer: Payer;
  /** True while Stripe is being asked: the form must stay until it answers. */
  onBusy?: (busy: boolean) => void;
  /** `paid` is false if there was nothing to pay after all. */
  onDone: (opened: Opened, paid: boolean) => void;
};

/**
 * Pays with the card on file, or with credit if that is enough. A card that is typed in pays a first bill at once; where there is a bill
 * already, it replaces the payer's card first, and a press then charges it.
 */
export const Payment = (props: Props) => {
  const onFile = useCardOnFile(props.payer);
  const [typing, setTyping] = useState(false);
  const [busy, setBusy] = useState(false);
  const { dueTodayCents, part } = props.terms;
  return (
    <QueryView query={onFile} failedTitle={props.failure} loading={<PaymentFormSkeleton />}>
      {(card) =>
        dueTodayCents === 0 || (card && !typing && cardExpiry(card, businessNow()) !== 'expired') ? (
          <ChargeCard
            {...props}
            card={card}
            onChange={() => setTyping(true)}
            onPaid={(opened) => props.onDone(opened, true)}
          />
        ) : (
          <>
            {part ? (
              <NewCard
                teamId={props.payer.teamId}
                onSaved={() => setTyping(false)}
                onCancel={card && typing ? () => setTyping(false) : undefined}
                preparing={<PaymentFormSkeleton />}
              />
            ) : (
              <TypedCard
                {...props}
                onBusy={(on) => {
                  setBusy(on);
                  props.onBusy?.(on);
                }}
              />
            )}
            {!part && card && typing && !busy && (
              <Button variant="link" className="self-center" onClick={() => setTyping(false)}>
                Back to <CardName card={card} />
              </Button>
            )}
          </>
        )
      }
    </QueryView>
  );
};

const TypedCard = ({ payer, toolId, open, failure, onBusy, onDone }: Props) => {
  const config = useApiQuery(contract.billing.config);
  const id = useId();
  // A query, because React may mount this twice and the call must be sent once.
  const opened = useQuery({ queryKey: ['open payment', id], queryFn: () => open(), gcTime: 0 });
  const told = useRef(false);
  useEffect(() => {
    // A failure is handled when the form is rendered.
    loadForm().catch(() => undefined);
  }, []);
  useEffect(() => {
    // Nothing to pay after all, for example because free access was granted in between.
    if (!opened.data || opened.data.clientSecret || told.current) return;
    told.current = true;
    onDone(opened.data, false);
  }, [opened.data, onDone]);
  return (
    <QueryView query={both(opened, config)} failedTitle={failure} loading={<PaymentFormSkeleton />}>
      {([payment, stripeConfig]) =>
        payment.clientSecret === null ? (
          <PaymentFormSkeleton />
        ) : (
          <PaymentForm
            config={stripeConfig}
            clientSecret={payment.clientSecret}
            payer={payer}
            dueTodayCents={payment.amountCents}
            returnUrl={purchaseReturn(toolId, payment.includesLostMoney ?? false, payer)}
            {...(onBusy && { onBusy })}
            onPaid={() => onDone(payment, true)}
          />
        )
      }
    </QueryView>
  );
};
