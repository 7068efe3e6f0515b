import fs from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, signedInAdviser, signedInDemo, test } from './fixtures.ts';

const analytics = (page: Page) => page.getByRole('region', { name: 'Analytics Dashboard' });
/** A card or tile, which holds its name, figure and note. */
const card = (page: Page, name: string) => analytics(page).locator('section').filter({ hasText: name }).first();

test('analytics: no data at all', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/dashboard');
  await page.getByRole('tab', { name: 'Analytics' }).press('Enter');
  await expect(page).toHaveURL('/dashboard?tab=analytics');
  await expect(analytics(page)).toContainText('Last 30 days');
  await expect(analytics(page)).toContainText('No analytics data');
  await expect(analytics(page)).toContainText('Start using tools to see your analytics data here.');
  await expectAccessible(page);
});

test('a session with a tool shows in the cards, the chart, the tables, the tiles and the CSV', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/subscribe/risk-profile-ai');
  await page.getByRole('button', { name: 'Start 30-day free trial' }).click();
  await expect(page).toHaveURL('/dashboard');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open Risk Profile AI' }).click();
  const tool = await opened;
  await tool.getByRole('button', { name: 'Finish session' }).click();
  await expect(tool.getByText('Session reported')).toBeVisible();
  await tool.close();

  await page.reload();
  await expect(page.getByText('25 min')).toBeVisible();
  await page.getByRole('tab', { name: 'Analytics' }).click();
  await expect(card(page, 'Total Sessions')).toHaveText(/Total Sessions1Across all tools/);
  await expect(card(page, 'Total Time')).toHaveText(/Total Time(under 1 min|(\d+ h )?\d+ min)Time spent using tools/);
  await expect(card(page, 'Avg Performance')).toHaveText(/Avg Performance(\d+\.\d|–)Out of 10\.0/);
  await expect(card(page, 'Active Tools')).toHaveText(/Active Tools\d+Subscribed tools/);

  const activity = analytics(page).getByRole('region', { name: 'Recent Activity' });
  await expect(activity).toContainText('Your latest tool usage sessions');
  await expect(activity.getByRole('listitem')).toHaveCount(1);
  await expect(activity.getByRole('listitem')).toContainText('Risk Profile AI');
  await expect(activity.getByRole('listitem')).toContainText(/ago/);

  const byTool = analytics(page).getByRole('table').filter({ hasText: 'Saved' });
  await expect(byTool.getByRole('row', { name: /Risk Profile AI/ })).toContainText('25 min');
  await expect(page.getByRole('img', { name: /Bars of sessions per day: 1 session/ })).toBeVisible();
  await page.getByText('Show the figures as a table').press('Enter');
  const byDay = analytics(page).getByRole('table').filter({ hasText: 'Day' });
  await expect(byDay.getByRole('row')).toHaveCount(31);
  await expect(byDay.getByRole('row').nth(1)).toContainText('Risk Profile AI 1');
  await expectAccessible(page);

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).press('Enter');
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^adviserly-usage-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await fs.readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(',Risk Profile AI,risk-profile-ai,');
});

test('the demonstration has life, and the keyboard reaches all of it', async ({ page }) => {
  test.slow(); // axe looks at all of a full page, in two widths
  await signedInDemo(page, 'adviser');
  await page.goto('/dashboard?tab=analytics');
  await expect(card(page, 'Total Sessions')).toHaveText(/Total Sessions[1-9]\d*Across all tools/);
  await expect(card(page, 'Avg Performance').getByRole('progressbar')).toHaveAttribute(
    'aria-valuetext',
    /out of 10\.0$/,
  );
  const reached: string[] = [];
  await page.getByRole('link', { name: 'Download CSV' }).focus();
  for (let step = 0; step < 3; step += 1) {
    await page.keyboard.press('Tab');
    reached.push(await page.evaluate(() => document.activeElement?.textContent?.slice(0, 28) ?? ''));
  }
  expect(reached[0]).toBe('Show the figures as a table');
  expect(reached[1]).toMatch(/^ToolSessions/);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('loading shows four placeholder cards', async ({ page }) => {
  await signedInAdviser(page);
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/analytics/usage*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/dashboard?tab=analytics');
  await expect(page.getByText('Loading your analytics')).toBeAttached();
  await expect(analytics(page).locator('[aria-busy] section')).toHaveCount(4);
  release?.();
  await expect(analytics(page)).toContainText('No analytics data');
});

test("'No recent activity to display' where the last session is older than the 30 days", async ({ page }) => {
  await signedInAdviser(page);
  await page.route('**/api/analytics/dashboard', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), everUsed: true } });
  });
  await page.goto('/dashboard?tab=analytics');
  await expect(analytics(page)).toContainText('No recent activity to display');
  await expect(card(page, 'Total Sessions')).toHaveText(/Total Sessions0Across all tools/);
  await expectAccessible(page);
});

test('figures that could not be loaded are tried again', async ({ page, allowStatuses }) => {
  allowStatuses(503);
  await signedInAdviser(page);
  await page.route('**/api/analytics/*', (route) =>
    route.fulfill({ status: 503, json: { code: 'busy', message: 'The service is busy.', requestId: 'r1' } }),
  );
  await page.goto('/dashboard?tab=analytics');
  await expect(page.getByRole('alert')).toContainText('Your analytics could not be loaded');
  await expectAccessible(page);
  await page.unroute('**/api/analytics/*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(analytics(page)).toContainText('No analytics data');
});

test('what failed without a connection is there once it is back, without a press', async ({
  page,
  context,
  allowStatuses,
}) => {
  allowStatuses(0);
  await signedInAdviser(page);
  await page.goto('/');
  await page.route('**/api/analytics/*', (route) => route.abort('internetdisconnected'));
  await page.getByRole('tab', { name: 'Analytics' }).click();
  await expect(page.getByRole('alert')).toContainText('Your analytics could not be loaded');
  await context.setOffline(true);
  await page.unroute('**/api/analytics/*');
  await context.setOffline(false);
  await expect(analytics(page)).toContainText('No analytics data');
});
