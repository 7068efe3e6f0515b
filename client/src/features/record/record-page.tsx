import { contract } from '#shared/api/members.ts';
import { recordYears } from '#shared/rules/record/record.ts';
import { useState } from 'react';
import { RecallAlert } from '#client/features/record/recall-alert.tsx';
import { Register, useFilter } from '#client/features/record/register.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { useApiQuery, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Button, ButtonLink, Card, PageHeader } from '#client/ui/elements.tsx';

const [ByHandDialog] = lazyDialog(() => import('#client/features/record/by-hand-dialog.tsx'));

/** /record: an adviser's own register of AI use. */
export default function RecordPage() {
  useTitle('Record of AI use');
  const [filter, change] = useFilter();
  const sessions = useFreshQuery(contract.record.sessions, { query: filter }, { keepPrevious: true });
  const elsewhere = useApiQuery(contract.record.outside).data ?? [];
  const [open, setOpen] = useState(false);
  return (
    <>
      <PageHeader
        title="Record of AI use"
        description={`Every AI session and your review of it. Kept for ${recordYears} years. This is a record, not legal advice.`}
        action={
          <div className="flex flex-wrap gap-2">
            {elsewhere.length > 0 && (
              <Button variant="secondary" onClick={() => setOpen(true)}>
                Record a session by hand
              </Button>
            )}
            <ButtonLink href={paths.packs()} variant="secondary">
              Evidence packs
            </ButtonLink>
          </div>
        }
      />
      {elsewhere.length > 0 && <ByHandDialog tools={elsewhere} open={open} onClose={() => setOpen(false)} />}
      <RecallAlert />
      <Card aria-label="Register" className="p-5">
        <Register query={sessions} filter={filter} change={change} />
      </Card>
    </>
  );
}
