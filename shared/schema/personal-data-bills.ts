import { eq, or } from 'drizzle-orm';
import { keep } from './keep-or-erase.ts';
import * as why from './keep-reasons.ts';
import type { PersonalData } from './personal-data-tools.ts';
import { schema } from './tables.ts';

/** What becomes of somebody's bills; the rest is in personal-data.ts. */
export const ofBills = {
  bills: {
    rows: ({ id }) => eq(schema.bills.userId, id),
    columns: keep(
      why.taxInvoice,
      ...(['id', 'userId', 'teamId', 'kind', 'status', 'at', 'until', 'lines', 'parts', 'totalCents'] as const),
      ...(['creditCents', 'gstCents', 'stripeSubscriptionId', 'stripeInvoiceId', 'attempt', 'problem'] as const),
      ...(['graceEnd', 'revision', 'checkedAt', 'createdAt', 'updatedAt'] as const),
    ),
    exported: 'bills',
  },
  adjustments: {
    // A team's name the person whose seat they are for, as the team's tax invoices do.
    rows: ({ id }) => or(eq(schema.adjustments.userId, id), eq(schema.adjustments.personId, id))!,
    columns: keep(
      why.taxInvoice,
      ...(['id', 'userId', 'teamId', 'subscriptionId', 'toolId', 'toolName', 'cause', 'personId', 'person'] as const),
      ...(['from', 'to', 'days', 'periodEnd', 'cents', 'state', 'billId', 'splitOf', 'createdAt'] as const),
    ),
    exported: 'adjustments',
  },
  toldBills: {
    rows: ({ id }) => eq(schema.toldBills.userId, id),
    columns: keep(
      why.purchase,
      ...(['id', 'userId', 'teamId', 'contactId', 'toldAt', 'kind', 'tellsBill', 'billAt', 'totalCents'] as const),
      ...(['lines', 'parts', 'later', 'subject', 'paragraphs'] as const),
    ),
    exported: 'toldBills',
  },
} satisfies Partial<PersonalData>;
