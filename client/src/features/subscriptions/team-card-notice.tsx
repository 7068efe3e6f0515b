import { contract } from '#shared/api/index.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { paths } from '#client/lib/paths.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { Alert } from '#client/ui/alert.tsx';
import { TextLink } from '#client/ui/text-link.tsx';

/** Renews, costs something, and has nothing to pay it with: after a hand-over, until the new owner gives a card. */
const lacksCard = (sub: Subscription) =>
  sub.canManage &&
  sub.teamId !== null &&
  sub.status === 'active' &&
  sub.autoRenew &&
  sub.monthlyCents > 0 &&
  !sub.cardOnFile;

/** Tells the owner of a team without a card by when one is needed (decisions §7). */
export const TeamCardNotice = ({ className }: { className?: string }) => {
  const { data = [] } = useApiQuery(contract.subscriptions.list);
  const [first] = data.filter(lacksCard).toSorted((a, b) => Number(a.endDate) - Number(b.endDate));
  if (!first) return null;
  return (
    <div className={className}>
      <Alert
        tone="warning"
        title={`${first.teamName ?? 'Your team'} has no card on file`}
        action={<TextLink href={`${paths.teams}?team=${first.teamId}&tab=billing`}>Add a card</TextLink>}
      >
        Please add one before {first.endDate ? formatSydneyDate(first.endDate) : 'the next renewal'}, so that the team
        keeps its tools.
      </Alert>
    </div>
  );
};
