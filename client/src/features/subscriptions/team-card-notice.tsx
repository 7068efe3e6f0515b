import { contract } from '#shared/api/members.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatDay } from '#client/lib/format.ts';
import { paths } from '#client/lib/paths.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { Alert } from '#client/ui/alert.tsx';
import { TextLink } from '#client/ui/text-link.tsx';

/** After a hand-over the team has no card until its new owner adds one. */
const lacksCard = (sub: Subscription) =>
  sub.canManage &&
  sub.teamId !== null &&
  sub.status === 'active' &&
  sub.autoRenew &&
  sub.monthlyCents > 0 &&
  !sub.cardOnFile;

export const TeamCardNotice = ({ className }: { className?: string }) => {
  const { data = [] } = useApiQuery(contract.subscriptions.list);
  const [first] = data.filter(lacksCard).toSorted((a, b) => Number(a.endDate) - Number(b.endDate));
  if (!first) return null;
  return (
    <div className={className}>
      <Alert
        tone="warning"
        title={`${first.teamName ?? 'Your team'} has no card on file`}
        action={<TextLink href={paths.billing(first.teamId)}>Add a card</TextLink>}
      >
        Please add one before {first.endDate ? formatDay(first.endDate) : 'the next renewal'}, so that the team keeps
        its tools.
      </Alert>
    </div>
  );
};
