import type { Page } from '@playwright/test';
import { expect, post } from './fixtures.ts';

/** Pays for a tool as the card form does, without typing. */
export async function buy(page: Page, tool: { toolId: string; teamId?: string }, paymentMethod = 'pm_card_visa') {
  const { toolId, ...payer } = tool;
  const { clientSecret } = await post(page, '/api/create-subscription', tool);
  const { publishableKey, apiBase } = (await (await page.request.get('/api/billing/config')).json()) as {
    publishableKey: string;
    apiBase: string;
  };
  const intent = (clientSecret as string).split('_secret_')[0];
  const form = { key: publishableKey, client_secret: clientSecret as string, payment_method: paymentMethod };
  const answer = await page.request.post(`${apiBase}/v1/payment_intents/${intent}/confirm`, { form });
  expect(answer.ok(), await answer.text()).toBe(true);
  await post(page, `/api/subscriptions/${toolId}/sync`, payer);
}
