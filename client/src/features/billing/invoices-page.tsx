import { Printer, ReceiptText } from 'lucide-react';
import { useId } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { contract } from '#shared/api/members.ts';
import type { Invoice } from '#shared/api/billing.ts';
import { addressOf } from '#shared/api/address.ts';
import { financialYearText } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import {
  amountOf,
  DownloadPdf,
  InvoiceDate,
  invoicesPath,
  InvoiceStatus,
} from '#client/features/billing/invoice-parts.tsx';
import { useTeamInAddress, WhoPays } from '#client/features/billing/who-pays.tsx';
import { pageIn } from '#client/lib/pages/page-in-address.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { payerArgs, useTeamsWithPapers } from '#client/lib/money/payer.tsx';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Button, ButtonLink, Card, CardBody, PageHeader, TextLink } from '#client/ui/elements.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { Select } from '#client/ui/field.tsx';
import { PageTurner } from '#client/ui/page-turner.tsx';

/** /invoices and /billing-history */
export default function InvoicesPage() {
  const [search] = useSearchParams();
  const [path] = useLocation();
  const user = useSignedInUser();
  const page = pageIn(search);
  const asked = Number(search.get('year'));
  const year = Number.isInteger(asked) && asked >= 2000 && asked <= 2100 ? asked : undefined;
  const teamId = useTeamInAddress({ withClosed: true });
  const invoices = useApiQuery(contract.billing.invoices, {
    query: { page, ...payerArgs({ teamId }), ...(year !== undefined && { financialYear: year }) },
  });
  // Of all years: their list stays while the invoices of one are read.
  const years = useApiQuery(contract.billing.invoices, { query: { page: 1, ...payerArgs({ teamId }) } }).data?.years;
  const team = useTeamsWithPapers().find(({ id }) => id === teamId);
  const title = team ? `Invoices of ${team.name}` : 'Invoices';
  const headingId = useId();
  useTitle(title);
  const to = (next: number) => invoicesPath({ teamId: search.get('team'), page: next, path, year });
  return (
    <>
      <PageHeader
        title={<span id={headingId}>{title}</span>}
        description="Tax invoices and adjustment notes, newest first. All amounts include GST."
        action={
          invoices.data &&
          invoices.data.invoices.length > 0 && (
            <Button variant="secondary" className="screen-only max-sm:hidden" onClick={() => window.print()}>
              <Printer aria-hidden />
              Print
            </Button>
          )
        }
      />
      <div className="screen-only mb-4 flex flex-wrap items-end gap-3">
        <div className="w-full max-w-sm empty:hidden">
          <WhoPays withClosed />
        </div>
        {years && years.length > 0 && <Books teamId={teamId} years={years} year={year} />}
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
                    Go to the first page
                  </ButtonLink>
                }
              />
            ) : (
              <EmptyState
                icon={<ReceiptText />}
                title={year ? 'No invoices in this financial year' : 'No invoices yet'}
                description={year ? undefined : 'Your first one appears here with the first payment.'}
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

/** Chooses a financial year, and downloads its documents. */
const Books = ({
  teamId,
  years,
  year,
}: {
  teamId: string | undefined;
  years: readonly number[];
  year: number | undefined;
}) => {
  const [, setSearch] = useSearchParams();
  const choose = (chosen: string) =>
    setSearch((search) => {
      search.delete('page');
      if (chosen) search.set('year', chosen);
      else search.delete('year');
      return search;
    });
  const financialYear = String(year ?? years[0]);
  const text = financialYearText(Number(financialYear));
  const query = { ...payerArgs({ teamId }), financialYear };
  return (
    <>
      <Select
        aria-label="Financial year"
        className="w-auto!"
        value={year === undefined ? '' : String(year)}
        onChange={(event) => choose(event.target.value)}
        options={[
          { value: '', label: 'All years' },
          ...years.map((one) => ({ value: String(one), label: financialYearText(one) })),
        ]}
      />
      <p className="flex flex-wrap items-center gap-x-4 [&_a]:py-2 max-sm:[&_a]:py-3">
        <span className="text-muted">Export {text}:</span>
        <TextLink href={addressOf(contract.books.statementPdf, { query })} download>
          Statement
        </TextLink>
        <TextLink href={addressOf(contract.billing.invoicesZip, { query })} download>
          All PDFs
        </TextLink>
        <TextLink href={addressOf(contract.billing.invoicesCsv, { query })} download>
          CSV for Xero and MYOB
        </TextLink>
      </p>
    </>
  );
};

const wide = 'max-sm:hidden print:table-cell';
const cell = 'py-3 align-top';
const columns = [
  ['Date', `pr-4 ${wide}`],
  ['Number', `pr-4 ${wide}`],
  ['Description', 'pr-4'],
  ['Status', `pr-4 ${wide}`],
  ['GST', `pr-4 text-right ${wide}`],
  ['Amount', 'text-right sm:pr-4'],
] as const;

/** On a phone, most columns are hidden and their content moves below the description. */
const InvoiceTable = ({ invoices, labelledBy }: { invoices: readonly Invoice[]; labelledBy: string }) => (
  <table aria-labelledby={labelledBy} className="figures w-full text-left">
    <thead className="text-xs text-muted">
      <tr className="border-b">
        {columns.map(([name, style]) => (
          <th key={name} scope="col" className={`pb-2 font-medium ${style}`}>
            {name}
          </th>
        ))}
        <th scope="col" className="screen-only pb-2">
          <span className="sr-only">Download</span>
        </th>
      </tr>
    </thead>
    <tbody className="divide-y">
      {invoices.map((invoice) => (
        <tr key={invoice.id} className="break-inside-avoid">
          <td className={`${cell} pr-4 ${wide}`}>
            <InvoiceDate date={invoice.date} />
          </td>
          <td className={`${cell} pr-4 whitespace-nowrap ${wide}`}>{invoice.number ?? 'None'}</td>
          <td className={`${cell} pr-4`}>
            <span className="break-words">{invoice.description}</span>
            <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted sm:hidden print:hidden">
              <InvoiceDate date={invoice.date} />
              {invoice.number && <span>{invoice.number}</span>}
              <InvoiceStatus status={invoice.status} />
            </span>
          </td>
          <td className={`${cell} pr-4 ${wide}`}>
            <InvoiceStatus status={invoice.status} />
          </td>
          <td className={`${cell} pr-4 text-right ${wide}`}>
            {formatCents(invoice.kind === 'adjustment_note' ? -invoice.gst : invoice.gst)}
          </td>
          <td className={`${cell} text-right font-medium sm:pr-4`}>{amountOf(invoice)}</td>
          <td className="screen-only py-1.5 text-right align-top">
            <DownloadPdf invoice={invoice} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
