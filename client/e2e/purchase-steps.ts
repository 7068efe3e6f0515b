import type { Page } from '@playwright/test';
import { expect, post } from './fixtures.ts';

export const cards = {
  pays: '4242424242424242',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  /** Saved without a challenge; every later charge is refused. */
  failsLater: '4000000000000341',
  /** The bank asks at every payment. */
  authentication: '4000002760003184',
};

/** A toast that has these words somewhere; accounts-steps.ts has the one for a title or text in full. */
export const toastWith = (page: Page, words: string | RegExp) =>
  page.getByRole('region').getByRole('listitem').filter({ hasText: words });

/** Types a card that is valid for long enough, whatever a journey does to the clock. */
export const enterCard = async (page: Page, number = cards.pays) => {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12 / 39');
  await page.getByLabel('CVC').fill('123');
};

/** By pressing alone: buys a tool and tries another, opens the one, cancels it and comes back. `ready` waits at a page that was opened. */
export async function doMainJob(page: Page, ready: () => Promise<unknown> = async () => undefined) {
  await page.goto('/subscribe/risk-profile-ai');
  await ready();
  await page.getByRole('button', { name: /^Skip the trial/ }).click();
  await enterCard(page);
  await page.getByRole('button', { name: 'Subscribe for $30.00/month' }).click();
  await expect(toastWith(page, 'Payment Successful')).toBeVisible();
  await expect(page).toHaveURL('/dashboard');

  await page.goto('/subscribe/fact-find-ai');
  await ready();
  await page.getByRole('button', { name: 'Start 30-day free trial' }).click();
  await expect(toastWith(page, 'Subscription Created')).toBeVisible();
  await expect(page).toHaveURL('/dashboard');

  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open Risk Profile AI' }).click();
  const tool = await opened;
  await expect(tool.getByRole('heading', { level: 1 })).toHaveText('Welcome, Alex');
  await tool.close();

  await page.getByRole('button', { name: 'Cancel Subscription: Risk Profile AI' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel Risk Profile AI' });
  await dialog.getByRole('radio', { name: 'Too expensive' }).check();
  await dialog.getByRole('button', { name: 'Confirm cancellation' }).click();
  await expect(toastWith(page, 'Subscription Cancelled')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Reactivate Risk Profile AI' }).first().click();
  await expect(toastWith(page, 'Subscription Reactivated')).toBeVisible();
}

type Answer = { part: object | null; dueTodayCents: number; nextBill: { totalCents: number } | null; last4: string };

/** Buys a tool without typing: the first as the card form does, another with a press that charges the card on file. */
export async function buy(page: Page, tool: { toolId: string; teamId?: string }, paymentMethod = 'pm_card_visa') {
  const { toolId, ...payer } = tool;
  const query = new URLSearchParams(tool).toString();
  const read = async (path: string) => (await (await page.request.get(path)).json()) as Answer;
  const { part, dueTodayCents, nextBill } = await read(`/api/pricing/quote?${query}`);
  if (part) {
    const { last4 } = await read(`/api/billing/payment-method?${new URLSearchParams(payer)}`);
    const charge = { cents: dueTodayCents, last4, ...(nextBill && { nextCents: nextBill.totalCents }) };
    await post(page, '/api/create-subscription', { ...tool, charge });
    return;
  }
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

/** Unfolds the subscriptions below the tools, which then stay so in this tab. */
export async function unfoldSubscriptions(page: Page) {
  const fold = page.getByRole('region', { name: 'Subscriptions', exact: true }).locator('details');
  await expect(fold).toBeVisible();
  if ((await fold.getAttribute('open')) === null) await fold.locator('summary').click();
}
