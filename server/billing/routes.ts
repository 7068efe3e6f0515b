import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';

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
    },
    context,
  );
