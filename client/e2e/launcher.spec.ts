import type { Page } from '@playwright/test';
import { expect, expectAccessible, post, signedInAdviser, test } from './fixtures.ts';

const sold = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai', 'pre-fill-ai', 'share-advice-ai', 'portfolio-ai'];
const startTrial = (page: Page, toolId: string) => post(page, '/api/create-subscription', { toolId, trial: true });

/** Opens a tool once, so that the first steps are done. */
const openOnce = async (page: Page, press: () => Promise<void>, toolName: string) => {
  const opened = page.waitForEvent('popup');
  await press();
  const tool = await opened;
  await expect(tool.getByRole('button', { name: 'Finish session' })).toBeVisible();
  await expect(tool).toHaveTitle(new RegExp(toolName));
  await tool.close();
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
};

test('seven tools and the one to come fit a screen and a half, and a number key opens each', async ({ page }) => {
  test.slow();
  await signedInAdviser(page);
  for (const toolId of sold) await startTrial(page, toolId);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  await expect(page.getByText('Number keys 1 to 7 open a tool.')).toBeVisible();
  await openOnce(page, () => page.keyboard.press('2'), 'Fact Find AI');
  await expect(page.getByRole('list', { name: 'First steps' })).toBeHidden();
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  await expect(page.getByRole('button', { name: 'Advice Writer AI: Coming Soon' })).toBeVisible();
  expect(await height()).toBeLessThanOrEqual(1100);
  await expectAccessible(page);
  // In our own typeface: a phone's first page goes without.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('adviserly-typeface'))).toBe('here');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(page.getByRole('button', { name: 'Advice Writer AI: Coming Soon' })).toBeVisible();
  expect(await height()).toBeLessThanOrEqual(2000);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
});

test('the arrows go from tool to tool, and Enter opens the one in focus', async ({ page }) => {
  test.slow();
  await signedInAdviser(page);
  for (const toolId of sold.slice(0, 4)) await startTrial(page, toolId);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  const opener = (name: string) => page.getByRole('button', { name: `Open ${name} in a new window` });
  await opener('Risk Profile AI').focus();
  await page.keyboard.press('ArrowRight');
  await expect(opener('Fact Find AI')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(opener('Lost Money AI')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(opener('Fact Find AI')).toBeFocused();
  await openOnce(page, () => page.keyboard.press('Enter'), 'Fact Find AI');
});

test('number keys stay quiet in a dialog and a field, and once they are turned off', async ({ page }) => {
  await signedInAdviser(page);
  await startTrial(page, 'risk-profile-ai');
  await page.goto('/');
  const launches: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/token')) launches.push(request.url());
  });
  await expect(page.getByText('Number keys 1 or 2 open a tool.')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByPlaceholder(/^Find a tool/)).toBeFocused();
  await page.keyboard.press('1');
  await expect(page.getByPlaceholder(/^Find a tool/)).toHaveValue('1');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Turn off number keys' }).click();
  await page.keyboard.press('1');
  await page.reload();
  await expect(page.getByText('Number keys are off.')).toBeVisible();
  await page.keyboard.press('1');
  await expectAccessible(page);
  expect(launches).toEqual([]);
  await page.getByRole('button', { name: 'Turn on number keys' }).click();
  await openOnce(page, () => page.keyboard.press('1'), 'Risk Profile AI');
});

test('a newcomer sees three tools that fit first, each with its trial and the price after', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/');
  const first = page.getByRole('region', { name: 'Choose a tool' });
  await expect(first.getByRole('link', { name: /^Try free for 30 days/ })).toHaveCount(3);
  const card = first.getByRole('listitem').first();
  await expect(card).toContainText('Fact Find AI');
  await expect(card).toContainText('$50/month after');
  await expect(card.getByRole('link', { name: 'Subscribe • $50/month: Fact Find AI' })).toBeVisible();
  await expectAccessible(page);
  await card.getByRole('link', { name: 'Try free for 30 days: Fact Find AI' }).click();
  await page.getByRole('button', { name: 'Start 30-day free trial' }).click();
  await expect(page).toHaveURL('/dashboard');
  await expect(first).toBeHidden();
});
