import type { Page } from '@playwright/test';
import { button, toast } from './accounts-steps.ts';
import { expect, expectAccessible, post, signedInAdviser, test } from './fixtures.ts';

const saveProfile = async (page: Page) => {
  await button(page, 'Edit profile').click();
  await page.getByLabel('Dealer group').fill('Harbour Group');
  await button(page, 'Save changes').click();
  // Under the pointer it stays.
  await toast(page, 'Profile Updated').hover();
};

test('Escape closes the dialog that somebody works in before the toast over it', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/');
  await saveProfile(page);
  await button(page, 'Edit profile').dispatchEvent('click');
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(toast(page, 'Profile Updated')).toBeVisible();
});

test('on a phone a toast covers no tool’s buttons', async ({ page }) => {
  await signedInAdviser(page);
  for (const toolId of ['risk-profile-ai', 'fact-find-ai', 'file-note-ai'])
    await post(page, '/api/create-subscription', { toolId, trial: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await saveProfile(page);
  const over = await toast(page, 'Profile Updated').boundingBox();
  await page.evaluate(() => window.scrollTo(0, 0));
  const first = await page
    .getByRole('button', { name: /^Open / })
    .first()
    .boundingBox();
  expect(over!.y + over!.height).toBeLessThan(first!.y);
});

test('without a connection its bar lies over an open dialog, which stays open', async ({ page, context }) => {
  await signedInAdviser(page);
  await page.goto('/');
  await button(page, 'Edit profile').click();
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' });
  await page.getByLabel('Dealer group').fill('Harbour Group');
  await context.setOffline(true);
  const bar = page.getByRole('alert', { name: 'Connection' });
  await expect(bar).toContainText('You are offline.');
  await bar.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog).toBeVisible();
  await expect(page.getByLabel('Dealer group')).toHaveValue('Harbour Group');
  await context.setOffline(false);
  await expect(bar).toBeHidden();
});

test('a long dialog shows its buttons without scrolling, at a desk and on a phone', async ({ page }) => {
  await signedInAdviser(page);
  await post(page, '/api/create-subscription', { toolId: 'risk-profile-ai', trial: true });
  await page.goto('/');
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport);
    await button(page, 'Cancel Subscription: Risk Profile AI').click();
    const dialog = page.getByRole('dialog', { name: 'Cancel Risk Profile AI' });
    await dialog.getByRole('radio', { name: 'Too expensive' }).check();
    await dialog.evaluate((element) => element.scrollTo(0, 0));
    for (const name of ['Keep subscription', 'Confirm cancellation'])
      await expect(dialog.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  }
});
