import { Printer, ReceiptText } from 'lucide-react';
import { useId } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { contract } from '#shared/api/members.ts';
import { InvoiceTable } from '#client/features/billing/invoice-table.tsx';
import { invoicesPath } from '#client/features/billing/invoices-path.ts';
import { useTeamInAddress, WhoPays } from '#client/features/billing/who-pays.tsx';
import { pageIn } from '#client/lib/pages/page-in-address.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { payerArgs, useOwnedTeams } from '#client/lib/money/payer.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Button, ButtonLink } from '#client/ui/button.tsx';
import { Card, CardBody } from '#client/ui/card.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { PageTurner } from '#client/ui/page-turner.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';

/** /invoices and /billing-history */
export default function InvoicesPage() {
  const [search] = useSearchParams();
  const [path] = useLocation();
  const user = useSignedInUser();
  const page = pageIn(search);
  const teamId = useTeamInAddress();
  const invoices = useApiQuery(contract.billing.invoices, {
    query: { page, ...payerArgs({ teamId }) },
  });
  const team = useOwnedTeams().find(({ id }) => id === teamId);
  const title = team ? `Invoices of ${team.name}` : 'Invoices';
  const headingId = useId();
  useTitle(title);
  const to = (next: number) => invoicesPath({ teamId: search.get('team'), page: next, path });
  return (
    <>
      <PageHeader
        title={<span id={headingId}>{title}</span>}
        description="Tax invoices and adjustment notes, newest first. All amounts include GST."
        action={
          invoices.data &&
          invoices.data.invoices.length > 0 && (
            <Button variant="secondary" className="screen-only" onClick={() => window.print()}>
              <Printer aria-hidden />
              Print
            </Button>
          )
        }
      />
      <div className="mb-4 max-w-sm">
        <WhoPays />
      </div>
      <p className="mb-4 hidden print:block">
        {[`${user.firstName} ${user.lastName}`, user.businessName].filter(Boolean).join(', ')}
      </p>
      <Card className="print:border-0">
        <QueryView
          query={invoices}
          failedTitle="Your invoices could not be loaded"
          loading={
            <CardBody>
              <Loading
                label="Loading your invoices"
                className="grid gap-3"
                skeletons={Array.from({ length: 6 }, () => 'h-10')}
              />
            </CardBody>
          }
          isEmpty={(data) => data.invoices.length === 0}
          empty={
            page > 1 ? (
              <EmptyState
                icon={<ReceiptText />}
                title="There is no such page"
                action={
                  <ButtonLink variant="secondary" href={to(1)}>
                    To the first page
                  </ButtonLink>
                }
              />
            ) : (
              <EmptyState
                icon={<ReceiptText />}
                title="No invoices yet"
                description="Your first one appears here with the first payment."
                action={
                  <ButtonLink variant="secondary" href={paths.dashboard}>
                    Go to the dashboard
                  </ButtonLink>
                }
              />
            )
          }
        >
          {(data) => (
            <CardBody className="print:p-0">
              <InvoiceTable invoices={data.invoices} labelledBy={headingId} />
              <PageTurner page={page} totalPages={data.pagination.totalPages} to={to}>
                {data.pagination.total} {data.pagination.total === 1 ? 'document' : 'documents'}
              </PageTurner>
            </CardBody>
          )}
        </QueryView>
      </Card>
    </>
  );
}
