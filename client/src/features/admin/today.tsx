import { CircleCheck } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import { adminRefreshMs, unpaidBillLimit } from '#shared/rules/operators/admin.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { Approvals } from '#client/features/admin/approvals.tsx';
import { ToolRequests } from '#client/features/admin/catalogue/tool-requests.tsx';
import { Incidents } from '#client/features/admin/incidents/incidents.tsx';
import { WhoLink } from '#client/features/admin/people/who-link.tsx';
import { useToday } from '#client/features/admin/today-count.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { Card, Panel } from '#client/ui/elements.tsx';
import { Row, ScrollList } from '#client/ui/list.tsx';
import { EmptyState, Loading, QueryFailure } from '#client/ui/query-view.tsx';

const refreshed = { refetchInterval: adminRefreshMs };

const UnpaidBills = () => {
  const query = useApiQuery(contract.oversight.unpaidBills, undefined, refreshed);
  const { data: bills, error } = query;
  if (bills ? bills.length === 0 : !error) return null;
  return (
    <Panel
      title="Bills not paid"
      description="We remind each payer on days 3 and 6. Call those whose tools end first, or charge or withdraw the invoice on their page."
    >
      {!bills ? (
        <QueryFailure query={query} title="The unpaid bills could not be loaded" />
      ) : (
        <ScrollList label="Unpaid bills">
          {bills.map(({ id, who, dueCents, reason, graceEnd }) => (
            <Row
              key={id}
              title={
                <>
                  <span className="figures">{formatCents(dueCents)}</span>
                  <WhoLink who={who} />
                </>
              }
              action={<p className="figures text-sm text-muted">Tools end {formatSydneyDate(graceEnd)}</p>}
            >
              {reason !== '' && <p className="text-muted">{reason}</p>}
            </Row>
          ))}
          {bills.length >= unpaidBillLimit && (
            <li className="py-2 text-xs text-muted">{`The ${unpaidBillLimit} that end first are shown.`}</li>
          )}
        </ScrollList>
      )}
    </Panel>
  );
};

/** Says that nothing more waits, once all that could is known. */
const Nothing = () => {
  const { count, notices } = useToday();
  if (count === undefined) return null;
  if (count + notices > 0)
    return (
      <p className="flex items-center justify-center gap-2 text-sm text-muted">
        <CircleCheck aria-hidden className="size-4 text-success" />
        Nothing else today.
      </p>
    );
  return (
    <Card>
      <EmptyState
        icon={<CircleCheck />}
        title="Nothing needs you"
        description="Disputes, failures, approvals, unpaid bills and tools to publish appear here."
      />
    </Card>
  );
};

/** What needs attention: each panel appears where it has something, all at once, so that no button moves under a hand. */
export const Today = () =>
  useToday().answered ? (
    <div className="space-y-6">
      <Approvals />
      <Incidents />
      <ToolRequests />
      <UnpaidBills />
      <Nothing />
    </div>
  ) : (
    <Loading label="Loading what needs you" skeletons={['h-36', 'mt-6 h-36']} />
  );
