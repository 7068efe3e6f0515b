import type Stripe from 'stripe';
import { cardName, formatCents } from '#shared/rules/billing/money.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { findInvoiceByStripeId, type InvoiceRow, type NoteRow, replaceNotes } from '#server/invoices/service.ts';
import { findPayerBy, findPayerFacts, type Payer, payerOf, subjectOf } from '#server/payers/service.ts';
import { askStripe, idOf, isReusedKey } from '#server/stripe/ask.ts';
import { notesOf, refund } from '#server/stripe/credit-notes.ts';
import { findInvoice, invoiceOfPayment, paymentsOf } from '#server/stripe/invoices.ts';
import { fromStripe, toldBills } from '#server/subscriptions/service.ts';
import { audit } from '#server/audit/service.ts';
import { type MoneyMail, notifiedOccasions, notify } from '#server/notifications/service.ts';
import { administratorIds, namesOf } from '#server/people/service.ts';
import { heading, mailSubject } from '#server/platform/mail-subject.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { type Db, transaction } from '#server/platform/data/database.ts';
import { closeParkedEvents, type EventOfObject, isOtherParked, markEvents, noteFailedEvent } from './queries-events.ts';

/** The charge of a payment that succeeded. */
async function findCharge(context: Context, intent: string): Promise<Stripe.Charge | null> {
  const { status, latest_charge: charge } = await askStripe(context, (stripe) =>
    stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }),
  );
  return status === 'succeeded' && typeof charge !== 'string' ? charge : null;
}

/** A charge that was ever disputed stays so; its disputes say whether it can be refunded, as in an inquiry or once one is won. */
async function isHeld(context: Context, { disputed, payment_intent }: Stripe.Charge): Promise<boolean> {
  const intent = idOf(payment_intent);
  if (!disputed || intent === null) return false;
  const { data } = await askStripe(context, (stripe) => stripe.disputes.list({ payment_intent: intent, limit: 100 }));
  return data.some((dispute) => !dispute.is_charge_refundable);
}

/** The refunds of these payments, failed ones too, oldest first. */
async function refundsOf(context: Context, intents: string[]): Promise<Stripe.Refund[]> {
  const pages = await Promise.all(
    intents.map((payment_intent) =>
      askStripe(context, (stripe) => stripe.refunds.list({ payment_intent, limit: 100 })),
    ),
  );
  return pages.flatMap(({ data }) => data).toSorted((a, b) => a.created - b.created || a.id.localeCompare(b.id));
}

/** What is left to refund: no more than is left of the card's money, nor of the invoice, which credit notes may have reduced. */
export async function readRefundable(
  context: Context,
  { stripeInvoiceId, totalCents }: Pick<InvoiceRow, 'stripeInvoiceId' | 'totalCents'>,
) {
  const intents = await paymentsOf(context, stripeInvoiceId);
  const [notes, refunds, ...found] = await Promise.all([
    notesOf(context, stripeInvoiceId),
    refundsOf(context, intents),
    ...intents.map((intent) => findCharge(context, intent)),
  ]);
  const charges = found.filter((charge) => charge !== null);
  const paidCents = charges.reduce((sum, charge) => sum + charge.amount_captured, 0);
  const refundedCents = charges.reduce((sum, charge) => sum + charge.amount_refunded, 0);
  const disputed = (await Promise.all(charges.map((charge) => isHeld(context, charge)))).includes(true);
  const issued = notes.filter(({ status }) => status === 'issued');
  const noted = issued.reduce((sum, note) => sum + note.total, 0);
  const notedRefunds = issued.flatMap((note) => note.refunds).reduce((sum, one) => sum + one.amount_refunded, 0);
  const ofInvoice = totalCents - noted - Math.max(0, refundedCents - notedRefunds);
  const card = charges.map((charge) => charge.payment_method_details?.card).find((one) => one?.last4);
  return {
    paidCents,
    refundedCents,
    /** What may still be refunded; nothing while the bank has the money of a disputed payment. */
    leftCents: disputed ? 0 : Math.max(0, Math.min(paidCents - refundedCents, ofInvoice)),
    disputed,
    card: card?.last4 ? cardName({ brand: card.brand ?? '', last4: card.last4 }) : null,
    /** Credit notes and refunds so far, including failed ones, so it only grows. */
    made: notes.length + refunds.length,
  };
}
export type Refundable = Awaited<ReturnType<typeof readRefundable>>;

/** Sends money back to the card; the adjustment note and our mail follow. Under one key it happens once, however often asked. */
export async function refundInvoice(
  context: Context,
  { stripeInvoiceId }: Pick<InvoiceRow, 'stripeInvoiceId'>,
  { cents, reason, key }: { cents: number; reason: string; key: string },
): Promise<void> {
  const refunded = await refund(context, stripeInvoiceId, { cents, key, memo: reason }).catch((error: unknown) => {
    // Somebody else asked at the same moment for another amount.
    throw isReusedKey(error) ? new AppError('refund_changed', { cause: error }) : error;
  });
  if (refunded !== cents) throw new AppError('refund_refused');
  await syncAdjustmentNotes(context, stripeInvoiceId, async () => undefined);
}

const sum = (amounts: { amount: number }[] | null) => (amounts ?? []).reduce((total, { amount }) => total + amount, 0);

const reasons: Record<string, string> = {
  duplicate: 'paid twice',
  fraudulent: 'not authorised by the cardholder',
  order_change: 'change of the order',
  product_unsatisfactory: 'unsatisfactory service',
  requested_by_customer: 'requested by the customer',
};
const reasonOf = (reason: string | null) => (reason === null ? null : (reasons[reason] ?? reason));

/** Brings our copy of an invoice to what Stripe has; null where it is not ours, or not issued yet. */
async function syncInvoice(context: Context, id: string): Promise<InvoiceRow | null> {
  const invoice = await findInvoice(context, id);
  return invoice && (await fromStripe.keepInvoice(context.db, invoice)) ? findInvoiceByStripeId(context.db, id) : null;
}

/**
 * Brings the adjustment notes of an invoice to what Stripe has: one for every credit note, and for every refund without a
 * credit note. The payer is told of each new one that gives money back. False where the invoice is not ours.
 */
export async function syncAdjustmentNotes(
  context: Context,
  stripeInvoiceId: string,
  alsoInTransaction: (tx: Db) => Promise<void>,
): Promise<boolean> {
  const invoice = await syncInvoice(context, stripeInvoiceId);
  if (!invoice) return false;
  const issued = (await notesOf(context, stripeInvoiceId)).filter(({ status }) => status === 'issued');
  const withCreditNote = new Set(issued.flatMap(({ refunds }) => refunds.map(({ refund }) => idOf(refund))));
  const refunds = await refundsOf(context, await paymentsOf(context, stripeInvoiceId));
  const bareRefunds = refunds.filter(
    ({ id, status }) => (status === 'succeeded' || status === 'pending') && !withCreditNote.has(id),
  );
  const notes = [
    ...issued.map((note) => ({
      // A note on an invoice that was not paid yet only lowers it: nothing is given back.
      backCents: note.post_payment_amount,
      providerId: note.id,
      number: note.number,
      totalCents: note.total,
      gstCents: note.total_taxes?.length ? sum(note.total_taxes) : shareOfGst(note.total, invoice),
      reason: note.memo ?? reasonOf(note.reason),
      issuedAt: new Date(note.created * 1000),
    })),
    ...bareRefunds.map((refund) => ({
      backCents: refund.amount,
      providerId: refund.id,
      number: null,
      totalCents: refund.amount,
      gstCents: shareOfGst(refund.amount, invoice),
      reason: reasonOf(refund.reason),
      issuedAt: new Date(refund.created * 1000),
    })),
  ].filter(({ totalCents }) => totalCents > 0);
  await transaction(context.db, async (tx) => {
    for (const note of await replaceNotes(tx, invoice, notes)) {
      const cents = notes.find(({ providerId }) => providerId === note.providerId)?.backCents ?? 0;
      if (cents > 0) await tellRefund(within(context, tx), invoice, note, cents);
    }
    await alsoInTransaction(tx);
  });
  return true;
}

async function tellRefund(context: Context, invoice: InvoiceRow, note: NoteRow, cents: number): Promise<void> {
  const telling = await toldBills.tellingOf(context, payerOf(invoice));
  const { words } = telling;
  const amount = formatCents(cents);
  const message = `We have refunded ${amount} of the ${formatCents(invoice.totalCents)} for ${invoice.description}${words.whose} (invoice ${invoice.number ?? invoice.stripeInvoiceId})${note.reason ? `: ${note.reason}` : ''}.`;
  await toldBills.tell(telling, {
    key: `refund:${note.providerId}`,
    title: `Refund of ${amount}`,
    message,
    link: words.billing,
    kind: 'refund',
    subject: mailSubject`Refund of ${amount}${words.whose}`,
    says: [
      message,
      `Adjustment note ${note.number}, with ${formatCents(note.gstCents)} GST, is on ${words.billingTab} beside the invoice. Banks take up to ten days to show a refund.`,
      ...toldBills.whatComesNext(telling),
    ],
    isAlert: true,
  });
}

/** The GST in a refund or in a note by amount, its share of the invoice's, rounded half up: Stripe gives no figure for it. */
const shareOfGst = (cents: number, { gstCents, totalCents }: InvoiceRow) =>
  totalCents > 0 ? Math.min(gstCents, Math.round((cents * gstCents) / totalCents)) : 0;

/** How far a dispute has come. One that was lost may go on. */
const stepOf = (status: string) =>
  ['won', 'lost', 'warning_closed', 'prevented'].includes(status)
    ? 'decided'
    : status.startsWith('appeal_')
      ? 'appealed'
      : 'opened';
const titles = { opened: 'Payment disputed', appealed: 'Dispute appealed', decided: 'Dispute decided' };

/** What a cardholder told their bank. */
const whyOf: Record<string, string> = {
  fraudulent: 'The cardholder says they did not authorise it',
  unrecognized: 'The cardholder does not recognise it',
  duplicate: 'The cardholder says they were charged twice',
  subscription_canceled: 'The cardholder says they had cancelled',
  product_not_received: 'The cardholder says they did not get what they paid for',
  product_unacceptable: 'The cardholder says it was not as described',
};
const whyText = (reason: string) => whyOf[reason] ?? `The bank gives “${reason.replaceAll('_', ' ')}” as the reason`;

/**
 * A cardholder disputes a payment at their bank. It goes into the audit log and to every administrator, and one event stays
 * parked for them until it is decided: they answer it at Stripe. An appeal begins that anew. False where the payment is not ours.
 */
export async function recordDispute(context: Context, event: EventOfObject): Promise<boolean> {
  const { objectId } = event;
  const dispute = await askStripe(context, (stripe) => stripe.disputes.retrieve(objectId, { expand: ['charge'] }));
  const { charge, amount, reason, status, evidence_details: evidence } = dispute;
  const customer = typeof charge === 'string' ? null : idOf(charge.customer);
  const payer = await findPayerBy(context.db, 'stripeCustomerId', customer);
  if (!payer) return false;
  const payment = idOf(dispute.payment_intent);
  const invoice = payment && (await invoiceOfPayment(context, payment));
  const step = stepOf(status);
  const answerBy = evidence.due_by ? new Date(evidence.due_by * 1000) : null;
  const instructions = `${whyText(reason)}.` + (answerBy ? ` Answer at Stripe by ${formatSydneyDate(answerBy)}.` : '');
  await transaction(context.db, async (tx) => {
    await tellAdministrators(within(context, tx), payer, dispute, answerBy);
    // Every piece of evidence is an update, too.
    if (event.type !== 'charge.dispute.updated' || step === 'appealed')
      await audit(within(context, tx), 'billing.payment_disputed', {
        ...subjectOf(payer),
        actorId: null,
        after: { dispute: dispute.id, status, reason, amountCents: amount, invoice, answerBy },
      });
    if (step === 'decided') await closeParkedEvents(tx, objectId);
    if (step === 'decided' || (await isOtherParked(tx, event))) await markEvents(tx, [event.id], 'processed');
    else await noteFailedEvent(tx, event.id, instructions, true);
  });
  return true;
}

/** Once when it opens, when it is decided, and when that is appealed. */
async function tellAdministrators(
  context: Context,
  payer: Payer,
  { id, status, amount, reason }: Stripe.Dispute,
  answerBy: Date | null,
): Promise<void> {
  const facts = await findPayerFacts(context.db, payer);
  if (!facts) return;
  const [person = ''] = await namesOf(context.db, [facts.contactId]);
  const who = facts.teamName === null ? person : `the team ${facts.teamName} (owner ${person})`;
  const step = stepOf(status);
  const { title, subject } = heading`${titles[step]}: ${formatCents(amount)}`;
  const what = `${who[0]?.toUpperCase()}${who.slice(1)} ${step === 'appealed' ? 'has a lost dispute that goes on, about' : 'disputes a payment of'} ${formatCents(amount)}. ${whyText(reason)}.`;
  const by = answerBy && formatSydneyDate(answerBy);
  const paragraphs =
    step === 'decided'
      ? [`The dispute of ${who} about ${formatCents(amount)} is over: ${status.replaceAll('_', ' ')}.`]
      : [
          `Please answer at Stripe${by ? ` by ${by}` : ''}.`,
          what,
          'It stays on your Today page until the bank decides.',
        ];
  const administrators = await administratorIds(context.db);
  const dedupeKey = `dispute:${id}:appealed`;
  const appealed = await notifiedOccasions(
    context.db,
    administrators.map((userId) => ({ userId, dedupeKey })),
  );
  for (const userId of administrators) {
    // Lost once more after an appeal is told once more.
    const again = appealed.has(`${userId} ${dedupeKey}`) ? ':again' : '';
    await notify(context, {
      userId,
      title,
      message: paragraphs.join(' '),
      actionUrl: '/admin/today',
      dedupeKey: `dispute:${id}:${step === 'decided' ? `${status}${again}` : step}`,
      mail: {
        kind: 'payment-disputed' satisfies MoneyMail,
        subject,
        paragraphs,
        actionLabel: 'See the dispute',
        always: true,
      },
    });
  }
}
