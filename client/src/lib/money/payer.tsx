import { Fragment } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import { teamCan } from '#shared/rules/people/teams.ts';
import type { PaymentMethod } from '#shared/api/billing.ts';
import { brandName } from '#shared/rules/billing/money.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { keepDays, type NextPayment } from '#client/lib/money/bill-words.ts';

/** Who pays: a team, or the adviser if there is no `teamId`. */
export type Payer = { teamId?: string | null | undefined };

/** The payer's part of a call. */
export const payerArgs = ({ teamId }: Payer): { teamId?: string } => (teamId ? { teamId } : {});

/** The teams that this person pays for. */
export const useOwnedTeams = () => useApiQuery(contract.teams.my).data?.ownedTeams ?? [];

/** Practices whose invoices the adviser may open: that they own, look after or, marked, owned until they were closed. */
export const teamsWithPapers = (my: Reply<typeof contract.teams.my> | undefined): { id: string; name: string }[] => [
  ...(my?.ownedTeams ?? []),
  ...(my?.memberOf && my.role && teamCan(my.role, 'seeInvoices') ? [my.memberOf] : []),
  ...(my?.closedTeams ?? []).map(({ id, name }) => ({ id, name: `${name} (closed)` })),
];
export const useTeamsWithPapers = () => teamsWithPapers(useApiQuery(contract.teams.my).data);

/** The team that an owner buys for, unless they choose otherwise: theirs, where all their tools are the practice's. */
export const usualTeam = <T,>(owned: readonly T[], subscriptions: readonly Payer[]): T | undefined =>
  subscriptions.length > 0 && subscriptions.every(({ teamId }) => teamId) ? owned[0] : undefined;

/** The name of the team that pays; null where the adviser does. */
export const useTeamName = ({ teamId }: Payer): string | null => {
  const team = useOwnedTeams().find(({ id }) => id === teamId);
  return teamId ? (team?.name ?? 'the team') : null;
};

/** Whose: "Hughes Wealth’s", or "your own". */
export const useWhose = (payer: Payer): string => {
  const team = useTeamName(payer);
  return team === null ? 'your own' : `${team}’s`;
};

/** The payer's coming bill, what is owed and what ends: the one source of every figure about money to come. */
export const useForecast = (payer: Payer, { enabled = true } = {}) =>
  useApiQuery(contract.billing.forecast, { query: payerArgs(payer) }, { enabled });

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
    <span key={payment.title}>{keepDays(payment.title)}</span>
    {payment.withCard && card && (
      <span>
        {' '}
        with <CardName card={card} />
      </span>
    )}
  </>
);

/** The bills after the next payment, one below the other. */
export const BillsAfter = ({ rows }: Pick<NextPayment, 'rows'>) =>
  rows.length > 0 && (
    <dl className="figures mt-3 grid max-w-md grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1.5">
      {rows.map(({ label, amount, note }) => (
        <Fragment key={label}>
          <dt>
            {keepDays(label)}
            {note && <span className="block text-xs text-muted">{keepDays(note)}</span>}
          </dt>
          <dd className="text-right font-medium">{amount}</dd>
        </Fragment>
      ))}
    </dl>
  );

/** Said before a card is typed in. */
export const NewCardNotice = ({ payer }: { payer: Payer }) => {
  const whose = useWhose(payer);
  const { data: card } = useCardOnFile(payer);
  return (
    <p className="text-muted">
      <span>This card will </span>
      {card ? (
        <>
          <span>replace </span>
          <CardName card={card} />
        </>
      ) : (
        <span>pay</span>
      )}
      <span>{` for all of ${whose} tools.`}</span>
    </p>
  );
};
