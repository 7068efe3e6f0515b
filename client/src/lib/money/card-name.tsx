import type { PaymentMethod } from '#shared/api/billing.ts';
import { contract } from '#shared/api/members.ts';
import { brandName } from '#shared/rules/billing/money.ts';
import { keepDays, type NextPayment } from '#client/lib/money/bill-words.ts';
import { type Payer, payerArgs, useWhose } from '#client/lib/money/payer.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';

/** The payer's card on file, which pays everything. */
export const useCardOnFile = (payer: Payer) => useApiQuery(contract.billing.paymentMethod, { query: payerArgs(payer) });

/** "Visa •••• 4242", read out as "Visa ending in 4242". */
export const CardName = ({ card }: { card: Pick<PaymentMethod, 'brand' | 'last4'> }) => (
  <span className="figures whitespace-nowrap">
    {brandName(card.brand)} <span aria-hidden>•••• </span>
    <span className="sr-only">ending in </span>
    {card.last4}
  </span>
);

/** What is paid next, with the card that pays it. */
export const PaymentLine = ({ payment, card }: { payment: NextPayment; card: PaymentMethod | null }) => (
  <>
    {keepDays(payment.title)}
    {payment.withCard && card && (
      <>
        {' '}
        with <CardName card={card} />
      </>
    )}
  </>
);

/** Said before a card is typed in. */
export const NewCardNotice = ({ payer }: { payer: Payer }) => {
  const whose = useWhose(payer);
  const { data: card } = useCardOnFile(payer);
  return (
    <p className="text-muted">
      From now on this card pays for all of {whose} tools
      {card && (
        <>
          , in place of <CardName card={card} />
        </>
      )}
      .
    </p>
  );
};
