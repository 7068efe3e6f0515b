import type { Page } from '@playwright/test';
import { button, field, heading, toast } from './accounts-steps.ts';
import { expect, expectAccessible, newAddress, signedInAdviser, strongPassword, test } from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

/** Says at the provider on this machine who one is. */
const chooseAccount = async (page: Page, email: string) => {
  await expect(heading(page, 'Choose an account')).toBeVisible();
  await field(page, 'Another address').fill(email);
  await button(page, 'Continue').click();
};

test('Google: a new account, then a sign-in with one press, and nowhere else', async ({ page, allowStatuses }) => {
  // A browser with a session may be signed in: the page asks.
  allowStatuses(401);
  const email = newAddress('google');
  await page.goto('/auth?returnTo=//evil.example/');
  await button(page, 'Sign in with Google').click();
  await chooseAccount(page, email);
  await expect(heading(page, 'Create your account')).toBeVisible();
  await expect(page).toHaveURL('/auth/google');
  await expect(field(page, 'Email')).toHaveValue(email);
  await expectAccessible(page);
  await field(page, 'Password').fill(strongPassword);
  await field(page, 'Confirm password').fill(strongPassword);
  await button(page, 'Create account').click();
  await expect(page).toHaveURL('/complete-profile');
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeVisible();

  await page.context().clearCookies();
  await page.goto('/auth?returnTo=//evil.example/');
  await button(page, 'Sign in with Google').click();
  await chooseAccount(page, email);
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeVisible();
});

test('Microsoft: connected from Security, signed in with, disconnected', async ({ page, allowStatuses }) => {
  allowStatuses(401, 403);
  const { email, password } = await signedInAdviser(page);
  await page.goto('/profile?tab=security');
  await button(page, 'Connect Microsoft').click();
  await chooseAccount(page, email);
  await expect(page).toHaveURL('/profile?tab=security');
  await expect(button(page, 'Disconnect Microsoft')).toBeVisible();
  await expectAccessible(page);

  await page.context().clearCookies();
  await page.goto('/auth?returnTo=%2Fprofile%3Ftab%3Dsecurity');
  await button(page, 'Sign in with Microsoft').click();
  await chooseAccount(page, email);
  await expect(page).toHaveURL('/profile?tab=security');
  await button(page, 'Disconnect Microsoft').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  // The provider's session alone proves nothing.
  await page.getByRole('dialog').getByLabel('Your password', { exact: true }).fill(password);
  await button(page, 'Confirm').click();
  await expect(toast(page, 'Microsoft Disconnected')).toBeVisible();

  await page.context().clearCookies();
  await page.goto('/auth');
  await button(page, 'Sign in with Microsoft').click();
  await chooseAccount(page, email);
  await expect(heading(page, 'Connect Microsoft')).toBeVisible();
  await field(page, 'Password').fill(password);
  await button(page, 'Sign In').click();
  await expect(page).toHaveURL('/');
  // An answer is taken once.
  await page.goto('/auth/microsoft?code=used&state=used');
  await expect(heading(page, 'Not signed in with Microsoft')).toBeVisible();
  await expectAccessible(page);
});
