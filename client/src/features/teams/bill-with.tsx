import { formatCents } from '#shared/rules/billing/money.ts';
import { billDay } from '#client/lib/words/format.ts';
import { usePriceChanges } from '#client/lib/money/price-changes.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';

type Props = { team: MyTeam['team']; change: Change };
type Change = { joins: 'true' } | { leaves: string } | { choose: string; users?: string };

/** What the team's bill becomes once somebody joins or leaves, or others use a tool, for the owner, who pays. Null where it stays, or isn't known yet. */
export const useBillWith = ({ team, change }: Props) => {
  const { data, isError } = usePriceChanges({ teamId: team.id, ...change });
  if (!data) return { sentence: null, changes: [], isError, isPending: !isError };
  const { changes, moreCents, seatCents, bill } = data;
  const by = formatCents(Math.abs(moreCents));
  const days = seatCents === 0 ? '' : `: ${seatsText(seatCents, bill?.leftCents ?? 0)}`;
  const month =
    moreCents === 0 ? 'costs as much a month as before' : `goes ${moreCents < 0 ? 'down' : 'up'} by ${by} a month`;
  const sentence = bill
    ? `${team.name}’s bill ${month}. On ${billDay(bill.at)} it is ${formatCents(bill.totalCents)}${days}.`
    : `${team.name}’s tools cost ${by} a month ${moreCents < 0 ? 'less' : 'more'}, if they are kept after their trials.`;
  return { sentence: moreCents === 0 && seatCents === 0 ? null : sentence, changes, isError, isPending: false };
};

/** What the bill has for days of the running month. */
const seatsText = (cents: number, leftCents: number) =>
  cents > 0
    ? `${formatCents(cents)} of it is for the days from today`
    : `${formatCents(-cents)} comes off for the days after today${leftCents > 0 ? `, and ${formatCents(leftCents)} is left for the bill after it` : ''}`;
