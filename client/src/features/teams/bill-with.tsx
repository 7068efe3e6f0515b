import { formatCents } from '#shared/rules/money.ts';
import { billDay } from '#client/lib/format.ts';
import { usePriceChanges } from '#client/lib/price-changes.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';

type Props = { team: MyTeam['team']; members: number };

/** What the team's bill becomes with so many members, for the owner, who pays. Null where it stays, or isn't known yet. */
export const useBillWith = ({ team, members }: Props) => {
  const { data, isError } = usePriceChanges({ teamId: team.id, members: String(members) });
  if (!data) return { sentence: null, billed: false, changes: [], isError, isPending: !isError };
  const { changes, bill } = data;
  const more = changes.reduce((sum, { fromCents, toCents }) => sum + toCents - fromCents, 0);
  const by = formatCents(Math.abs(more));
  const becomes = bill
    ? `${team.name}’s bill goes ${more < 0 ? 'down' : 'up'} by ${by} a month: ${formatCents(bill.totalCents)} on ${billDay(bill.at)}`
    : `${team.name}’s tools cost ${by} a month ${more < 0 ? 'less' : 'more'}, if they are kept after their trials`;
  return { sentence: more === 0 ? null : becomes, billed: bill !== null, changes, isError, isPending: false };
};
