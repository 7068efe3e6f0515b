import type { Page } from '@playwright/test';
import { expect, expectAccessible, signedInAdviser, signedInDemo, test } from './fixtures.ts';
import { cards, enterCard, toastWith, unfoldSubscriptions } from './purchase-steps.ts';

const openPayment = async (page: Page, toolId: string) => {
  await page.goto(`/subscribe/${toolId}`);
  await page.getByRole('button', { name: /^Skip the trial/ }).click();
  await expect(page.getByRole('button', { name: /^Subscribe for \$/ })).toBeVisible();
};

const subscriptions = async (page: Page) =>
  (await (await page.request.get('/api/user/subscriptions')).json()) as { toolId: string; status: string }[];

const statuses = async (page: Page) =>
  Object.fromEntries((await subscriptions(page)).map(({ toolId, status }) => [toolId, status]));

test('a trial starts without a card, and Lost Money arrives with it', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back, Alex');
  await expect(page.getByText('No Active Subscriptions')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Subscribe • $25/month: File Note AI' }).click();
  await expect(page).toHaveURL('/subscribe/file-note-ai');
  const checkout = page.getByRole('region', { name: 'Complete Your Subscription' });
  await expect(checkout).toContainText('Due today');
  await expect(checkout).toContainText('$0.00');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Start 30-day free trial' }).dblclick();
  await expect(toastWith(page, 'Subscription Created')).toContainText('Lost Money AI was added for free.');
  await expect(page).toHaveURL('/dashboard');
  await unfoldSubscriptions(page);
  const panel = page.getByRole('region', { name: 'Subscriptions', exact: true });
  await expect(panel.getByRole('listitem').filter({ hasText: 'File Note AI' })).toContainText('Trial ends');
  await expect(panel.getByRole('listitem').filter({ hasText: 'Lost Money AI' })).toContainText('Free');
  expect(await statuses(page)).toEqual({ 'file-note-ai': 'trial', 'lost-money-ai': 'active' });
  await expectAccessible(page);

  await page.goto('/subscribe/file-note-ai');
  await expect(page.getByText('You are already subscribed to this tool.')).toBeVisible();
});

test('an adviser reads inline that a card is declined, and another one then pays once', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(402);
  await signedInAdviser(page);
  await openPayment(page, 'risk-profile-ai');
  const pay = page.getByRole('button', { name: 'Subscribe for $30.00/month' });
  await expectAccessible(page);

  await enterCard(page, cards.declined);
  await pay.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible();
  await expect(toastWith(page, 'Payment Failed')).toBeVisible();
  expect(await subscriptions(page)).toEqual([]);
  await expectAccessible(page);

  await enterCard(page, cards.insufficientFunds);
  await pay.click();
  await expect(page.getByRole('alert').filter({ hasText: 'insufficient funds' })).toBeVisible();

  const confirmations: string[] = [];
  page.on('request', (request) => {
    if (/payment_intents\/[^/]+\/confirm/.test(request.url())) confirmations.push(request.url());
  });
  await enterCard(page, cards.pays);
  await pay.dblclick();
  await expect(toastWith(page, 'Payment Successful')).toContainText('Lost Money AI was added for free.');
  await expect(page).toHaveURL('/dashboard');
  expect(confirmations).toHaveLength(1);
  expect(await statuses(page)).toEqual({ 'risk-profile-ai': 'active', 'lost-money-ai': 'active' });
});

test('an adviser refuses the authentication and pays nothing; accepting it subscribes', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(402);
  await signedInAdviser(page);
  await openPayment(page, 'pre-fill-ai');
  const pay = page.getByRole('button', { name: 'Subscribe for $30.00/month' });

  await enterCard(page, cards.authentication);
  await pay.click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Fail authentication' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Your bank could not confirm that it was you.' }),
  ).toBeVisible();
  expect(await subscriptions(page)).toEqual([]);

  await enterCard(page, cards.authentication);
  await pay.click();
  await page.getByRole('button', { name: 'Complete authentication' }).click();
  await expect(toastWith(page, 'Payment Successful')).toBeVisible();
  await expect(page).toHaveURL('/dashboard');
  expect(await statuses(page)).toEqual({ 'pre-fill-ai': 'active', 'lost-money-ai': 'active' });
});

test('the page shows the bulk discount of a second tool before it is bought', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/subscribe/fact-find-ai');
  await page.getByRole('button', { name: 'Start 30-day free trial' }).click();
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByText('Add 1 more tool for 5% off every tool.', { exact: true })).toBeVisible();

  await openPayment(page, 'risk-profile-ai');
  await expect(page.getByText('Bulk discount: 5% off with 2 paid tools')).toBeVisible();
  const checkout = page.getByRole('region', { name: 'Complete Your Subscription' });
  await expect(checkout.locator('s')).toContainText('$30.00');
  await expect(checkout).toContainText('Bulk discount (5%)');
  await expect(checkout).toContainText('−$1.50');
  await expect(page.getByRole('button', { name: 'Subscribe for $28.50/month' })).toBeVisible();
  await enterCard(page, cards.pays);
  await page.getByRole('button', { name: 'Subscribe for $28.50/month' }).click();
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByText('You save 5% with 2 paid tools, your trial included.')).toBeVisible();
  await expectAccessible(page);
});

/** From the dashboard to a second tool's payment, by links alone. */
const openSecond = async (page: Page) => {
  await page.getByRole('tab', { name: 'My Tools' }).click();
  await page.getByRole('link', { name: 'Subscribe • $23.75/month: File Note AI' }).click();
  await page.getByRole('button', { name: /^Skip the trial/ }).click();
};
const firstTool = async (page: Page) => {
  await signedInAdviser(page);
  await openPayment(page, 'risk-profile-ai');
  await enterCard(page, cards.pays);
  await page.getByRole('button', { name: 'Subscribe for $30.00/month' }).click();
  await expect(page).toHaveURL('/dashboard');
  await page.getByRole('tab', { name: 'Billing' }).click();
  await expect(page.getByRole('region', { name: 'Payment Method' })).toContainText('4242');
};

test('an adviser buys with the card on file in one press, and Billing shows the same card', async ({ page }) => {
  await firstTool(page);
  await openSecond(page);
  const charge = page.getByRole('button', { name: 'Subscribe for $23.75/month' });
  await expect(charge).toBeVisible();
  await expect(page.getByRole('region', { name: 'Complete Your Subscription' })).toContainText(
    /Due today \$23\.75, .*It is charged to Visa/,
  );
  await expect(page.getByLabel('Card number')).toBeHidden();
  await expectAccessible(page);
  await charge.dblclick();
  await expect(toastWith(page, 'Payment Successful')).toBeVisible();
  await expect(page).toHaveURL('/dashboard');
  expect(await statuses(page)).toMatchObject({ 'risk-profile-ai': 'active', 'file-note-ai': 'active' });
  await expect(page.getByRole('region', { name: 'Subscriptions', exact: true })).toContainText(
    /^SubscriptionsYou pay \$\d/,
  );
  await page.getByRole('tab', { name: 'Billing' }).click();
  await expect(page.getByRole('region', { name: 'Payment Method' })).toContainText('4242');
  await expect(page.getByRole('region', { name: 'Invoice History' }).getByRole('listitem')).toHaveCount(2);
});

test('an adviser changes the card at checkout, and Billing shows the new one', async ({ page }) => {
  await firstTool(page);
  await openSecond(page);
  await page.getByRole('button', { name: 'Change' }).click();
  await expect(page.getByText('This card will replace')).toBeVisible();
  await enterCard(page, '5555555555554444');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save card' }).click();
  await page.getByRole('button', { name: 'Subscribe for $23.75/month' }).click();
  await expect(toastWith(page, 'Payment Successful')).toBeVisible();
  await expect(page).toHaveURL('/dashboard');
  await page.getByRole('tab', { name: 'Billing' }).click();
  await expect(page.getByRole('region', { name: 'Payment Method' })).toContainText('Mastercard');
  await expect(page.getByRole('region', { name: 'Payment Method' })).toContainText('4444');
});

test('the bank refuses the card on file: the page says why, and another card pays in its place', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/dashboard?tab=billing');
  await page.getByRole('button', { name: 'Add a card' }).click();
  await enterCard(page, cards.authentication);
  await page.getByRole('button', { name: 'Save card' }).click();
  await page.getByRole('button', { name: 'Complete authentication' }).click();
  await expect(page.getByRole('region', { name: 'Payment Method' })).toContainText('3184');

  await page.getByRole('tab', { name: 'My Tools' }).click();
  await page.getByRole('link', { name: 'Subscribe • $25/month: File Note AI' }).click();
  await page.getByRole('button', { name: /^Skip the trial/ }).click();
  await page.getByRole('button', { name: 'Subscribe for $25.00/month' }).click();
  await page.getByRole('button', { name: 'Fail authentication' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Your bank could not confirm that it was you.' }),
  ).toBeVisible();
  expect(await subscriptions(page)).toEqual([]);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Change' }).click();
  await enterCard(page, cards.pays);
  await page.getByRole('button', { name: 'Subscribe for $25.00/month' }).click();
  await expect(toastWith(page, 'Payment Successful')).toBeVisible();
  await expect.poll(() => statuses(page)).toMatchObject({ 'file-note-ai': 'active' });
});

test('an adviser who took the trial in another window pays nothing, and reads so', async ({ page, allowStatuses }) => {
  allowStatuses(400);
  await signedInAdviser(page);
  await openPayment(page, 'file-note-ai');
  const started = await page.request.post('/api/create-subscription', {
    data: { toolId: 'file-note-ai', trial: true },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(started.ok()).toBe(true);
  await enterCard(page, cards.pays);
  await page.getByRole('button', { name: 'Subscribe for $25.00/month' }).click();
  await expect(toastWith(page, 'Payment Failed')).toBeVisible();
  await expect(page.getByText('You are already subscribed to this tool.')).toBeVisible();
  expect(await statuses(page)).toMatchObject({ 'file-note-ai': 'trial' });
});

test('the page says why a tool cannot be bought', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/subscribe/lost-money-ai');
  await expect(
    page.getByText('Lost-Money.ai is free with any other subscription. Please subscribe to another tool first.'),
  ).toBeVisible();
  await expectAccessible(page);
  await page.goto('/subscribe/advice-writer-ai');
  await expect(page.getByText('This tool is coming soon')).toBeVisible();
  await page.goto('/subscribe/no-such-tool');
  await expect(page.getByRole('heading', { name: 'Subscription Error' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(page).toHaveURL('/dashboard');
});

test('an unverified adviser reads how to get the trial, and may pay meanwhile', async ({ page }) => {
  await signedInDemo(page, 'unverified');
  await page.goto('/subscribe/portfolio-ai');
  await expect(page.getByText('Please verify your email address before starting a free trial.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start 30-day free trial' })).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Resend email' }).click();
  await expect(page.getByText('Sent. Please also check your spam folder.')).toBeVisible();
  await page.getByRole('button', { name: /^Skip the trial/ }).click();
  await expect(page.getByRole('button', { name: 'Subscribe for $40.00/month' })).toBeVisible();
});

test('an adviser comes back from Stripe: the page tells the outcome, and its address is clean', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/dashboard?subscribed=file-note-ai&payment_intent=pi_1&redirect_status=failed&tab=billing');
  await expect(toastWith(page, 'Payment Failed')).toBeVisible();
  await expect(page).toHaveURL('/dashboard?tab=billing');

  // An address is no proof of a payment, whatever it says, and it may lack the status.
  for (const status of ['', '&redirect_status=succeeded']) {
    await page.goto(`/dashboard?subscribed=file-note-ai&payment_intent=pi_1${status}`);
    await expect(toastWith(page, 'Payment not confirmed yet')).toBeVisible();
    await expect(page).toHaveURL('/dashboard');
  }
});

test('the address keeps the tab: Back, Forward and a reload return to it', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/');
  for (const name of ['Analytics', 'Notifications', 'Billing', 'Profile']) {
    await page.getByRole('tab', { name }).click();
    await expect(page).toHaveURL(`/?tab=${name.toLowerCase()}`);
    await expectAccessible(page);
  }
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Billing' })).toHaveAttribute('aria-selected', 'true');
  await page.goForward();
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Profile' })).toHaveAttribute('aria-selected', 'true');
});
