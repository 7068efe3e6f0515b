import { CreditCard, Lock } from 'lucide-react';
import { useRef, useState } from 'react';
import type { PaymentMethod } from '#shared/api/billing.ts';
import { contract } from '#shared/api/members.ts';
import type { Charge } from '#shared/api/charge.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import type { Terms } from '#client/features/subscriptions/charge-terms.ts';
import { type Opened, PaymentTerms } from '#client/features/subscriptions/payment-terms.tsx';
import { sentenceOf } from '#client/lib/calls/api-error.ts';
import { expiryText } from '#client/lib/money/card-expiry.ts';
import { CardName } from '#client/lib/money/card-name.tsx';
import { type Payer, useTeamName } from '#client/lib/money/payer.ts';
import { toast } from '#client/lib/words/toast.ts';
import { refetchChangedBy } from '#client/lib/calls/write.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { useDialogLock } from '#client/ui/in-dialog.tsx';

type Props = {
  payer: Payer;
  /** Null only if nothing is left to charge. */
  card: PaymentMethod | null;
  terms: Terms;
  open: (charge: Charge) => Promise<Opened>;
  /** What a failure is called if the server gives no sentence. */
  failure: string;
  onBusy?: ((busy: boolean) => void) | undefined;
  onChange: () => void;
  onPaid: (opened: Opened) => void;
};

/** Offers the card on file, and charges it with one press. */
export const ChargeCard = ({ payer, card, terms, open, failure, onBusy, onChange, onPaid }: Props) => {
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
      {fault && (
        <Alert tone="danger" announce>
          {fault}
        </Alert>
      )}
      <Button
        size="lg"
        className="figures w-full"
        pending={busy}
        pendingLabel="Processing Payment..."
        onClick={() => void press()}
      >
        <Lock aria-hidden />
        <span>
          {dueTodayCents > 0 ? (
            <>
              Charge {formatCents(dueTodayCents)} to {cardName}
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
