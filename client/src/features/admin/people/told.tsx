import { useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { ToldList } from '#client/lib/money/told-list.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

type Props = { whose: { kind: 'user' | 'team'; id: string } };

const title = 'What they were told about their bills';

/** The list that the payer reads. */
export const Told = ({ whose: { kind, id } }: Props) => {
  const [page, setPage] = useState(1);
  const query = useApiQuery(
    kind === 'user' ? contract.admin.userTold : contract.admin.teamTold,
    { params: { id }, query: { page } },
    { refetchOnMount: 'always', keepPrevious: true },
  );
  return (
    <Panel title={title} description="Newest first, with the bill as it was then" bodyClassName="pt-2! text-sm">
      <QueryView
        query={query}
        failedTitle="What they were told could not be loaded"
        loading={<Loading label="Loading what they were told" className="grid gap-2" skeletons={['h-5', 'h-5']} />}
        isEmpty={({ told }) => told.length === 0}
        empty={<p className="py-2 text-muted">Nothing yet.</p>}
      >
        {({ told, pagination: { totalPages } }) => (
          <>
            <ToldList told={told} label={title} />
            {totalPages > 1 && (
              <nav aria-label={`Pages of ${title}`} className="mt-3 flex items-center justify-between gap-3">
                <Button variant="secondary" size="sm" disabled={page === 1} onClick={() => setPage(page - 1)}>
                  Newer
                </Button>
                <span className="figures text-muted" aria-live="polite">
                  Page {page} of {totalPages}
                </span>
                <Button variant="secondary" size="sm" disabled={page >= totalPages} onClick={() => setPage(page + 1)}>
                  Older
                </Button>
              </nav>
            )}
          </>
        )}
      </QueryView>
    </Panel>
  );
};
