import type { Invoice } from '#shared/api/billing.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { amountOf, DownloadPdf, InvoiceDate, InvoiceStatus } from '#client/features/billing/invoice-parts.tsx';

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
export const InvoiceTable = ({ invoices, labelledBy }: { invoices: readonly Invoice[]; labelledBy: string }) => (
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
