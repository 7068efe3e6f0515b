import { clsx } from 'clsx';
import { contract } from '#shared/api/members.ts';
import { countText } from '#shared/rules/record/recalls.ts';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { sentenceCase } from '#client/lib/words/format.ts';
import { Alert, TextLink } from '#client/ui/elements.tsx';

/** Sessions that a recall touches and nobody has looked at again: an adviser's own, or a practice's. */
export const RecallAlert = ({ teamId }: { teamId?: string }) => {
  const recalls = useFreshQuery(contract.recalls.list, { query: teamId ? { teamId } : {} }).data ?? [];
  const open = recalls.reduce((total, recall) => total + recall.open, 0);
  if (open === 0) return null;
  return (
    <Alert
      tone="warning"
      className={clsx(!teamId && 'mb-6')}
      action={<TextLink href={paths.recalls(teamId)}>See recalls</TextLink>}
    >
      {`${sentenceCase(countText(open, 'session'))} to look at again, since a tool was recalled.`}
    </Alert>
  );
};
