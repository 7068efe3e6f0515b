import type { Page } from '@playwright/test';
import { expect, expectAccessible, signedInAdviser, test } from './fixtures.ts';

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ });
const dot = (page: Page) => page.getByTestId('unread-dot');
const panel = (page: Page) => page.getByRole('region', { name: 'Notifications', exact: true });
const rows = (page: Page) => panel(page).getByRole('listitem');
const toast = (page: Page, text: string) => page.getByRole('region', { name: /F8/ }).getByText(text, { exact: true });

/** A notice from a real event: a trial that starts. */
const startTrial = async (page: Page, tool = 'risk-profile-ai') => {
  await page.goto(`/subscribe/${tool}`);
  await page.getByRole('button', { name: 'Start 30-day free trial' }).click();
  await expect(page).toHaveURL('/dashboard');
};

test('notifications: empty, and a bell without a dot', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/dashboard?tab=notifications');
  await expect(panel(page).getByRole('heading', { level: 2 })).toHaveText('Notifications');
  await expect(panel(page)).toContainText('Stay updated with your tool usage and account activity');
  await expect(panel(page)).toContainText('No notifications');
  await expect(panel(page)).toContainText("You'll see notifications about subscriptions, usage, and updates here.");
  await expect(dot(page)).toBeHidden();
  await expectAccessible(page);
  await bell(page).click();
  await expect(page.getByRole('menu', { name: 'Notifications' })).toContainText('No notifications');
  await expectAccessible(page);
});

test('bell by keyboard: a dot while something is unread, the latest, View all', async ({ page }) => {
  await signedInAdviser(page);
  await startTrial(page);
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeVisible();
  // After the change, without a reload.
  await expect(dot(page)).toBeVisible();
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread');
  await bell(page).focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu');
  const entry = menu.getByRole('menuitem', { name: /Free trial started/ });
  await expect(entry).toContainText('Unread');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(bell(page)).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(entry).toBeVisible();
  await page.keyboard.press('End');
  await expect(menu.getByRole('menuitem', { name: 'View all' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard?tab=notifications');
  await expect(rows(page)).toHaveCount(1);
  await expect(panel(page).getByRole('heading', { level: 2 })).toHaveText('Notifications1 unread');

  await bell(page).focus();
  await page.keyboard.press('Enter');
  await menu.getByRole('menuitem', { name: 'Mark all as read' }).press('Enter');
  await expect(toast(page, 'All notifications marked as read')).toBeVisible();
  await expect(dot(page)).toBeHidden();
  await expect(entry).not.toContainText('Unread');
  await expect(rows(page).getByRole('button', { name: /^Mark as read/ })).toHaveCount(0);
});

test('a notification is read, then deleted, by keyboard; the focus stays', async ({ page }) => {
  await signedInAdviser(page);
  await startTrial(page);
  await startTrial(page, 'file-note-ai');
  await page.goto('/dashboard?tab=notifications');
  const row = rows(page).filter({ hasText: 'File Note AI' }).first();
  await expect(row).toContainText('subscription renewal');
  await expect(row.locator('time')).toHaveText(/ago$/);
  await expect(row).toHaveAttribute('data-unread', 'true');
  await expectAccessible(page);

  await row.getByRole('button', { name: /^Mark as read/ }).press('Enter');
  await expect(toast(page, 'Notification marked as read')).toBeVisible();
  await expect(row).not.toHaveAttribute('data-unread');
  await expect(row.getByRole('button', { name: /^Mark as read/ })).toHaveCount(0);
  await expect(row.getByRole('button', { name: /^Delete/ })).toBeFocused();

  const before = await rows(page).count();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Notification deleted')).toBeVisible();
  await expect(rows(page)).toHaveCount(before - 1);
  await expect(rows(page).locator('[data-delete]:focus')).toHaveCount(1);
  await page.reload();
  await expect(rows(page)).toHaveCount(before - 1);

  // Once the last one is gone, the panel itself has the focus.
  for (let left = before - 1; left > 0; left -= 1) {
    await rows(page)
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click();
    await expect(rows(page)).toHaveCount(left - 1);
  }
  await expect(panel(page)).toContainText('No notifications');
  await expect(panel(page)).toBeFocused();
  await expect(dot(page)).toBeHidden();
});

test('a notice leads to its page, and is read', async ({ page }) => {
  await signedInAdviser(page);
  await startTrial(page);
  await bell(page).click();
  await page.getByRole('menuitem', { name: /Free trial started/ }).click();
  await expect(page).toHaveURL('/dashboard?tab=billing');
  await expect(dot(page)).toBeHidden();
});

test('marking as read and deleting can fail', async ({ page, allowStatuses }) => {
  allowStatuses(503);
  await signedInAdviser(page);
  await startTrial(page);
  await page.goto('/dashboard?tab=notifications');
  await page.route(/\/api\/notifications\/[0-9a-f-]{36}/, (route) =>
    route.fulfill({ status: 503, json: { code: 'busy', message: 'The service is busy.', requestId: 'r1' } }),
  );
  const row = rows(page).first();
  await row.getByRole('button', { name: /^Mark as read/ }).click();
  await expect(toast(page, 'Failed to mark notification as read.')).toBeVisible();
  await expect(toast(page, 'Error')).toBeVisible();
  await expect(row).toHaveAttribute('data-unread', 'true');
  await expect(dot(page)).toBeVisible();
  await row.getByRole('button', { name: /^Delete/ }).click();
  await expect(toast(page, 'Failed to delete notification.')).toBeVisible();
  await expect(row).toContainText('Free trial started');
  await page.unroute(/\/api\/notifications\/[0-9a-f-]{36}/);
  await row.getByRole('button', { name: /^Delete/ }).click();
  await expect(panel(page)).toContainText('No notifications');
});

test('a list that could not be loaded is tried again', async ({ page, allowStatuses }) => {
  allowStatuses(503);
  await signedInAdviser(page);
  await page.route('**/api/notifications?*', (route) =>
    route.fulfill({ status: 503, json: { code: 'busy', message: 'The service is busy.', requestId: 'r1' } }),
  );
  await page.goto('/dashboard?tab=notifications');
  await expect(page.getByRole('alert')).toContainText('The service is busy.');
  await expectAccessible(page);
  await page.unroute('**/api/notifications?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(panel(page)).toContainText('No notifications');
});

test('1,000 notices scroll smoothly in a list 400 pixels high', async ({ page }) => {
  await signedInAdviser(page);
  const types = ['subscription_renewal', 'usage_milestone', 'performance_report', 'of_a_newer_release'];
  const all = Array.from({ length: 1000 }, (_, i) => ({
    id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    type: types[i % 4],
    title: `Notice ${i}`,
    message: 'Your subscription to a tool renews in three days, on the card that ends with 4242.',
    isRead: i > 20,
    actionUrl: i % 2 === 0 ? '/dashboard' : null,
    createdAt: new Date(Date.now() - i * 3600_000).toISOString(),
  }));
  await page.route('**/api/notifications?*', (route) => {
    const limit = Number(new URL(route.request().url()).searchParams.get('limit'));
    return route.fulfill({ json: all.slice(0, limit) });
  });
  await page.goto('/dashboard?tab=notifications');
  const list = panel(page).getByRole('group');
  await expect(rows(page).first()).toContainText('Notice 0');
  // Other journeys may have moved the business clock.
  await expect(list.getByRole('region').first()).toHaveAccessibleName(/^(Today|Last 7 days|Earlier)$/);
  expect((await list.boundingBox())!.height).toBe(400);
  await list.evaluate(async (element) => {
    while (!element.textContent.includes('Notice 999')) {
      element.scrollTop += 600;
      await new Promise(requestAnimationFrame);
    }
  });
  await expect(rows(page)).toHaveCount(1000);
  await rows(page).last().scrollIntoViewIfNeeded();
  await expect(rows(page).last()).toBeInViewport();
  // What keeps it smooth: rows out of sight are neither laid out nor painted.
  const drawn = await rows(page).evaluateAll(
    (all) => all.filter((row) => row.firstElementChild?.checkVisibility({ contentVisibilityAuto: true })).length,
  );
  expect(drawn).toBeGreaterThan(0);
  expect(drawn).toBeLessThan(50);
  // Nothing outside the list has grown with it.
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1600);
});
