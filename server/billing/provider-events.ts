import type { Context } from '#server/platform/context.ts';
import type { Db } from '#server/platform/database.ts';
import { transaction } from '#server/platform/database.ts';
import { convergeProviderSubscription } from '#server/subscriptions/service.ts';
import { convergeNotes, invoiceOfPayment } from './adjustment-notes.ts';
import { recordDispute } from './disputes.ts';
import { asked, idOf } from './provider.ts';
import { markEvent, type InboxEvent } from './queries-events.ts';
import { payerOfCustomer } from './queries-invoices.ts';
import { readCard } from './read-card.ts';
import { readInvoice } from './read-invoice.ts';

/** Reads again what the event is about, and marks it in the transaction of the effect; false: none of ours. */
type Work = (context: Context, event: InboxEvent, done: (tx: Db) => Promise<void>) => Promise<boolean>;

const subscription: Work = async (context, { subscriptionId }, done) =>
  subscriptionId !== null && convergeProviderSubscription(context, subscriptionId, done);

/** The subscription first: until it knows that it is paid, its invoice is nobody's. */
const invoice: Work = async (context, { subscriptionId, objectId }, done) => {
  const ours =
    subscriptionId !== null && (await convergeProviderSubscription(context, subscriptionId, async () => undefined));
  const copied = objectId !== null && (await readInvoice(context, objectId)) !== null;
  if (ours || copied) await transaction(context.db, done);
  return ours || copied;
};

const refund: Work = async (context, { objectId }, done) => {
  const id = objectId === null ? null : await refundedInvoice(context, objectId);
  return id !== null && convergeNotes(context, id, done);
};

/** The invoice of a credit note, a refund or a charge; the provider's ids tell them apart. */
async function refundedInvoice(context: Context, id: string): Promise<string | null> {
  if (id.startsWith('cn_')) return idOf((await asked(context, (stripe) => stripe.creditNotes.retrieve(id))).invoice);
  const { payment_intent: intent } = id.startsWith('re_')
    ? await asked(context, (stripe) => stripe.refunds.retrieve(id))
    : await asked(context, (stripe) => stripe.charges.retrieve(id));
  const paid = idOf(intent);
  return paid && invoiceOfPayment(context, paid);
}

const card: Work = async (context, { customerId }, done) => {
  const payer = customerId === null ? null : await payerOfCustomer(context.db, customerId);
  if (!payer || customerId === null) return false;
  await readCard(context, payer, customerId);
  await transaction(context.db, done);
  return true;
};

const works: readonly (readonly [RegExp, Work])[] = [
  [/^customer\.subscription\./, subscription],
  [/^invoice\./, invoice],
  [/^(credit_note|refund)\.|^charge\.refund/, refund],
  [/^charge\.dispute\./, recordDispute],
  [/^customer\.(updated|deleted)$|^payment_method\./, card],
];
const workOf = (type: string) => works.find(([pattern]) => pattern.test(type))?.[1] ?? null;

/** Whether an event of this type can change anything of ours. */
export const concernsUs = (type: string) => workOf(type) !== null;

export async function workEvent(context: Context, event: InboxEvent): Promise<void> {
  const work = workOf(event.type);
  const ours = await work?.(context, event, (tx) => markEvent(tx, event.id, 'processed'));
  if (!ours) await markEvent(context.db, event.id, 'ignored');
}
