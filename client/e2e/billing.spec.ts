import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, post, signedInAdviser, test } from './fixtures.ts';
import { buy, cards, enterCard, toastWith } from './purchase-steps.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const giveCard = async (page: Page, opener: Locator, number: string, owed = 0) => {
  await opener.click();
  await enterCard(page, number);
  await page
    .getByRole('button', { name: owed > 0 ? `Save card and pay $${owed}.00` : 'Save card', exact: true })
    .click();
  await expect(toastWith(page, 'Payment Method Updated')).toContainText(owed > 0 ? `Paid $${owed}.00.` : '');
  await expect(page.getByRole('dialog')).toBeHidden();
};
const openBilling = async (page: Page) => {
  await page.goto('/dashboard?tab=billing');
  await expect(region(page, 'Invoice History')).toBeVisible();
};
/** Long enough for a monthly renewal to fall due and be charged, but short of the seven days after it. */
const renew = (page: Page) => post(page, '/dev/clock', { advance: '32d' });

test('a card is declined, then challenged in vain, then kept: it pays from then on', async ({ page }) => {
  test.slow();
  await signedInAdviser(page);
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('stripe.js')) scripts.push(request.url());
  });
  await openBilling(page);
  const card = region(page, 'Payment Method');
  await expect(card).toContainText('No card on file');
  await expectAccessible(page);
  expect(scripts).toEqual([]);

  await card.getByRole('button', { name: 'Add a card' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a card' });
  const save = dialog.getByRole('button', { name: 'Save card' });
  await expect(save).toBeVisible();
  expect(scripts).toHaveLength(1);
  await save.click();
  await expect(dialog.getByRole('alert')).toContainText('Your card number is incomplete.');
  await expectAccessible(page);

  await enterCard(page, cards.declined);
  await save.click();
  const alert = dialog.getByRole('alert');
  await expect(alert).toContainText('Your card was declined.');
  await expect(alert).toContainText('Failed to update payment method. Please try again.');
  await expectAccessible(page);

  await enterCard(page, cards.authentication);
  await save.click();
  await page.getByRole('button', { name: 'Fail authentication' }).click();
  await expect(dialog.getByRole('alert')).toContainText(
    'Your bank could not confirm that it was you. The card was not saved.',
  );
  await expect(save).toBeEnabled();
  await enterCard(page, cards.authentication);
  await save.click();
  await page.getByRole('button', { name: 'Complete authentication' }).click();
  await expect(toastWith(page, 'Payment Method Updated')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(card).toContainText('3184');
  await expect(card).toContainText('Expires 12/2039');

  await giveCard(page, card.getByRole('button', { name: 'Update Payment' }), cards.pays);
  await expect(card).toContainText('4242');
  await page.reload();
  await expect(region(page, 'Payment Method')).toContainText('4242');
});

test('a card that cannot be saved says so, and the same form saves it afterwards', async ({ page, allowStatuses }) => {
  allowStatuses(503);
  await signedInAdviser(page);
  await openBilling(page);
  await page.route('**/api/billing/payment-method', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 503, json: { code: 'payment_provider_unavailable', message: 'Away.', requestId: 'r' } })
      : route.fallback(),
  );
  await region(page, 'Payment Method').getByRole('button', { name: 'Add a card' }).click();
  await enterCard(page, cards.pays);
  await page.getByRole('button', { name: 'Save card' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toHaveText('Failed to update payment method. Please try again.');
  await page.unroute('**/api/billing/payment-method');
  await page.getByRole('button', { name: 'Save card' }).click();
  await expect(dialog).toBeHidden();
  await expect(region(page, 'Payment Method')).toContainText('4242');
});

test('an adviser enters the billing address by keyboard alone: it is checked, stored and printed', async ({ page }) => {
  await signedInAdviser(page);
  await openBilling(page);
  const card = region(page, 'Billing Address');
  await expect(card).toContainText('1 Pitt Street');
  await card.getByRole('button', { name: 'Add billing address' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit Billing Address' });
  const street = dialog.getByLabel('Street address');
  await expect(street).toHaveValue('1 Pitt Street');
  await expect(street).toBeFocused();
  await expectAccessible(page);
  await street.fill('12 George Street');
  const postcode = dialog.getByLabel('Postcode');
  await postcode.fill('20001');
  await expect(postcode).toHaveValue('2000');
  await postcode.fill('200');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Postcode must be 4 digits');
  await expect(postcode).toBeFocused();
  await postcode.fill('3000');
  await expect(dialog).toContainText('3000 is not usually in  NSW.');
  await postcode.fill('2000');
  await page.keyboard.press('Enter');
  await expect(toastWith(page, 'Billing Address Updated')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(card.getByRole('button', { name: 'Edit billing address' })).toBeVisible();
  await expect(card).toContainText('12 George Street');
  await page.reload();
  await expect(region(page, 'Billing Address')).toContainText('12 George Street');
});

test('the form says so when it cannot store an address', async ({ page, allowStatuses }) => {
  allowStatuses(503);
  await signedInAdviser(page);
  await openBilling(page);
  await page.route('**/api/billing/address', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 503, json: { code: 'busy', message: 'The service is busy.', requestId: 'r' } })
      : route.fallback(),
  );
  await page.getByRole('button', { name: 'Add billing address' }).click();
  await page.getByRole('button', { name: 'Save address' }).click();
  const alert = page.getByRole('dialog').getByRole('alert');
  await expect(alert).toContainText('Failed to update billing address. Please try again.');
  await expect(alert).toContainText('The service is busy.');
});

test('an adviser lists the invoices, downloads a tax invoice, and prints it without the rest of the page', async ({
  page,
}) => {
  test.slow();
  await signedInAdviser(page);
  await page.goto('/billing-history');
  await expect(page.getByText('No invoices yet')).toBeVisible();
  await expectAccessible(page);
  await buy(page, { toolId: 'risk-profile-ai' });
  await buy(page, { toolId: 'fact-find-ai' });
  await openBilling(page);
  const history = region(page, 'Invoice History');
  await expect(history.getByRole('listitem')).toHaveCount(2);
  await expect(history.getByRole('listitem').first()).toContainText('Fact Find AI');
  await expect(history.getByRole('listitem').first()).toContainText('Paid');
  await expectAccessible(page);

  const opened = page.waitForEvent('popup');
  await history.getByRole('link', { name: /View all invoices/ }).click();
  const all = await opened;
  await expect(all.getByRole('heading', { level: 1 })).toHaveText('Invoices');
  await expect(all.getByRole('row')).toHaveCount(3);
  await expectAccessible(all);
  const download = all.waitForEvent('download');
  await all
    .getByRole('link', { name: /Download tax invoice/ })
    .first()
    .click();
  expect((await download).suggestedFilename()).toMatch(/^tax-invoice-.+\.pdf$/);

  await all.emulateMedia({ media: 'print' });
  await expect(all.getByRole('navigation', { name: 'Main' })).toBeHidden();
  await expect(all.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(all.getByRole('table')).toBeVisible();
  await all.emulateMedia({ media: null });
  await all.goto('/invoices?page=7');
  await expect(all.getByText('There is no such page')).toBeVisible();
  await all.getByRole('link', { name: 'Go to the first page' }).click();
  await expect(all).toHaveURL('/invoices');
  await expect(all.getByRole('row')).toHaveCount(3);
});

test('a purchase shows its card and invoice on a Billing tab that was open before, without a reload', async ({
  page,
}) => {
  await signedInAdviser(page);
  await openBilling(page);
  await expect(region(page, 'Payment Method')).toContainText('No card on file');
  await expect(region(page, 'Invoice History')).toContainText('No invoices yet');

  await page.getByRole('tab', { name: 'My Tools' }).click();
  await page.getByRole('link', { name: 'Subscribe • $25/month: File Note AI' }).click();
  await page.getByRole('button', { name: /^Skip the trial/ }).click();
  await enterCard(page, cards.pays);
  await page.getByRole('button', { name: 'Subscribe for $25.00/month' }).click();
  await expect(toastWith(page, 'Payment Successful')).toBeVisible();
  await expect(page).toHaveURL('/dashboard');

  await page.getByRole('tab', { name: 'Billing' }).click();
  await expect(region(page, 'Payment Method')).toContainText('4242');
  await expect(region(page, 'Invoice History').getByRole('listitem')).toHaveCount(1);
});

test('an adviser gives a card during a trial, and reads before when it is charged, and how much', async ({ page }) => {
  await signedInAdviser(page);
  await post(page, '/api/create-subscription', { toolId: 'risk-profile-ai', trial: true });
  await openBilling(page);
  await region(page, 'Payment Method').getByRole('button', { name: 'Add a card' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a card' });
  await expect(dialog).toContainText('After your trial we’ll charge it:');
  await expect(dialog).toContainText(/Risk Profile AI: \$30\.00 a month from \d+ \w+, until you cancel/);
  await expect(dialog).toContainText(
    'Cancel before the trial ends and you won’t pay. To cancel, press Cancel beside the tool under Billing and choose a reason.',
  );
  await expect(dialog).toContainText('This card will pay for all of your own tools.');
  await expectAccessible(page);
  await enterCard(page, cards.pays);
  await dialog.getByRole('button', { name: 'Save card' }).click();
  await expect(dialog).toBeHidden();
  await expect(
    region(page, 'Subscriptions').getByRole('listitem').filter({ hasText: 'Risk Profile AI' }),
  ).toContainText(/Free until .+, then \$30\.00\/month/);
});

test('the page tells in its place what it cannot load, and tries again', async ({ page, allowStatuses }) => {
  allowStatuses(500);
  await signedInAdviser(page);
  const fault = { status: 500, json: { code: 'internal', message: 'Something went wrong.', requestId: 'req-1' } };
  await page.route(/api\/billing\/(address|payment-method|invoices)/, (route) => route.fulfill(fault));
  await page.goto('/dashboard?tab=billing');
  await expect(page.getByText('Your payment method could not be loaded')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText('Your billing address could not be loaded')).toBeVisible();
  await expect(page.getByText('Your invoices could not be loaded')).toBeVisible();
  await expectAccessible(page);
  await page.unroute(/api\/billing\/(address|payment-method|invoices)/);
  await region(page, 'Payment Method').getByRole('button', { name: 'Try again' }).click();
  await expect(region(page, 'Payment Method')).toContainText('No card on file');
});

test('every tab shows that a renewal failed; a new card pays it at once', async ({ page }) => {
  test.slow();
  await signedInAdviser(page);
  await buy(page, { toolId: 'risk-profile-ai' });
  await openBilling(page);
  await giveCard(
    page,
    region(page, 'Payment Method').getByRole('button', { name: 'Update Payment' }),
    cards.failsLater,
  );
  await renew(page);
  await page.goto('/dashboard');
  const banner = region(page, 'Failed payment');
  await expect(banner).toContainText('Your payment of $30.00 failed');
  await expect(banner).toContainText('Your card was declined.');
  for (const tab of ['Analytics', 'Profile', 'Billing']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(banner).toBeVisible();
  }
  await expect(region(page, 'Invoice History').getByRole('listitem').first()).toContainText('Amount due');
  await expectAccessible(page);

  await banner.getByRole('button', { name: 'Pay $30.00 with Visa ending in 0341' }).click();
  await expect(toastWith(page, 'Payment Failed')).toBeVisible();
  const row = region(page, 'Subscriptions').getByRole('listitem').filter({ hasText: 'Risk Profile AI' });
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(1);
  await giveCard(page, banner.getByRole('button', { name: 'Use another card' }), cards.pays, 30);
  await expect(banner).toBeHidden();
  await expect(region(page, 'Invoice History').getByRole('listitem').first()).toContainText('Paid');
  await expect(row).toContainText('Active');
});

test('an adviser confirms a renewal in the browser when the bank asks for it', async ({ page }) => {
  test.slow();
  await signedInAdviser(page);
  await buy(page, { toolId: 'pre-fill-ai' });
  await openBilling(page);
  await region(page, 'Payment Method').getByRole('button', { name: 'Update Payment' }).click();
  await enterCard(page, cards.authentication);
  await page.getByRole('button', { name: 'Save card' }).click();
  await page.getByRole('button', { name: 'Complete authentication' }).click();
  await expect(toastWith(page, 'Payment Method Updated')).toBeVisible();
  await renew(page);
  await openBilling(page);
  const banner = region(page, 'Failed payment');
  await expect(banner).toContainText('Your payment of $30.00 needs your confirmation');
  await expect(banner).toContainText('Your bank wants you to confirm this payment.');
  const payNow = banner.getByRole('button', { name: /^Pay \$30\.00 with Visa/ });
  await payNow.click();
  await page.getByRole('button', { name: 'Fail authentication' }).click();
  await expect(banner.getByRole('alert')).toContainText('Your bank could not confirm that it was you.');
  await payNow.click();
  await page.getByRole('button', { name: 'Complete authentication' }).click();
  await expect(toastWith(page, 'Payment Successful')).toBeVisible();
  await expect(banner).toBeHidden();
});
