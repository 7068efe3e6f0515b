import type Stripe from 'stripe';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { audit } from '#server/audit/service.ts';
import { type MoneyMail, notify } from '#server/notifications/service.ts';
import { findPayerBy, findPayerFacts, type Payer, subjectOf } from '#server/payers/service.ts';
import { administratorIds, namesOf } from '#server/people/service.ts';
import { askStripe, idOf } from '#server/stripe/ask.ts';
import { invoiceOfPayment } from '#server/stripe/invoices.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { closeParkedEvents, isOtherParked, markEvent, parkEvent, type InboxEvent } from './queries-events.ts';

const isDecided = (status: string) => ['won', 'lost', 'warning_closed', 'prevented'].includes(status);

/** A dispute that was lost goes on. */
const isAppeal = (status: string) => status.startsWith('appeal_');

/**
 * A cardholder disputes a payment at their bank. It goes into the audit log and to every administrator, and one event stays
 * parked for them until it is decided: they answer it at Stripe. An appeal begins that anew. False where the payment is not ours.
 */
export async function recordDispute(context: Context, event: InboxEvent): Promise<boolean> {
  const { objectId } = event;
  if (objectId === null) return false;
  const dispute = await askStripe(context, (stripe) => stripe.disputes.retrieve(objectId));
  const chargeId = idOf(dispute.charge);
  if (chargeId === null) return false;
  const charge = await askStripe(context, (stripe) => stripe.charges.retrieve(chargeId));
  const customer = idOf(charge.customer);
  const payer = customer ? await findPayerBy(context.db, 'stripeCustomerId', customer) : null;
  if (!payer) return false;
  const payment = idOf(charge.payment_intent);
  const invoice = payment && (await invoiceOfPayment(context, payment));
  const answerBy = dispute.evidence_details.due_by;
  const instructions = [
    `A payment of ${formatCents(dispute.amount)} is disputed (${dispute.reason}).`,
    answerBy ? `Please answer it at Stripe by ${formatSydneyDate(new Date(answerBy * 1000))}.` : '',
  ].filter(Boolean);
  await transaction(context.db, async (tx) => {
    await tellAdministrators(within(context, tx), payer, dispute, instructions);
    // Every piece of evidence is an update, too.
    if (event.type !== 'charge.dispute.updated' || isAppeal(dispute.status))
      await audit(within(context, tx), 'billing.payment_disputed', {
        ...subjectOf(payer),
        actorId: null,
        after: {
          dispute: dispute.id,
          status: dispute.status,
          reason: dispute.reason,
          amountCents: dispute.amount,
          invoice,
        },
      });
    if (isDecided(dispute.status)) await closeParkedEvents(tx, objectId);
    if (isDecided(dispute.status) || (await isOtherParked(tx, event))) await markEvent(tx, event.id, 'processed');
    else await parkEvent(tx, event.id, instructions.join(' '));
  });
  return true;
}

/** Once when it opens, when it is decided, and when that is appealed. */
async function tellAdministrators(
  context: Context,
  payer: Payer,
  { id, status, amount, reason }: Stripe.Dispute,
  instructions: string[],
): Promise<void> {
  const facts = await findPayerFacts(context.db, payer);
  if (!facts) return;
  const [person = ''] = await namesOf(context.db, [facts.contactId]);
  const who = facts.teamName === null ? person : `the team ${facts.teamName} (owner ${person})`;
  const decided = isDecided(status);
  const appealed = isAppeal(status);
  const what = decided ? 'Dispute decided' : appealed ? 'Dispute appealed' : 'Payment disputed';
  const title = `${what}: ${formatCents(amount)}`;
  const message = decided
    ? `The dispute of ${who} about ${formatCents(amount)} (${reason}) is over: ${status}.`
    : `${who[0]?.toUpperCase()}${who.slice(1)} has ${appealed ? 'a lost dispute that goes on' : 'a payment disputed'}. ${instructions.join(' ')}`;
  for (const userId of await administratorIds(context.db))
    await notify(context, {
      userId,
      type: 'system_alert',
      title,
      message,
      actionUrl: '/admin',
      dedupeKey: `dispute:${id}:${decided ? status : appealed ? 'appealed' : 'opened'}`,
      mail: {
        kind: 'payment-disputed' satisfies MoneyMail,
        subject: title,
        paragraphs: [
          message,
          ...(decided ? [] : [`It stays under Incidents until it's decided. The provider's reference is ${id}.`]),
        ],
        actionLabel: 'Open the administration',
        always: true,
      },
    });
}
