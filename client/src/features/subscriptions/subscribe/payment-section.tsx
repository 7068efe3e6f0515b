import { useState } from 'react';
import type { Charge } from '#shared/api/charge.ts';
import { contract } from '#shared/api/members.ts';
import { centsOf } from '#shared/rules/billing/money.ts';
import { termsOf } from '#client/features/subscriptions/charge-terms.ts';
import { DueToday } from '#client/features/subscriptions/due-today.tsx';
import { Payment } from '#client/features/subscriptions/payment.tsx';
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
import { ApiError } from '#client/lib/calls/api-error.ts';
import { showAnswer } from '#client/lib/calls/query.ts';
import { write } from '#client/lib/calls/write.ts';
import { Button } from '#client/ui/button.tsx';
import { payerArgs } from '#client/lib/money/payer.ts';

type Props = Purchase & { onTrial: (() => void) | null };

/** With the card on file, waits for a press. For another card on a first bill, opens the purchase at once or continues the one already open. */
export const PaymentSection = ({ onTrial, ...purchase }: Props) => {
  const { tool, payer, quote, onDone } = purchase;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const asked = { toolId: tool.id, ...codeArgs(quote), ...payerArgs(payer) };
  const open = (charge?: Charge) =>
    write(contract.subscriptions.create, { body: { ...asked, ...(charge && { charge }) } }, { early: true }).catch(
      (fault: unknown) => {
        if (!(fault instanceof ApiError)) throw fault;
        if (!charge) setError(fault);
        // What has changed is shown at once, beside the reason.
        showAnswer(contract.subscriptions.quote, { query: asked }, fault.quote);
        const refused = codeRefusal(fault);
        throw refused ? new ApiError(fault.message, { ...fault, sentence: refused }) : fault;
      },
    );
  if (error) return <PurchaseError as="h2" sentence={purchaseFailure(error)} requestId={error.requestId} />;

  const terms = termsOf(quote);
  return (
    <CheckoutCard>
      <PriceBreakdown quote={quote} unitCents={centsOf(tool.basePrice)} />
      <DiscountCode {...purchase} locked={busy} />
      <DueToday terms={terms} />
      <Payment
        toolId={tool.id}
        payer={payer}
        terms={terms}
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
