import { type BillingAddress, billingAddress } from '#shared/api/billing.ts';
import { contract } from '#shared/api/index.ts';
import type { State } from '#shared/rules/australia.ts';
import { invoicePdf, invoicesCsv, invoicesOf, invoicesZip } from '#server/invoices/service.ts';
import { lockPayer, onFile, type Payer, payerFor, practices, requirePayerFacts } from '#server/payers/service.ts';
import { customerChanged } from '#server/stripe/customers.ts';
import { billingForecast, payBill, toldBills } from '#server/subscriptions/service.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { implement } from '#server/platform/http/implement.ts';
import { parseInput } from '#server/platform/http/parse-input.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import { beginCard, saveCard } from './cards.ts';

export const billingRoutes = (context: Context) =>
  implement(
    contract.billing,
    {
      config: async (_input, { payments }) => ({
        mode: payments.mode,
        publishableKey: payments.publishableKey,
        stripeJsUrl: payments.stripeJsUrl,
        apiBase: payments.apiBase,
      }),
      address: async ({ actor, query }, ctx) => findBillingAddress(ctx, await payerFor(ctx, actor, query.teamId)),
      saveAddress: async ({ actor, body: { teamId, ...address } }, ctx) =>
        saveBillingAddress(ctx, await payerFor(ctx, actor, teamId), address),
      setupIntent: async ({ actor, body }, ctx) => {
        await consume(ctx, 'cardUser', actor.id);
        return beginCard(ctx, await payerFor(ctx, actor, body.teamId));
      },
      paymentMethod: async ({ actor, query }, ctx) =>
        (await requirePayerFacts(ctx.db, await payerFor(ctx, actor, query.teamId))).card,
      savePaymentMethod: async ({ actor, body }, ctx) => {
        await consume(ctx, 'cardUser', actor.id);
        return saveCard(ctx, await payerFor(ctx, actor, body.teamId), body.setupIntentId);
      },
      forecast: async ({ actor, query }, ctx) => billingForecast(ctx, await payerFor(ctx, actor, query.teamId)),
      pay: async ({ actor, body }, ctx) => {
        const confirmation = await payBill(ctx, actor, body);
        return { ...confirmation, forecast: await billingForecast(ctx, await payerFor(ctx, actor, body.teamId)) };
      },
      told: async ({ actor, query }, ctx) =>
        toldBills.toldOf(ctx, await practices.payerOfInvoices(ctx, actor, query.teamId), query.page),
      invoices: async ({ actor, query }, ctx) =>
        invoicesOf(ctx, await practices.payerOfInvoices(ctx, actor, query.teamId), query.page, query.financialYear),
      invoicesCsv: async ({ actor, query }, ctx) =>
        invoicesCsv(ctx, await practices.payerOfInvoices(ctx, actor, query.teamId), query.financialYear),
      invoicesZip: async ({ actor, query }, ctx) =>
        invoicesZip(ctx, await practices.payerOfInvoices(ctx, actor, query.teamId), query.financialYear, actor.id),
      invoicePdf: ({ actor, params }, ctx) => invoicePdf(ctx, actor.id, params.id),
    },
    context,
    { forecast: true },
  );

/** `GET /api/billing/address`: null where none is stored; invoices then show the address of the business. */
async function findBillingAddress(context: Context, payer: Payer): Promise<BillingAddress | null> {
  const stored = await onFile.findAddress(context.db, payer);
  return stored && { ...stored, line2: stored.line2 ?? '', state: stored.state as State };
}

/** `PUT /api/billing/address`: stores it, and has a job send it to Stripe, so that nobody waits for Stripe. */
async function saveBillingAddress(
  context: Context,
  payer: Payer,
  change: Partial<BillingAddress>,
): Promise<BillingAddress> {
  return transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const stored = await findBillingAddress(within(context, tx), payer);
    const address = parseInput(billingAddress, { ...stored, ...change });
    await onFile.storeAddress(tx, payer, { ...address, line2: address.line2 || null });
    await customerChanged(within(context, tx), payer);
    return address;
  });
}
