import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { billingAddressOf, saveBillingAddress } from './address.ts';
import { callingPayer } from './calling-payer.ts';
import { cardOnFile } from './card-on-file.ts';

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
      address: async ({ actor, query }, ctx) =>
        billingAddressOf(ctx, (await callingPayer(ctx, actor, query.teamId)).owner),
      saveAddress: async ({ actor, body: { teamId, ...address } }, ctx) =>
        saveBillingAddress(ctx, (await callingPayer(ctx, actor, teamId)).owner, address),
      paymentMethod: async ({ actor, query }, ctx) => cardOnFile((await callingPayer(ctx, actor, query.teamId)).card),
    },
    context,
  );
