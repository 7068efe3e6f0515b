import { formatCents } from '#shared/rules/money.ts';
import { CardName } from '#client/lib/card-name.tsx';
import { paths } from '#client/lib/paths.ts';
import type { Payer } from '#client/lib/payer.ts';
import { usePayOwed } from '#client/lib/use-pay-owed.ts';
import { Alert } from '#client/ui/alert.tsx';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Button } from '#client/ui/button.tsx';
import { Card } from '#client/ui/card.tsx';

/** In the checkout's place while a bill is unpaid. */
export const PayFirst = ({ payer }: { payer: Payer }) => {
  const { press, pending, refusal, owed, card } = usePayOwed(payer);
  if (!owed) return null;
  const amount = formatCents(owed.dueCents);
  return (
    <Card className="flex flex-col gap-4 p-6">
      <div>
        <h2 className="text-base">Please pay your last bill first</h2>
        <p className="figures mt-1 text-muted">{amount} is still unpaid. Once it is paid, you can add tools again.</p>
      </div>
      {refusal && (
        <Alert tone="danger" announce>
          {refusal}
        </Alert>
      )}
      {card && (
        <Button className="figures" pending={pending} pendingLabel="Paying…" onClick={press}>
          <span>
            Pay {amount} with <CardName card={card} />
          </span>
        </Button>
      )}
      <ButtonLink href={paths.billing(payer.teamId)} variant="secondary">
        {card ? 'Use another card' : 'Add a card'}
      </ButtonLink>
    </Card>
  );
};
