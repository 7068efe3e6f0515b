import { Download, ScrollText, SearchX } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import { AuditFilterBar } from '#client/features/admin/audit-filters.tsx';
import { AuditTable } from '#client/features/admin/audit-table.tsx';
import { Pager } from '#client/features/admin/pager.tsx';
import { TableSkeleton } from '#client/features/admin/table.tsx';
import { useAddress } from '#client/features/admin/use-address.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { addressOf } from '#client/lib/request.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Button } from '#client/ui/button.tsx';
import { Card, CardHeader } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Who did what to whom, newest first, with filters and a CSV export (decisions §11). */
export const AuditLog = () => {
  const { page, get, set, openPage } = useAddress();
  const [actor, action, subject] = [get('actor'), get('action'), get('subject')];
  const filters = {
    ...(uuid.test(actor) && { actor }),
    ...(action !== '' && { action }),
    ...(uuid.test(subject) && { subject }),
  };
  const filtered = Object.keys(filters).length > 0;
  const { data, error, refetch, isFetching, isPlaceholderData } = useApiQuery(
    contract.oversight.audit,
    { query: { page, ...filters } },
    { keepPrevious: true },
  );
  const clear = () => set({ actor: '', action: '', subject: '' });
  const content = () => {
    if (!data && error)
      return (
        <ErrorState message={error.sentence} requestId={error.requestId} onRetry={refetch} retrying={isFetching} />
      );
    if (!data) return <TableSkeleton label="Loading the audit log" rows={6} />;
    if (data.rows.length > 0) return <AuditTable rows={data.rows} stale={isPlaceholderData} />;
    if (filtered)
      return (
        <EmptyState
          icon={<SearchX />}
          title="Nothing was recorded that fits"
          action={
            <Button variant="secondary" onClick={clear}>
              Clear filters
            </Button>
          }
        />
      );
    return <EmptyState icon={<ScrollText />} title="Nothing was recorded yet" />;
  };
  return (
    <Card>
      <CardHeader
        title="Audit log"
        description={
          data?.pagination.more
            ? `The newest ${data.pagination.total.toLocaleString('en-AU')} records. Filters lead to older ones; the export holds all.`
            : 'What administrators and users did, newest first.'
        }
        action={
          <ButtonLink
            href={addressOf(contract.oversight.auditCsv, { query: filters })}
            download
            variant="secondary"
            size="sm"
          >
            <Download aria-hidden />
            Export CSV
          </ButtonLink>
        }
      />
      <AuditFilterBar
        actions={data?.actions ?? []}
        filters={{ actor: filters.actor ?? '', action, subject: filters.subject ?? '' }}
        rows={data?.rows ?? []}
        onChange={set}
        onClear={filtered ? clear : undefined}
      />
      <div className="mt-4">{content()}</div>
      {data && <Pager label="the audit log" page={page} totalPages={data.pagination.totalPages} onPage={openPage} />}
    </Card>
  );
};
