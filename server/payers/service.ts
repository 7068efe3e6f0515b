/** Who pays, an adviser or a team, with their card, Stripe customer and billing address. */
import { formatDate } from '#shared/rules/dates.ts';
import { cardName } from '#shared/rules/billing/money.ts';
import { columnsOf, type Payer } from './queries.ts';
import type { PayerFacts } from './queries-facts.ts';

export {
  claimCustomer,
  columnsOf,
  findAddress,
  findPayerBy,
  findPayersBy,
  findTeamRole,
  hasCustomers,
  joinedSince,
  liveTeamIds,
  lockPayer,
  metadataOf,
  noBill,
  noCard,
  ofPayer,
  ownedTeamIds,
  payerFor,
  payerKey,
  payerOf,
  payingAdviser,
  payingTeam,
  peopleOf,
  storeAddress,
  hasCardAndNoBill,
  storeBillState,
  storeCard,
  subjectOf,
  teamPayer,
  trialIdentityOf,
  userPayer,
  type Card,
  type Payer,
} from './queries.ts';
export {
  buyerOf,
  decide,
  decisionsOf,
  findPayerFacts,
  isOwn,
  type PayerFacts,
  requirePayerFacts,
  reviewsDue,
  rowsByPayer,
  toolRulesFor,
} from './queries-facts.ts';

/** The pages of a payer, and what texts call them: an adviser's on the dashboard, a team's on its own page. */
const pagesOf = (teamId: string | null) =>
  teamId === null
    ? {
        tools: { actionUrl: '/dashboard', actionLabel: 'Open my subscriptions' },
        billing: { actionUrl: '/dashboard?tab=billing', actionLabel: 'Open billing' },
        toolsTab: 'Subscriptions on your dashboard',
        billingTab: 'your Billing tab',
      }
    : {
        tools: { actionUrl: `/teams?team=${teamId}&tab=tools`, actionLabel: 'Open the team’s tools' },
        billing: { actionUrl: `/teams?team=${teamId}&tab=billing`, actionLabel: 'Open the team’s billing' },
        toolsTab: 'Tools on the team’s page',
        billingTab: 'the team’s Billing tab',
      };

/** How notices and mails name a payer, its pages and its card, with dates in the calendar of whoever reads them. */
export function wordsFor(payer: Payer, { teamName, card, zone }: PayerFacts) {
  return {
    ...pagesOf(columnsOf(payer).teamId),
    on: (date: Date | null) => (date ? formatDate(date, zone) : ''),
    /** Follows the name of what is paid for; empty for the adviser's own. */
    whose: teamName === null ? '' : ` for ${teamName}`,
    card: card && `${teamName === null ? 'your' : `${teamName}’s`} ${cardName(card)}`,
  };
}
export type PayerWords = ReturnType<typeof wordsFor>;
