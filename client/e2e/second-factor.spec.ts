import type { Page } from '@playwright/test';
import { codeOf } from '../../server/testing/second-factor.ts';
import { button, enrolApp, field, heading, signIn, toast } from './accounts-steps.ts';
import { expect, expectAccessible, mailTo, signedInAdviser, test } from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('menuitem', { name: /Log ?out|Sign out/i }).click();
  await expect(page.getByRole('button', { name: /^Your menu/ })).toHaveCount(0);
};

/** The last thing typed, then the page of somebody who has got in. */
const expectHome = (page: Page) => expect(page.getByRole('button', { name: /^Your menu/ })).toBeVisible();

const secondStep = async (page: Page, code: string) => {
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await field(page, 'Code').fill(code);
  await button(page, 'Continue').click();
};

test('An authenticator app: enrolled, asked for at the sign-in, a recovery code in its place, a device remembered', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(400, 401);
  const { email, password } = await signedInAdviser(page);
  await page.goto('/profile?tab=security');
  await button(page, 'Add an authenticator app').click();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const { secret, recoveryCodes } = await enrolApp(page);
  await expect(page.getByRole('list', { name: 'Second factors' }).getByRole('listitem')).toHaveCount(1);
  await mailTo(page, email, /second factor was added/);
  await expectAccessible(page);

  await signOut(page);
  await page.goto('/auth');
  await signIn(page, email, password);
  await secondStep(page, '000000');
  await expect(field(page, 'Code')).toHaveAccessibleDescription(/wrong, or was used already/);
  await expectAccessible(page);
  await secondStep(page, codeOf(secret));
  await expectHome(page);

  await signOut(page);
  await page.goto('/auth');
  await signIn(page, email, password);
  await page.getByLabel(/Don't ask on this device/).check();
  await secondStep(page, recoveryCodes[0]!);
  await expectHome(page);
  await mailTo(page, email, /recovery code was used/);

  await signOut(page);
  await page.goto('/auth');
  await signIn(page, email, password);
  await expectHome(page);
  await page.goto('/profile?tab=security');
  await button(page, 'Forget Chrome on Linux').click();
  await expect(toast(page, 'Device Forgotten')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Remembered devices' })).toHaveCount(0);
});

test('A passkey: made, signs in alone, and is removed', async ({ page }) => {
  const { email } = await signedInAdviser(page);
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto('/profile?tab=security');
  await button(page, 'Add a passkey').click();
  await field(page, 'Name').fill('Laptop');
  await button(page, 'Make the passkey').click();
  await button(page, 'I have saved them').click();
  await expect(page.getByText('Laptop', { exact: true })).toBeVisible();

  await signOut(page);
  await page.goto('/auth');
  await expectAccessible(page);
  await button(page, 'Sign in with a passkey').click();
  await expectHome(page);
  await page.goto('/profile?tab=security');
  await expect(page.getByText(/last used/).first()).toBeVisible();

  await button(page, 'Remove Laptop').click();
  await button(page, 'Remove').click();
  await expect(toast(page, 'Second Factor Removed')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Second factors' })).toHaveCount(0);
  await mailTo(page, email, /second factor was removed/);
  await expect(heading(page, 'My Profile')).toBeVisible();
});
