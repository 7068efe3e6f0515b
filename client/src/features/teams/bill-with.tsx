import { formatCents } from '#shared/rules/billing/money.ts';
import { billDay } from '#client/lib/words/format.ts';
import { usePriceChanges } from '#client/lib/money/price-changes.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';

type Props = { team: MyTeam['team']; change: { joins: 'true' } | { leaves: string } };

/** What the team's bill becomes once somebody joins or leaves, for the owner, who pays. Null where it stays, or isn't known yet. */
export const useBillWith = ({ team, change }: Props) => {
  const { data, isError } = usePriceChanges({ teamId: team.id, ...change });
  if (!data) return { sentence: null, changes: [], isError, isPending: !isError };
  const { changes, moreCents, seatCents, bill } = data;
  const by = formatCents(Math.abs(moreCents));
  const days =
    seatCents === 0
      ? ''
      : seatCents > 0
        ? `, with ${formatCents(seatCents)} for the days from today`
        : `, less ${formatCents(-seatCents)} for the days after today`;
  const sentence = bill
    ? `${team.name}’s bill goes ${moreCents < 0 ? 'down' : 'up'} by ${by} a month. On ${billDay(bill.at)} it is ${formatCents(bill.totalCents)}${days}.`
    : `${team.name}’s tools cost ${by} a month ${moreCents < 0 ? 'less' : 'more'}, if they are kept after their trials.`;
  return { sentence: moreCents === 0 && seatCents === 0 ? null : sentence, changes, isError, isPending: false };
};
