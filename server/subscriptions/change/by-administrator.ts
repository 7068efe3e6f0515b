import { extendedTrialEnd } from '#shared/rules/admin.ts';
import { type CancellationTerms, cancellationTerms } from '#shared/rules/cancellation.ts';
import { type Forecast, type PriceChange } from '#shared/rules/forecast.ts';
import { shownStatus, subscriptionCan } from '#shared/rules/subscriptions.ts';
import { toolName } from '#server/catalogue/service.ts';
import { findPayerFacts, type Payer, type PayerFacts, payerOf } from '#server/payers/service.ts';
import { moveTrialEnd, payInvoice, scheduledEnd, voidInvoice } from '#server/stripe/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import type { Charge } from '#shared/api/subscriptions.ts';
import { dueForInvoice } from '../purchase/attempt.ts';
import { forecastWith } from '../price/forecast.ts';
import { findSubscription, findSubscriptionByStripeId, type SubscriptionRow } from '../queries.ts';
import { syncRow } from '../sync/sync.ts';
import { cancelOnce } from './cancel.ts';
import { changeFor } from './change.ts';

/** A subscription that an administrator acts on, with who pays for it. */
export type Handled = { payer: Payer; facts: PayerFacts; row: SubscriptionRow; toolName: string };

async function handled(context: Context, row: SubscriptionRow | null): Promise<Handled> {
  const payer = row && payerOf(row);
  const facts = payer && (await findPayerFacts(context.db, payer));
  if (!row || !payer || !facts || row.status === 'incomplete') throw new AppError('subscription_gone');
  return { payer, facts, row, toolName: await toolName(context.db, row.toolId) };
}

/** What cancelling would do, and what it does to the payer's other prices. */
type CancelOutlook = CancellationTerms & { changes: PriceChange[] };
export type Outlook = Handled & {
  cancel: { atPeriodEnd: CancelOutlook; now: CancelOutlook } | null;
  /** The trial with so many more days; null where it can't be extended. */
  trial: { end: Date; forecast: Forecast; changes: PriceChange[] } | null;
};

const mayExtend = (row: SubscriptionRow, cardOnFile: boolean, now: Date) =>
  shownStatus({ ...row, cardOnFile }, now) === 'trial' &&
  row.stripeSubscriptionId !== null &&
  row.autoRenew &&
  row.trialEndDate !== null &&
  row.trialEndDate > now;

/** What may be done with a subscription, and what it would do, from our own rows. */
export async function outlookOf(context: Context, id: string, days: number): Promise<Outlook> {
  const known = await handled(context, await findSubscription(context.db, id));
  const { payer, facts, row } = known;
  const now = context.now();
  const cancelled = async (immediately: boolean): Promise<CancelOutlook> => {
    const terms = cancellationTerms(row, immediately, now);
    const then = await forecastWith(context, payer, id, { ...terms, status: 'cancelled', autoRenew: false });
    return { ...terms, changes: then?.changes ?? [] };
  };
  const end = mayExtend(row, facts.cardOnFile, now) ? extendedTrialEnd(row.createdAt, row.trialEndDate!, days) : null;
  const extended = end && (await forecastWith(context, payer, id, { trialEndDate: end, endDate: end }));
  return {
    ...known,
    cancel: subscriptionCan.cancel({ ...row, cardOnFile: facts.cardOnFile }, now)
      ? { atPeriodEnd: await cancelled(false), now: await cancelled(true) }
      : null,
    trial: extended && { end, ...extended },
  };
}

type Cancel = {
  cancelImmediately: boolean;
  reason: string;
  because: string;
  /** Written in the transaction that cancels the row. */
  also: (inside: Context, known: Handled) => Promise<void>;
};

/** Cancels for the payer, as they could themselves; the mail about it begins with `because`. */
export async function cancelForPayer(
  context: Context,
  id: string,
  { cancelImmediately, reason, because, also }: Cancel,
): Promise<void> {
  const known = await handled(context, await findSubscription(context.db, id));
  const terms = {
    cancelImmediately,
    reason: 'other' as const,
    details: reason,
    because,
    also: (inside: Context) => also(inside, known),
  };
  await changeFor(context, known.payer, known.facts.contactId, known.row.toolId, async (current) => {
    // It ended, and another has begun, since the administrator looked.
    if (current.row.id !== id) throw new AppError('conflict');
    return cancelOnce(context, current, terms);
  });
}

/**
 * When a trial with so many more days would end. The caller names the end they saw, so that of two requests at once, or of a
 * repeated one, only one extends it.
 */
export async function longerTrial(
  context: Context,
  id: string,
  { from, days }: { from: Date; days: number },
): Promise<Date> {
  const { row, facts } = await handled(context, await findSubscription(context.db, id));
  if (!mayExtend(row, facts.cardOnFile, context.now())) throw new AppError('cannot_extend');
  if (row.trialEndDate!.getTime() !== from.getTime()) throw new AppError('trial_changed');
  const end = extendedTrialEnd(row.createdAt, row.trialEndDate!, days);
  if (!end) throw new AppError('trial_too_long');
  return end;
}

/** Moves the end of a trial, here and at Stripe. Repeated, it finds Stripe's trial as it should be. */
export async function extendTrial(
  context: Context,
  id: string,
  { from, end }: { from: Date; end: Date },
): Promise<Handled> {
  const known = await handled(context, await findSubscription(context.db, id));
  await changeFor(context, known.payer, known.facts.contactId, known.row.toolId, async (current) => {
    const { row, stripeSubscription, payerFacts } = current;
    if (row.id === id && stripeSubscription?.trial_end === Math.floor(end.getTime() / 1000)) return {};
    if (row.id !== id || !stripeSubscription || !mayExtend(row, payerFacts.cardOnFile, context.now()))
      throw new AppError('cannot_extend');
    if (row.trialEndDate!.getTime() !== from.getTime()) throw new AppError('trial_changed');
    if (stripeSubscription.status !== 'trialing' || scheduledEnd(stripeSubscription))
      throw new AppError('cannot_extend');
    await moveTrialEnd(context, stripeSubscription, end);
    await syncRow(context, row.id);
    return {};
  });
  return known;
}

const ofInvoice = async (context: Context, stripeSubscriptionId: string) =>
  handled(context, await findSubscriptionByStripeId(context.db, stripeSubscriptionId));

type OpenInvoice = { id: string; stripeSubscriptionId: string };

/** The card on file to charge what is owed to; 409 where card or amount is not what was agreed to. */
export async function cardForInvoice(
  context: Context,
  { stripeSubscriptionId, dueCents }: OpenInvoice & { dueCents: number },
  charge: Charge,
): Promise<{ id: string }> {
  const { payer } = await ofInvoice(context, stripeSubscriptionId);
  const due = await dueForInvoice(context, payer, charge, dueCents);
  if (!due) throw new AppError('card_missing');
  return due.card;
}

/** Charges what is owed to that card while its owner is away; false where the bank refused. Under one key it happens once. */
export async function retryCharge(
  context: Context,
  { id, stripeSubscriptionId }: OpenInvoice,
  { card, key }: { card: { id: string }; key: string },
): Promise<boolean> {
  const { row } = await ofInvoice(context, stripeSubscriptionId);
  const paid = await payInvoice(context, id, card, { offSession: true, key });
  const after = await syncRow(context, row.id);
  // It was settled in another way meanwhile.
  if (!paid && after?.paymentProblem?.invoiceId !== id) throw new AppError('invoice_settled');
  return paid;
}

/** Voids an open invoice, so that it is never charged; the subscription goes on. Under one key it happens once. */
export async function forgiveOpenInvoice(
  context: Context,
  { id, stripeSubscriptionId }: OpenInvoice,
  key: string,
): Promise<void> {
  const { row } = await ofInvoice(context, stripeSubscriptionId);
  if (!(await voidInvoice(context, id, { key }))) throw new AppError('invoice_settled');
  await syncRow(context, row.id);
}
