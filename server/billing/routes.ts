import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { consume } from '#server/platform/rate-limit.ts';
import { billingAddressOf, saveBillingAddress } from './address.ts';
import { cardOnFile } from './card-on-file.ts';
import { invoicesOf } from './invoice-list.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { payerFor } from './payer.ts';
import { customerDetails } from './queries-payer.ts';
import { beginCard, saveCard } from './save-card.ts';

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
      address: async ({ actor, query }, ctx) => billingAddressOf(ctx, await payerFor(ctx, actor, query.teamId)),
      saveAddress: async ({ actor, body: { teamId, ...address } }, ctx) =>
        saveBillingAddress(ctx, await payerFor(ctx, actor, teamId), address),
      setupIntent: async ({ actor, body }, ctx) => {
        await consume(ctx, 'cardUser', actor.id);
        return beginCard(ctx, await payerFor(ctx, actor, body.teamId));
      },
      paymentMethod: async ({ actor, query }, ctx) =>
        cardOnFile(await customerDetails(ctx.db, await payerFor(ctx, actor, query.teamId))),
      savePaymentMethod: async ({ actor, body }, ctx) => {
        await consume(ctx, 'cardUser', actor.id);
        return saveCard(ctx, actor.id, await payerFor(ctx, actor, body.teamId), body.setupIntentId);
      },
      invoices: async ({ actor, query }, ctx) => invoicesOf(ctx, await payerFor(ctx, actor, query.teamId), query.page),
      invoicePdf: ({ actor, params }, ctx) => invoicePdf(ctx, actor.id, params.id),
    },
    context,
  );
