import * as z from 'zod';
import { ofYear, payer } from './billing.ts';
import { defineApi } from './endpoint.ts';
import { cents, date, email, endsMails, token } from './fields.ts';

const bookkeeper = z.object({
  email: z.string(),
  askedAt: date,
  /** Null until its holder has pressed Confirm; nothing else is mailed to it before. */
  confirmedAt: date.nullable(),
});
export type Bookkeeper = z.output<typeof bookkeeper>;

const invalidLink = 'This link is not complete';

export const booksApi = defineApi('member', {
  bookkeeper: {
    route: 'GET /api/billing/bookkeeper',
    summary: 'The second address for receipts and tax invoices; null: there is none',
    query: payer,
    response: bookkeeper.nullable(),
  },
  askBookkeeper: {
    route: 'PUT /api/billing/bookkeeper',
    summary: 'Ask an address to confirm that it gets copies; an earlier one gets none any more',
    body: payer.extend({ email }),
    response: bookkeeper,
  },
  removeBookkeeper: {
    route: 'DELETE /api/billing/bookkeeper',
    summary: 'Send no more copies',
    body: payer,
  },
  statementPdf: {
    route: 'GET /api/billing/statement.pdf',
    summary: 'What was paid in a financial year, by tool and by document',
    query: ofYear,
    file: 'application/pdf',
  },
  nextBill: {
    route: 'GET /api/teams/:teamId/next-bill',
    summary: 'The team’s coming bill by person and tool; null: none is coming',
    response: z
      .object({
        /** The day in Sydney. */
        day: z.string(),
        people: z.array(
          z.object({
            /** Null for days of somebody who has left. */
            userId: z.string().nullable(),
            name: z.string(),
            cents: z.int(),
            tools: z.array(
              z.object({ toolId: z.string(), toolName: z.string(), monthCents: z.int(), daysCents: z.int() }),
            ),
          }),
        ),
        /** What is nobody’s, such as credit. */
        practice: z.array(z.object({ label: z.string(), cents: z.int() })),
        totalCents: cents,
      })
      .nullable(),
  },
  nextBillCsv: {
    route: 'GET /api/teams/:teamId/next-bill.csv',
    summary: 'Likewise, as a file for spreadsheets',
    file: 'text/csv',
  },
  confirmBookkeeper: {
    route: 'POST /api/bookkeeper/confirm',
    access: 'public',
    summary: 'Confirm the address, with the token that was mailed to it',
    body: z.strictObject({ token: token(invalidLink) }),
  },
  stopBookkeeper: {
    route: 'POST /api/bookkeeper/stop',
    access: 'public',
    summary: 'End copies, with the token of such a mail; also the one-click form of RFC 8058',
    ...endsMails(invalidLink),
  },
});
