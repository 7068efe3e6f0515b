import { contract } from '#shared/api/members.ts';
import { recordYears } from '#shared/rules/record/record.ts';
import { Register, useFilter } from '#client/features/record/register.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { ButtonLink, Card, PageHeader } from '#client/ui/elements.tsx';

/** /record: an adviser's own register of AI use. */
export default function RecordPage() {
  useTitle('Record of AI use');
  const [filter, change] = useFilter();
  const sessions = useFreshQuery(contract.record.sessions, { query: filter }, { keepPrevious: true });
  return (
    <>
      <PageHeader
        title="Record of AI use"
        description={`Every AI session and your review of it. Kept for ${recordYears} years. This is a record, not legal advice.`}
        action={
          <ButtonLink href={paths.packs()} variant="secondary">
            Evidence packs
          </ButtonLink>
        }
      />
      <Card aria-label="Register" className="p-5">
        <Register query={sessions} filter={filter} change={change} />
      </Card>
    </>
  );
}
