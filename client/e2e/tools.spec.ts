import { expect, expectAccessible, signedInAdviser, test } from './fixtures.ts';

test.beforeEach(async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/subscribe/risk-profile-ai');
  await page.getByRole('button', { name: 'Start 30-day free trial' }).click();
  await expect(page).toHaveURL('/dashboard');
});

test('Open leads to the tool, which knows the adviser; its session shows on the dashboard', async ({ page }) => {
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Risk Profile AI', exact: true }) });
  await expect(card).toContainText('Last used');
  await expect(card).toContainText('Never');
  await expect(card).toContainText('0 sessions');

  const opened = page.waitForEvent('popup');
  await card.getByRole('button', { name: 'Open Risk Profile AI' }).click();
  const tool = await opened;
  await expect(tool.getByRole('heading', { level: 1 })).toHaveText('Welcome, Alex');
  expect(await tool.evaluate(() => window.opener === null)).toBe(true);
  expect(await tool.evaluate(() => document.referrer)).toBe('');
  await tool.getByRole('button', { name: 'Finish session' }).click();
  await expect(tool.getByText('Session reported')).toBeVisible();
  await tool.close();

  await page.bringToFront();
  // Headless Chromium doesn't give the focus back by itself.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(card).toContainText('less than 1 hour ago');
  await expect(card).toContainText('1 session');
  await expect(page.getByText('25 min')).toBeVisible();
  await expectAccessible(page);
});

test('a launch that fails closes the window and says so', async ({ page, allowStatuses }) => {
  allowStatuses(503);
  await page.route('**/api/auth/token', (route) =>
    route.fulfill({ status: 503, json: { code: 'busy', message: 'The service is busy.', requestId: 'r1' } }),
  );
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open Risk Profile AI' }).click();
  const window = await opened;
  if (!window.isClosed()) await window.waitForEvent('close');
  await expect(page.getByRole('region').getByText('Failed to launch tool. Please try again.')).toBeVisible();
});

test('a blocked window is offered as a link', async ({ page }) => {
  await page.evaluate(() => {
    window.open = () => null;
  });
  await page.getByRole('button', { name: 'Open Risk Profile AI' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your browser blocked the new window' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  const opened = page.context().waitForEvent('page');
  await dialog.getByRole('link', { name: 'Open Risk Profile AI' }).click();
  await expect((await opened).getByRole('heading', { level: 1 })).toHaveText('Welcome, Alex');
  await expect(dialog).toBeHidden();
});
