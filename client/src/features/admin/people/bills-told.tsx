import { useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';
import { ToldList } from '#client/features/billing/told-list.tsx';
import { Panel } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { Pager } from '#client/features/admin/lists.tsx';

type Props = { whose: { kind: 'user' | 'team'; id: string } };

const nothing = {
  user: 'Nothing about bills of their own. A practice’s bills are on its page.',
  team: 'Nothing yet.',
};
const title = 'What they were told about their bills';

/** The list that the payer reads. */
export const BillsTold = ({ whose: { kind, id } }: Props) => {
  const [page, setPage] = useState(1);
  const query = useFreshQuery(
    kind === 'user' ? contract.admin.userTold : contract.admin.teamTold,
    { params: { id }, query: { page } },
    { keepPrevious: true },
  );
  return (
    <Panel title={title} description="Newest first, with the bill as it was then" bodyClassName="pt-2! text-sm">
      <QueryView
        query={query}
        failedTitle="What they were told could not be loaded"
        loading={<Loading label="Loading what they were told" className="grid gap-2" skeletons={['h-5', 'h-5']} />}
        isEmpty={({ told: bills }) => bills.length === 0}
        empty={<p className="py-2 text-muted">{nothing[kind]}</p>}
      >
        {({ told: bills, pagination: { totalPages } }) => (
          <ToldList bills={bills} label={title}>
            <Pager label={title} page={page} totalPages={totalPages} onPage={setPage} className="mt-3" />
          </ToldList>
        )}
      </QueryView>
    </Panel>
  );
};
