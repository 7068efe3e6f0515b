import type Stripe from 'stripe';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { audit } from '#server/audit/service.ts';
import { type MoneyMail, notify } from '#server/notifications/service.ts';
import { findPayerFacts, findPayerBy, type Payer, subjectOf } from '#server/payers/service.ts';
import { administratorIds, namesOf } from '#server/people/service.ts';
import { askStripe, idOf } from '#server/stripe/ask.ts';
import { invoiceOfPayment } from '#server/stripe/invoices.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { closeParkedEvents, type InboxEvent, isOtherParked, markEvent, noteFailedEvent } from './queries-events.ts';

/** How far a dispute has come. One that was lost may go on. */
const stepOf = (status: string) =>
  ['won', 'lost', 'warning_closed', 'prevented'].includes(status)
    ? 'decided'
    : status.startsWith('appeal_')
      ? 'appealed'
      : 'opened';
const titles = { opened: 'Payment disputed', appealed: 'Dispute appealed', decided: 'Dispute decided' };

/**
 * A cardholder disputes a payment at their bank. It goes into the audit log and to every administrator, and one event stays
 * parked for them until it is decided: they answer it at Stripe. An appeal begins that anew. False where the payment is not ours.
 */
export async function recordDispute(context: Context, event: InboxEvent): Promise<boolean> {
  const { objectId } = event;
  if (objectId === null) return false;
  const dispute = await askStripe(context, (stripe) => stripe.disputes.retrieve(objectId, { expand: ['charge'] }));
  const { charge, amount, reason, status, evidence_details: evidence } = dispute;
  const customer = typeof charge === 'string' ? null : idOf(charge.customer);
  const payer = await findPayerBy(context.db, 'stripeCustomerId', customer);
  if (!payer) return false;
  const payment = idOf(dispute.payment_intent);
  const invoice = payment && (await invoiceOfPayment(context, payment));
  const step = stepOf(status);
  const answerBy = evidence.due_by ? formatSydneyDate(new Date(evidence.due_by * 1000)) : null;
  const instructions =
    `A payment of ${formatCents(amount)} is disputed (${reason}).` +
    (answerBy ? ` Please answer it at Stripe by ${answerBy}.` : '');
  await transaction(context.db, async (tx) => {
    await tellAdministrators(within(context, tx), payer, dispute, instructions);
    // Every piece of evidence is an update, too.
    if (event.type !== 'charge.dispute.updated' || step === 'appealed')
      await audit(within(context, tx), 'billing.payment_disputed', {
        ...subjectOf(payer),
        actorId: null,
        after: { dispute: dispute.id, status, reason, amountCents: amount, invoice },
      });
    if (step === 'decided') await closeParkedEvents(tx, objectId);
    if (step === 'decided' || (await isOtherParked(tx, event))) await markEvent(tx, event.id, 'processed');
    else await noteFailedEvent(tx, event.id, instructions, true);
  });
  return true;
}

/** Once when it opens, when it is decided, and when that is appealed. */
async function tellAdministrators(
  context: Context,
  payer: Payer,
  { id, status, amount, reason }: Stripe.Dispute,
  instructions: string,
): Promise<void> {
  const facts = await findPayerFacts(context.db, payer);
  if (!facts) return;
  const [person = ''] = await namesOf(context.db, [facts.contactId]);
  const who = facts.teamName === null ? person : `the team ${facts.teamName} (owner ${person})`;
  const step = stepOf(status);
  const title = `${titles[step]}: ${formatCents(amount)}`;
  const message =
    step === 'decided'
      ? `The dispute of ${who} about ${formatCents(amount)} (${reason}) is over: ${status}.`
      : `${who[0]?.toUpperCase()}${who.slice(1)} has ${step === 'appealed' ? 'a lost dispute that goes on' : 'a payment disputed'}. ${instructions}`;
  const stays = `It stays under Incidents until it's decided. The provider's reference is ${id}.`;
  for (const userId of await administratorIds(context.db))
    await notify(context, {
      userId,
      type: 'system_alert',
      title,
      message,
      actionUrl: '/admin',
      dedupeKey: `dispute:${id}:${step === 'decided' ? status : step}`,
      mail: {
        kind: 'payment-disputed' satisfies MoneyMail,
        subject: title,
        paragraphs: step === 'decided' ? [message] : [message, stays],
        actionLabel: 'Open the administration',
        always: true,
      },
    });
}
