import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/money.ts';
import { CardName } from '#client/lib/card-name.tsx';
import { paths } from '#client/lib/paths.ts';
import { usePayNow } from '#client/lib/use-pay-now.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Button } from '#client/ui/button.tsx';

/** Pays what is owed with the card on file; without one, links to where a card is added. */
export const PayNow = ({ subscription, className }: { subscription: Subscription; className?: string }) => {
  const { tool, teamId, paymentProblem } = subscription;
  const tried = paymentProblem?.tried !== false;
  const { payNow, pending, card, cents } = usePayNow(subscription);
  if (card === null) {
    return (
      <ButtonLink
        href={paths.billing(teamId)}
        variant="secondary"
        size="sm"
        className={className}
        aria-label={`${tried ? 'Update payment method' : 'Add a card'}: ${tool.name}`}
      >
        {tried ? 'Update payment method' : 'Add a card'}
      </ButtonLink>
    );
  }
  return (
    <Button
      variant="secondary"
      size="sm"
      className={className}
      disabled={!card}
      pending={pending}
      pendingLabel="Paying…"
      onClick={payNow}
    >
      <span className="figures">
        {tried ? 'Pay now' : 'Start paying'}: {formatCents(cents)}
        {card && (
          <>
            {' '}
            with <CardName card={card} />
          </>
        )}
        <span className="sr-only"> for {tool.name}</span>
      </span>
    </Button>
  );
};
