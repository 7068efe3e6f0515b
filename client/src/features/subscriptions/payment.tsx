import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { CreditCard, Lock } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import type { PaymentMethod } from '#shared/api/billing.ts';
import type { Charge } from '#shared/api/charge.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { laterPart } from '#client/lib/pages/load-later.ts';
import { NewCard } from '#client/features/billing/new-card.tsx';
import {
  DueToday,
  type Opened,
  PaymentFormSkeleton,
  type PaymentRequest,
  PaymentTerms,
} from '#client/features/subscriptions/payment-terms.tsx';
import { purchaseReturn } from '#client/features/subscriptions/purchase-outcome.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { cardExpiry, expiryText } from '#client/lib/money/card-expiry.ts';
import { CardName, type Payer, useCardOnFile, useTeamName } from '#client/lib/money/payer.tsx';
import { refetchChangedBy, useApiQuery } from '#client/lib/calls/use-api.ts';
import { Button, FormError, Text } from '#client/ui/elements.tsx';
import { both, QueryView } from '#client/ui/query-view.tsx';
import type { Terms } from '#client/features/subscriptions/charge-terms.ts';
import { sentenceOf } from '#client/lib/calls/api-error.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useDialogLock } from '#client/ui/in-dialog.tsx';

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
              <>
                <DueToday terms={props.terms} card="your new card" />
                <NewCard
                  teamId={props.payer.teamId}
                  onSaved={() => setTyping(false)}
                  onCancel={card && typing ? () => setTyping(false) : undefined}
                  preparing={<PaymentFormSkeleton />}
                />
              </>
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

const TypedCard = ({ payer, toolId, terms, subscribes, open, failure, onBusy, onDone }: Props) => {
  const config = useApiQuery(contract.billing.config);
  const id = useId();
  // A query, because React may mount this twice and the call must be sent once.
  const opened = useQuery({ queryKey: ['open payment', id], queryFn: () => open(), gcTime: 0 });
  const isDone = useRef(false);
  useEffect(() => {
    // A failure is handled when the form is rendered.
    loadForm().catch(() => undefined);
  }, []);
  useEffect(() => {
    // Nothing to pay after all, for example because free access was granted in between.
    if (!opened.data || opened.data.clientSecret || isDone.current) return;
    isDone.current = true;
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
            terms={{ ...terms, dueTodayCents: payment.amountCents }}
            subscribes={subscribes}
            returnUrl={purchaseReturn(toolId, payment.includesLostMoney ?? false, payer)}
            {...(onBusy && { onBusy })}
            onPaid={() => onDone(payment, true)}
          />
        )
      }
    </QueryView>
  );
};

type ChargeProps = {
  payer: Payer;
  /** Null only if nothing is left to charge. */
  card: PaymentMethod | null;
  terms: Terms;
  open: (charge: Charge) => Promise<Opened>;
  /** What a failure is called if the server gives no sentence. */
  failure: string;
  subscribes?: boolean;
  onBusy?: ((busy: boolean) => void) | undefined;
  onChange: () => void;
  onPaid: (opened: Opened) => void;
};

/** Offers the card on file, and charges it with one press. */
const ChargeCard = ({ payer, card, terms, open, failure, subscribes, onBusy, onChange, onPaid }: ChargeProps) => {
  const team = useTeamName(payer);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const sending = useRef(false);
  useDialogLock(busy);
  const { dueTodayCents, carriedCents, nextBill } = terms;
  const cardName = card ? <CardName card={card} /> : 'your card';

  const charge = async (): Promise<string | null> => {
    const opened = await open({
      cents: dueTodayCents,
      last4: card?.last4 ?? null,
      ...(nextBill && { nextCents: nextBill.totalCents }),
    });
    if (opened.clientSecret !== null) {
      const { authenticate } = await import('#client/lib/session/authenticate.ts');
      const refused = await authenticate(opened.clientSecret);
      if (refused !== null) {
        toast({ title: 'Payment Failed', variant: 'destructive' });
        return refused;
      }
    }
    onPaid(opened);
    return null;
  };
  const press = async () => {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    onBusy?.(true);
    setFault(undefined);
    const refused = await charge().catch((error: unknown) => {
      // Card or price may have changed, or the tool was bought in another window.
      void refetchChangedBy(contract.subscriptions.create);
      return sentenceOf(error, failure);
    });
    // Once paid it stays busy, so that it can't be pressed again.
    if (refused === null) return;
    setFault(refused);
    setBusy(false);
    onBusy?.(false);
    sending.current = false;
  };

  return (
    <div aria-busy={busy} className="flex flex-col gap-4">
      {card && (
        <div className="flex items-center gap-3 rounded border bg-surface-subtle p-3">
          <CreditCard aria-hidden className="size-5 shrink-0 text-muted" />
          <div className="min-w-0 flex-1">
            <p className="font-medium">
              <CardName card={card} />
            </p>
            <p className="figures text-xs text-muted">
              {team === null ? 'Your card on file' : `Card on file of ${team}`}, expires {expiryText(card)}
            </p>
          </div>
          {dueTodayCents > 0 && (
            <Button variant="link" size="sm" aria-disabled={busy} onClick={() => !busy && onChange()}>
              Change
            </Button>
          )}
        </div>
      )}
      <FormError>{fault}</FormError>
      <DueToday terms={terms} card={cardName} />
      <Button
        size="lg"
        className="figures w-full"
        pending={busy}
        pendingLabel="Processing Payment..."
        onClick={() => void press()}
      >
        <Lock aria-hidden />
        <span>
          {subscribes ? (
            `Subscribe for ${formatCents(terms.cents)}/month`
          ) : dueTodayCents > 0 ? (
            <>
              <Text>Charge {formatCents(dueTodayCents)} to </Text>
              {cardName}
            </>
          ) : carriedCents > 0 ? (
            'Subscribe, nothing due today'
          ) : (
            'Pay with your credit'
          )}
        </span>
      </Button>
      <PaymentTerms terms={terms} card={cardName} />
    </div>
  );
};
