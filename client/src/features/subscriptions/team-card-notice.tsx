import { contract } from '#shared/api/members.ts';
import { firstWithoutCard } from '#client/features/subscriptions/lacks-card.ts';
import { formatDay } from '#client/lib/format.ts';
import { paths } from '#client/lib/paths.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { Alert } from '#client/ui/alert.tsx';
import { TextLink } from '#client/ui/text-link.tsx';

export const TeamCardNotice = ({ className }: { className?: string }) => {
  const { data = [] } = useApiQuery(contract.subscriptions.list);
  const lacking = firstWithoutCard(data, []) !== undefined;
  const notAllowed = useApiQuery(contract.record.notAllowed, undefined, { enabled: lacking });
  const first = notAllowed.isPending ? undefined : firstWithoutCard(data, notAllowed.data ?? []);
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
