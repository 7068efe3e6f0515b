import { Download, ScrollText, SearchX } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import { AuditFilterBar } from '#client/features/admin/incidents/audit-filters.tsx';
import { AuditTable } from '#client/features/admin/incidents/audit-table.tsx';
import { Pager, PastLastPage } from '#client/features/admin/pager.tsx';
import { TableSkeleton } from '#client/features/admin/table.tsx';
import { useListAddress } from '#client/features/admin/list-address.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { addressOf } from '#shared/api/address.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { QueryView } from '#client/ui/query-view.tsx';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const AuditLog = () => {
  const { page, get, set } = useListAddress();
  const [actor, action, subject] = [get('actor'), get('action'), get('subject')];
  const filters = {
    ...(uuid.test(actor) && { actor }),
    ...(action !== '' && { action }),
    ...(uuid.test(subject) && { subject }),
  };
  const filtered = Object.keys(filters).length > 0;
  const query = useApiQuery(contract.oversight.audit, { query: { page, ...filters } }, { keepPrevious: true });
  const clear = () => set({ actor: '', action: '', subject: '' });
  const { data } = query;
  return (
    <Panel
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
      bodyClassName="p-0!"
    >
      <AuditFilterBar
        actions={(data?.actions ?? []).map((value, index) => ({ value, label: data?.labels[index] ?? value }))}
        filters={{ actor: filters.actor ?? '', action, subject: filters.subject ?? '' }}
        rows={data?.rows ?? []}
        onChange={set}
        onClear={filtered ? clear : undefined}
      />
      <div className="mt-4">
        <QueryView
          query={query}
          failedTitle="The audit log could not be loaded"
          loading={<TableSkeleton label="Loading the audit log" rows={6} />}
          isEmpty={({ rows }) => rows.length === 0}
          empty={
            page > 1 ? (
              <PastLastPage icon={<ScrollText />} totalPages={data?.pagination.totalPages} />
            ) : filtered ? (
              <EmptyState
                icon={<SearchX />}
                title="No entries match"
                action={
                  <Button variant="secondary" onClick={clear}>
                    Clear filters
                  </Button>
                }
              />
            ) : (
              <EmptyState icon={<ScrollText />} title="No entries yet" />
            )
          }
        >
          {({ rows }) => <AuditTable rows={rows} stale={query.isPlaceholderData} />}
        </QueryView>
      </div>
      {data && <Pager label="the audit log" totalPages={data.pagination.totalPages} />}
    </Panel>
  );
};
