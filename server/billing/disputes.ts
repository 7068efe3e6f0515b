import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import { audit } from '#server/admin/service.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { asked, idOf } from './provider.ts';
import { markEvent, parkEvent, settleEvents, type InboxEvent } from './queries-events.ts';
import { payerOfCustomer } from './queries-invoices.ts';

const over = (status: string) => status === 'won' || status === 'lost' || status === 'warning_closed';

/**
 * A cardholder's bank takes a payment back: it is written down, and while it is undecided its event stays with the
 * administrator, who answers it at the provider. False where it is none of ours.
 */
export async function recordDispute(context: Context, event: InboxEvent): Promise<boolean> {
  const { objectId } = event;
  if (objectId === null) return false;
  const dispute = await asked(context, (stripe) => stripe.disputes.retrieve(objectId));
  const chargeId = idOf(dispute.charge);
  if (chargeId === null) return false;
  const charge = await asked(context, (stripe) => stripe.charges.retrieve(chargeId));
  const customer = idOf(charge.customer);
  const payer = customer ? await payerOfCustomer(context.db, customer) : null;
  if (!payer) return false;
  const answerBy = dispute.evidence_details.due_by;
  const told = [
    `A payment of ${formatCents(dispute.amount)} is disputed (${dispute.reason}).`,
    answerBy ? `Please answer it at the payment provider by ${formatSydneyDate(new Date(answerBy * 1000))}.` : '',
  ];
  await transaction(context.db, async (tx) => {
    await audit(within(context, tx), {
      action: 'billing.payment_disputed',
      actorId: null,
      subjectType: payer.kind,
      subjectId: payer.kind === 'user' ? payer.userId : payer.teamId,
      after: { dispute: dispute.id, status: dispute.status, reason: dispute.reason, amountCents: dispute.amount },
    });
    if (over(dispute.status)) await settleEvents(tx, objectId);
    if (event.type === 'charge.dispute.created' && !over(dispute.status))
      await parkEvent(tx, event.id, told.filter(Boolean).join(' '));
    else await markEvent(tx, event.id, 'processed');
  });
  return true;
}
