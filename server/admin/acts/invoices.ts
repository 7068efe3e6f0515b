import * as z from 'zod';
import { brand } from '#shared/brand.ts';
import type { actsApi } from '#shared/api/operators/acts.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import type { Charge } from '#shared/api/charge.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { incidentLimit } from '#shared/rules/operators/admin.ts';
import { audit, disputesKnownAs } from '#server/audit/service.ts';
import { parkedEvents } from '#server/billing/service.ts';
import { documents, findCopiedInvoice, type InvoiceRow } from '#server/invoices/service.ts';
import { type Payer, payerOf, subjectOf } from '#server/payers/service.ts';
import { administratorActs } from '#server/subscriptions/service.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';
import { tellPayer } from '../people/tell-payer.ts';
import type { Kind } from './act-kind.ts';
import { ask, finish } from './carry-out.ts';
import { refuseOwn } from './people.ts';

export const requireInvoice = ({ db }: Context, id: string): Promise<InvoiceRow> =>
  orRefuse(findCopiedInvoice(db, id), 'invoice_not_found');

const shownInvoices = 50;

/** What in our copy rules a refund out; Stripe may know of a dispute as well. */
function whyNoRefund(invoice: { status: string; totalCents: number; paidCents: number; refundedCents: number }) {
  const { status, totalCents, paidCents, refundedCents } = invoice;
  if (status !== 'paid') return 'Nothing was paid';
  if (totalCents === 0) return 'It cost nothing';
  if (paidCents === 0) return 'Credit paid it, no card';
  return refundedCents >= paidCents ? 'All of it was refunded' : null;
}

export async function invoicesOf({ db }: Context, payer: Payer): Promise<Reply<typeof actsApi.invoices>> {
  const [rows, disputes] = await Promise.all([documents.newestInvoices(db, payer, shownInvoices), openDisputes(db)]);
  return rows.map((row) => ({
    ...row,
    whyNoRefund: whyNoRefund(row),
    dispute: disputes.get(row.stripeInvoiceId) ?? null,
  }));
}

/** The disputes that are not decided, by their invoices at Stripe. */
async function openDisputes(db: Db) {
  const parked = await parkedEvents(db, incidentLimit);
  const disputes = await disputesKnownAs(
    db,
    parked.flatMap(({ objectId }) => objectId ?? []),
  );
  return new Map([...disputes.values()].flatMap((one) => (one.invoice ? [[one.invoice, one] as const] : [])));
}

/** As the mail about it names it. */
export const nameOf = ({ number, description }: InvoiceRow) =>
  `invoice ${number ?? 'without a number'} for ${description}`;

/** An open invoice of that sum, by its id at Stripe. */
async function requireOpen(context: Context, id: string, dueCents: number) {
  const invoice = await requireInvoice(context, id);
  if (invoice.status !== 'open') throw new AppError('invoice_settled');
  if (invoice.dueCents !== dueCents) throw new AppError('price_changed');
  return { id: invoice.stripeInvoiceId, dueCents };
}

const retryParameters = z.object({ cents: z.int(), card: z.string() });

/** Charges an open invoice to the card on file, as the button said. */
export async function retry(
  context: Context,
  id: string,
  { charge, reason }: { charge: Charge; reason: string },
): Promise<void> {
  const { cents } = charge;
  const { id: card } = await administratorActs.cardForInvoice(context, await requireOpen(context, id, cents), charge);
  const check = (inside: Context) => requireOpen(inside, id, cents);
  await ask(context, { kind: 'retry_charge', subjectId: id, parameters: { cents, card }, reason, check }, retryKind);
}

export const retryKind: Kind = {
  later: async (context, act) => {
    const { cents, card } = retryParameters.parse(act.parameters);
    const invoice = await requireInvoice(context, act.subjectId);
    const { stripeInvoiceId } = invoice;
    const payer = payerOf(invoice);
    const paid = await administratorActs.retryCharge(context, stripeInvoiceId, {
      card: { id: card },
      key: `act:${act.id}`,
    });
    await finish(context, act, async (inside) => {
      await audit(inside, 'admin.charge_retried', {
        ...subjectOf(payer),
        after: {
          amountCents: cents,
          invoice: invoice.number ?? stripeInvoiceId,
          outcome: paid ? 'was paid' : 'was refused',
          reason: act.reason,
        },
      });
      if (!paid) return;
      await tellPayer(inside, payer, {
        kind: 'charge-retried',
        title: 'What was owed is paid',
        sentence: (words) =>
          `An administrator of ${brand.name} charged ${formatCents(cents)} of ${nameOf(invoice)}${words.whose} to ${words.card ?? 'your card'}.`,
        reason: act.reason,
        key: stripeInvoiceId,
      });
    });
    if (!paid) throw new AppError('charge_refused');
  },
};

const voidParameters = z.object({ dueCents: z.int() });

/** Voids an open invoice, so that it is never charged. */
export async function voidFor(
  context: Context,
  id: string,
  { dueCents, reason }: { dueCents: number; reason: string },
): Promise<void> {
  const check = (inside: Context) => requireOpen(inside, id, dueCents);
  await check(context);
  await refuseOwn(context, payerOf(await requireInvoice(context, id)));
  await ask(context, { kind: 'void_invoice', subjectId: id, parameters: { dueCents }, reason, check }, voidKind);
}

export const voidKind: Kind = {
  later: async (context, act) => {
    const { dueCents } = voidParameters.parse(act.parameters);
    const invoice = await requireInvoice(context, act.subjectId);
    const { stripeInvoiceId } = invoice;
    const payer = payerOf(invoice);
    await administratorActs.forgiveOpenInvoice(context, stripeInvoiceId);
    await finish(context, act, async (inside) => {
      await audit(inside, 'admin.invoice_voided', {
        ...subjectOf(payer),
        after: { amountCents: dueCents, invoice: invoice.number ?? stripeInvoiceId, reason: act.reason },
      });
      await tellPayer(inside, payer, {
        kind: 'invoice-voided',
        title: 'An invoice will not be charged',
        sentence: (words) =>
          `An administrator of ${brand.name} withdrew ${nameOf(invoice)}${words.whose}: ${formatCents(dueCents)} will not be charged.`,
        reason: act.reason,
        key: stripeInvoiceId,
      });
    });
  },
};
