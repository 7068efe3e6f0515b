import { useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { ToldList } from '#client/lib/money/told-list.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { Pager } from '#client/features/admin/lists.tsx';

type Props = { whose: { kind: 'user' | 'team'; id: string } };

const title = 'What they were told about their bills';

/** The list that the payer reads. */
export const BillsTold = ({ whose: { kind, id } }: Props) => {
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
            <Pager label={title} page={page} totalPages={totalPages} onPage={setPage} className="mt-3" />
          </>
        )}
      </QueryView>
    </Panel>
  );
};
