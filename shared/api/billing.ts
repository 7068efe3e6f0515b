import * as z from 'zod';
import { defineApi } from './endpoint.ts';

export const billingApi = defineApi({
  config: {
    method: 'GET',
    path: '/api/billing/config',
    access: 'signedIn',
    summary: 'How the browser reaches the payment provider',
    response: z.object({
      mode: z.enum(['stripe', 'sandbox']),
      publishableKey: z.string(),
      /** Script to load instead of the provider's own; null with real keys. */
      stripeJsUrl: z.string().nullable(),
      apiBase: z.string(),
    }),
  },
});
