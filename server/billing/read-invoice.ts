import type Stripe from 'stripe';
import type { Context } from '#server/platform/context.ts';
import { isMissing } from '#server/platform/payments.ts';
import { copyInvoice, type InvoiceOwner } from './invoices.ts';
import { columnsOf } from './payer.ts';
import { asked, idOf } from './provider.ts';
import { invoiceByProviderId, payerOfCustomer, subscriptionOfInvoice, type InvoiceRow } from './queries-invoices.ts';

/** Reads an invoice again and keeps our copy of it; null where it is none of ours, or not issued yet. */
export async function readInvoice(context: Context, id: string): Promise<InvoiceRow | null> {
  const invoice = await retrieve(context, id);
  if (!invoice) return null;
  const owner = await ownerOf(context, invoice);
  if (!owner) return null;
  await copyInvoice(context.db, await withAllLines(context, invoice), owner);
  return invoiceByProviderId(context.db, id);
}

async function retrieve(context: Context, id: string): Promise<Stripe.Invoice | null> {
  try {
    return await asked(context, (stripe) => stripe.invoices.retrieve(id));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Whose it is: its subscription's payer, else its customer's. A purchase that nobody has confirmed bills nobody yet. */
async function ownerOf(context: Context, invoice: Stripe.Invoice): Promise<InvoiceOwner | null> {
  const subscription = idOf(invoice.parent?.subscription_details?.subscription);
  if (subscription) {
    const row = await subscriptionOfInvoice(context.db, subscription);
    if (!row || row.status === 'incomplete') return null;
    const { userId, teamId, subscriptionId, toolName } = row;
    return { userId, teamId, subscriptionId, toolName };
  }
  const customer = idOf(invoice.customer);
  const payer = customer ? await payerOfCustomer(context.db, customer) : null;
  return payer && { ...columnsOf(payer), subscriptionId: null, toolName: null };
}

/** The provider sends the first lines with the invoice, and the rest when asked. */
async function withAllLines(context: Context, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  const data = [...invoice.lines.data];
  for (let more = invoice.lines.has_more && invoice.id; more;) {
    const after = data.at(-1)?.id;
    const page = await asked(context, (stripe) =>
      stripe.invoices.listLineItems(invoice.id, { limit: 100, ...(after && { starting_after: after }) }),
    );
    data.push(...page.data);
    more = page.has_more && page.data.length > 0 && invoice.id;
  }
  return { ...invoice, lines: { ...invoice.lines, data } };
}
