import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import type { Charge } from '#shared/api/subscriptions.ts';
import { centsOf } from '#shared/rules/money.ts';
import { Payment } from '#client/features/subscriptions/payment.tsx';
import { creditSentence } from '#client/features/subscriptions/charge-terms.ts';
import { ChargeSchedule } from '#client/features/subscriptions/subscribe/charge-schedule.tsx';
import { CheckoutCard } from '#client/features/subscriptions/subscribe/checkout-card.tsx';
import { PriceBreakdown } from '#client/features/subscriptions/subscribe/price-breakdown.tsx';
import { DiscountCode } from '#client/features/subscriptions/subscribe/discount-code.tsx';
import {
  codeRefusal,
  PurchaseError,
  purchaseFailed,
  purchaseFailure,
} from '#client/features/subscriptions/subscribe/purchase-error.tsx';
import { purchaseOutcome } from '#client/features/subscriptions/purchase-outcome.ts';
import { codeArgs, type Purchase } from '#client/features/subscriptions/subscribe/use-purchase.ts';
import { ApiError } from '#client/lib/api-error.ts';
import { payerArgs } from '#client/lib/payer.ts';
import { write } from '#client/lib/write.ts';
import { Button } from '#client/ui/button.tsx';

type Props = Purchase & { onTrial: (() => void) | null };

/** With the card on file, waits for a press. For another card, opens the purchase at once or continues the one already open. */
export const PaymentSection = ({ onTrial, ...purchase }: Props) => {
  const { tool, payer, quote, onDone } = purchase;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const open = (charge?: Charge) =>
    write(
      contract.subscriptions.create,
      { body: { toolId: tool.id, ...codeArgs(quote), ...payerArgs(payer), ...(charge && { charge }) } },
      { early: true },
    ).catch((fault: unknown) => {
      if (!charge && fault instanceof ApiError) setError(fault);
      const refused = codeRefusal(fault);
      throw fault instanceof ApiError && refused ? new ApiError(fault.message, { ...fault, sentence: refused }) : fault;
    });
  if (error) return <PurchaseError as="h2" sentence={purchaseFailure(error)} requestId={error.requestId} />;

  const { totalCents, dueTodayCents, nextChargeAt, nextChargeCents } = quote;
  const next = nextChargeAt && { at: nextChargeAt, cents: nextChargeCents };
  const offer = quote.code && { months: quote.code.months, thenCents: quote.code.full.cents };
  return (
    <CheckoutCard>
      <PriceBreakdown quote={quote} unitCents={centsOf(tool.basePrice)} />
      <DiscountCode {...purchase} locked={busy} />
      <ChargeSchedule
        charges={[
          {
            label: 'Due today',
            cents: dueTodayCents,
            note: creditSentence({ cents: totalCents, dueCents: dueTodayCents }),
          },
          ...(next ? [{ label: 'Next charge', ...next }] : []),
        ]}
      />
      <Payment
        toolId={tool.id}
        payer={payer}
        terms={{ cents: totalCents, dueCents: dueTodayCents, next, ...(offer && { offer }) }}
        open={open}
        failure={purchaseFailed}
        onBusy={setBusy}
        onDone={({ includesLostMoney = false }, paid) => onDone(purchaseOutcome(paid, tool.name, includesLostMoney))}
      />
      {onTrial && !busy && (
        <Button variant="link" className="self-center" onClick={onTrial}>
          Back to the free trial
        </Button>
      )}
    </CheckoutCard>
  );
};
