import { MailOpen } from 'lucide-react';
import { useLocation, useSearchParams } from 'wouter';
import { contract } from '#shared/api/members.ts';
import { pageAddress, pageIn } from '#client/lib/pages/page-in-address.ts';
import { type Payer, payerArgs } from '#client/lib/money/payer.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { ToldList } from '#client/lib/money/told-list.tsx';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { PageTurner } from '#client/ui/page-turner.tsx';

const title = 'What we told you about your bills';

/** What was said of money: the words, and the coming bill as they told it. It is kept for seven years. */
export const ToldBills = ({ teamId }: Payer) => {
  const [search] = useSearchParams();
  const [path] = useLocation();
  const page = pageIn(search, 'told');
  const query = useApiQuery(
    contract.billing.told,
    { query: { page, ...payerArgs({ teamId }) } },
    { keepPrevious: true },
  );
  return (
    <Panel title={title} description="Newest first, with the bill as it was then" bodyClassName="pt-2!">
      <QueryView
        query={query}
        failedTitle="What we told you could not be loaded"
        loading={<Loading label="Loading what we told you" className="grid gap-3 pt-3" skeletons={['h-8', 'h-8']} />}
        isEmpty={({ told }) => told.length === 0}
        empty={
          <EmptyState
            icon={<MailOpen />}
            title={page > 1 ? 'There is no such page' : 'Nothing yet'}
            description="Before anything is charged, we tell you how much, when and for what."
          />
        }
      >
        {({ told, pagination }) => (
          <>
            <ToldList told={told} label={title} />
            {pagination.totalPages > 1 && (
              <PageTurner
                page={page}
                totalPages={pagination.totalPages}
                to={(next) => pageAddress(path, search, 'told', next)}
              />
            )}
          </>
        )}
      </QueryView>
    </Panel>
  );
};
