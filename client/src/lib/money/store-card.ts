import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/members.ts';
import { cardName, formatCents } from '#shared/rules/billing/money.ts';
import { api } from '#client/lib/calls/api.ts';
import { ApiError, refusalOr } from '#client/lib/calls/api-error.ts';
import { cardUnproved } from '#client/lib/money/confirm-card.ts';
import { type Payer, payerArgs } from '#client/lib/money/payer.tsx';
import { returnAddress, useStripeReturn } from '#client/lib/money/stripe-return.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';

export const cardFailed = 'Failed to update payment method. Please try again.';

/** Says what the card was charged at once, and that it pays from now on. */
const outcomeOf = ({ paidCents, refusedCents, ...card }: Reply<typeof contract.billing.savePaymentMethod>) => {
  const paid = paidCents > 0 ? `Paid ${formatCents(paidCents)}. ` : '';
  const refused = refusedCents > 0 ? `The ${formatCents(refusedCents)} owed could not be charged to it. ` : '';
  return `${paid}${refused}${cardName(card)} is now your card.`;
};

/** Makes a card that Stripe has confirmed the one that pays, and says so. */
export const storeCard = async (setupIntentId: string, payer: Payer) => {
  const saved = await api.billing.savePaymentMethod({ body: { setupIntentId, ...payerArgs(payer) } });
  toast({ title: 'Payment Method Updated', description: outcomeOf(saved) });
};

/** Why it was not stored. That there is no such setup intent would tell an adviser nothing. */
export const whyNotStored = (error: unknown) =>
  error instanceof ApiError && error.code === 'not_found' ? cardFailed : refusalOr(error, cardFailed);

const cardParam = 'card';
/** Names the payer, and shows their card: see who-pays.tsx. */
const teamParam = 'team';
const self = 'me';

/** Where Stripe sends the browser back to after saving a card: the team's page if it was given there, else the dashboard. */
export const cardReturn = ({ teamId }: Payer) =>
  returnAddress(
    { tab: 'billing', [teamParam]: teamId ?? self, [cardParam]: 'new' },
    window.location.pathname === paths.teams ? paths.teams : paths.dashboard,
  );

/** On the page it was given on, after a return from saving a card: stores it, as the form would have, or says why not. */
export const useCardReturn = () =>
  useStripeReturn({ purpose: cardParam, passing: [], ready: true }, async (returned) => {
    const title = 'Card not saved';
    if (returned.get('redirect_status') === 'failed') {
      toastError(cardUnproved, title);
      return;
    }
    const team = returned.get(teamParam);
    try {
      await storeCard(returned.get('setup_intent') ?? '', { teamId: team === self ? null : team });
    } catch (error) {
      toastError(whyNotStored(error), title);
    }
  });
