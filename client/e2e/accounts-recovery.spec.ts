import { button, described, field, heading, registered, signIn, toast } from './accounts-steps.ts';
import { expect, expectAccessible, linkIn, mailTo, newAddress, signedInAdviser, test } from './fixtures.ts';
import type { Page } from '@playwright/test';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const newPassword = 'Another-Horse-8';
const sentence = 'If an account exists with this email, you will receive password reset instructions.';

/** Through the dialog of the sign-in tab. */
const askForLink = async (page: Page, email: string) => {
  await page.goto('/auth');
  await button(page, 'Forgot Password?').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(email);
  await button(page, 'Send reset link').click();
  await expect(dialog.getByText(sentence)).toBeVisible();
  await expect(dialog.getByText(/check your spam folder/)).toBeVisible();
};

const fillPasswords = async (page: Page, password: string, confirmation = password) => {
  await field(page, 'New password').fill(password);
  await field(page, 'Confirm new password').fill(confirmation);
};

test("Password reset; 'Password Reset Successful'; countdown 5 s: dialog, mailbox, new password, sign-in", async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(400, 401);
  const { email, password } = await signedInAdviser(page);
  await page.context().clearCookies();
  await askForLink(page, ` ${email.toUpperCase()}`);
  await expect(button(page, 'Back to sign in')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(button(page, 'Forgot Password?')).toBeFocused();

  const link = linkIn(await mailTo(page, email, /^Reset your/), '/reset-password');
  await page.goto(link);
  await expect(page).toHaveURL('/reset-password');
  await expect(page).toHaveTitle('Reset your password · Adviserly');
  // What the link brought is kept in the tab, sealed.
  const stored = () => page.evaluate(() => JSON.stringify(sessionStorage));
  await expect.poll(stored).toContain('adviserly-brought:');
  expect(await stored()).not.toContain(new URL(link, page.url()).searchParams.get('token'));
  await page.reload();
  await expect(heading(page, 'Choose a new password')).toBeVisible();
  await expectAccessible(page);
  await fillPasswords(page, newPassword);
  await button(page, 'Reset password').click();
  await expect(toast(page, 'Password Reset Successful')).toBeVisible();
  await expect(heading(page, 'Password reset')).toBeVisible();
  for (const left of ['5 seconds', '4 seconds', '3 seconds', '2 seconds', '1 second']) {
    await expect(page.getByText(`Taking you to the sign-in page in ${left}`, { exact: true })).toBeVisible();
  }
  await expect(page).toHaveURL('/auth');

  await signIn(page, email, password);
  await expect(toast(page, 'Login Failed')).toBeVisible();
  await signIn(page, email, newPassword);
  await expect(page).toHaveURL('/');

  // The link is spent.
  await page.goto(link);
  await fillPasswords(page, 'Third-Horse-9');
  await button(page, 'Reset password').click();
  await expect(toast(page, 'Link Expired')).toBeVisible();
});

test('forgot-password dialog: an address without an account sees the same', async ({ page }) => {
  await askForLink(page, newAddress('nobody'));
});

test('Forgot password; Forgot-password failure: a wrong address, a failed request, and back', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(503);
  await page.goto('/auth');
  await field(page, 'Email').fill('jane@practice.example');
  await button(page, 'Forgot Password?').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Email')).toHaveValue('jane@practice.example');
  await expectAccessible(page);
  await dialog.getByLabel('Email').fill('jane@');
  await button(page, 'Send reset link').click();
  await expect(dialog.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address');
  await dialog.getByLabel('Email').fill('jane@practice.example');
  await page.route('**/api/forgot-password', (route) => route.fulfill({ status: 503, body: 'Bad gateway' }));
  await button(page, 'Send reset link').click();
  await expect(dialog.getByRole('alert')).toHaveText('Failed to send password reset email. Please try again.');
  // Roles see nothing beside an open dialog.
  await expect(page.getByLabel('Notifications (F8)')).toContainText(
    'Request FailedFailed to send password reset email. Please try again.',
  );
  await button(page, 'Cancel').click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL('/auth');
});

test.describe('reset page', () => {
  test("/reset-password; invalid-link redirect 3 s: without a token 'Invalid Link', then sign-in after three seconds", async ({
    page,
  }) => {
    await page.goto('/reset-password');
    const since = Date.now();
    await expect(toast(page, 'Invalid Link')).toBeVisible();
    await expect(toast(page, 'No reset token found. Please use the link from your email.')).toBeVisible();
    await expect(heading(page, 'Open the link in your email')).toBeVisible();
    await expect(page).toHaveURL('/auth');
    // The page's own timer may have started a moment before.
    expect(Date.now() - since).toBeGreaterThan(2000);
  });

  test("Reset, Invalid or expired: with a foreign token 'Link Expired', then sign-in after three seconds", async ({
    page,
    allowStatuses,
  }) => {
    allowStatuses(400);
    await page.goto(`/reset-password?token=${'x'.repeat(43)}`);
    await expect(page).toHaveURL('/reset-password');
    await fillPasswords(page, newPassword);
    await button(page, 'Reset password').click();
    await expect(toast(page, 'Link Expired')).toBeVisible();
    const words = 'This password reset link has expired or already been used. Please request a new one.';
    await expect(toast(page, words)).toBeVisible();
    await expect(heading(page, 'This link has expired')).toBeVisible();
    await expect(page).toHaveURL('/auth');
  });

  test('the page of an expired link stays while the pointer or the focus is on its buttons', async ({
    page,
    allowStatuses,
  }) => {
    allowStatuses(400);
    for (const reach of ['hover', 'focus'] as const) {
      await page.clock.install();
      await page.goto(`/reset-password?token=${'x'.repeat(43)}`);
      await fillPasswords(page, newPassword);
      await button(page, 'Reset password').click();
      await button(page, 'Send me a new link')[reach]();
      await page.clock.runFor(10_000);
      await expect(heading(page, 'This link has expired')).toBeVisible();
    }
  });

  test('a newer link replaces the older one', async ({ page, allowStatuses }) => {
    allowStatuses(400);
    const email = await registered(page);
    await page.context().clearCookies();
    await askForLink(page, email);
    const first = await mailTo(page, email, /^Reset your/);
    await askForLink(page, email);
    await expect.poll(async () => (await mailTo(page, email, /^Reset your/)).text).not.toBe(first.text);
    const second = await mailTo(page, email, /^Reset your/);
    await page.goto(linkIn(first, '/reset-password'));
    await fillPasswords(page, newPassword);
    await button(page, 'Reset password').click();
    await expect(toast(page, 'Link Expired')).toBeVisible();
    // A new link can be asked for in place; meanwhile nothing leads away.
    await button(page, 'Send me a new link').click();
    await expect(page.getByRole('dialog', { name: 'Reset your password' })).toBeVisible();
    await page.goto(linkIn(second, '/reset-password'));
    await fillPasswords(page, newPassword);
    await button(page, 'Reset password').click();
    await button(page, 'Go to Login Now').click();
    await expect(page).toHaveURL('/auth');
    await expect(button(page, 'Sign In')).toBeVisible();
  });

  test('Reset password; Reset, other failure: the checklist follows what is typed; what is wrong is said beside its field', async ({
    page,
    allowStatuses,
  }) => {
    allowStatuses(400, 500);
    await page.goto(`/reset-password?token=${'x'.repeat(43)}`);
    const rules = page.getByRole('list', { name: 'Password rules' });
    const done = rules.getByText(', done');
    for (const [typed, met] of [
      ['', 0],
      ['a', 2],
      ['aB', 3],
      ['aB3', 4],
      ['aB345678', 5],
      ['Password2026', 4],
    ] as const) {
      await field(page, 'New password').fill(typed);
      await expect(done).toHaveCount(met);
    }
    for (const [typed, words] of [
      ['Abcde1', 'Password must be at least 8 characters long'],
      ['abcdefg1', 'Password must contain at least one uppercase letter'],
      ['ABCDEFG1', 'Password must contain at least one lowercase letter'],
      ['Abcdefgh', 'Password must contain at least one number'],
    ] as const) {
      await field(page, 'New password').fill(typed);
      await field(page, 'New password').blur();
      await described(page, 'New password', words);
    }
    await fillPasswords(page, newPassword, `${newPassword}x`);
    await button(page, 'Reset password').click();
    await described(page, 'Confirm new password', "Passwords don't match");

    await fillPasswords(page, 'Football1');
    await button(page, 'Reset password').click();
    await described(page, 'New password', 'This password is too common.');
    await expect(toast(page, 'Reset Failed')).toBeVisible();

    await page.route('**/api/reset-password', (route) => route.fulfill({ status: 500, body: 'oops' }));
    await fillPasswords(page, newPassword);
    await button(page, 'Reset password').click();
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to reset password' })).toBeVisible();
  });

  test('one who is signed in meanwhile has to sign in again', async ({ page }) => {
    const { email } = await signedInAdviser(page);
    await page.request.post('/api/forgot-password', {
      data: { email },
      headers: { origin: new URL(page.url()).origin },
    });
    await page.goto(linkIn(await mailTo(page, email, /^Reset your/), '/reset-password'));
    await fillPasswords(page, newPassword);
    await button(page, 'Reset password').click();
    // Nobody presses anything: the countdown leads on, and no call is made for the session that has ended.
    await expect(page).toHaveURL('/auth');
    await signIn(page, email, newPassword);
    await expect(page).toHaveURL('/');
  });
});
