import type { Page } from '@playwright/test';
import { field, button, heading, toast, described, signIn, fillProfile, registered } from './accounts-steps.ts';
import { expect, expectAccessible, newAddress, signedInAdviser, test } from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test('Theme: the choice stands before the application arrives, and is kept', async ({ page }) => {
  let release = () => {};
  const hold = async () => {
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.unroute('**/assets/*.js');
    await page.route('**/assets/*.js', async (route) => {
      await held;
      await route.continue();
    });
  };
  const html = page.locator('html');
  await page.emulateMedia({ colorScheme: 'dark' });
  await hold();
  // A page that the server does not render.
  await page.goto('/help?q=trial', { waitUntil: 'commit' });
  await expect(html).toHaveClass(/(^| )dark$/);
  await expect(page.locator('#root')).toBeEmpty();
  release();

  await page.getByRole('radio', { name: 'Light' }).check();
  await expect(html).toHaveClass(/(^| )light$/);
  await hold();
  await page.reload({ waitUntil: 'commit' });
  await expect(html).toHaveClass(/(^| )light$/);
  await expect(page.locator('#root')).toBeEmpty();
  release();
  await page.getByRole('radio', { name: 'Match this device' }).check();
  await expect(html).toHaveClass(/(^| )dark$/);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html).toHaveClass(/(^| )light$/);
});

test('with the keyboard alone', async ({ page }) => {
  const { email, password } = await signedInAdviser(page);
  await page.context().clearCookies();
  await page.goto('/auth');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeEnabled();
  const { keyboard } = page;
  await keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await keyboard.press('Enter');
  await keyboard.press('Tab');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeFocused();
  await keyboard.press('ArrowRight');
  await expect(page).toHaveURL('/auth?tab=sign-up');
  await keyboard.press('ArrowLeft');
  await expect(page).toHaveURL('/auth');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await expect(field(page, 'Email')).toBeFocused();
  await keyboard.type(email);
  await keyboard.press('Tab');
  await keyboard.type(password);
  await keyboard.press('Enter');
  await expect(page).toHaveURL('/');
});

test('the profile with the keyboard alone', async ({ page }) => {
  await registered(page);
  await page.goto('/complete-profile');
  await expect(heading(page, 'Welcome, Jane')).toBeVisible();
  const { keyboard } = page;
  const next = async (label: string) => {
    await keyboard.press('Tab');
    await expect(field(page, label)).toBeFocused();
  };
  await field(page, 'Business phone').focus();
  await keyboard.type('02 5550 1234');
  for (const [label, value] of [
    ['Business name', 'Whitfield Advice'],
    ['Dealer group', 'Independent'],
    ['Business address', '1 Pitt Street'],
    ['City', 'Sydney'],
    ['State', 'NSW'],
    ['Postcode', '2000'],
  ] as const) {
    await next(label);
    await keyboard.type(value);
  }
  await expect(field(page, 'Business phone')).toHaveValue('+61 2 5550 1234');
  await field(page, 'Wealth Management').focus();
  await keyboard.press('Space');
  await next('Retirement Planning');
  await keyboard.press('Space');
  await field(page, 'Postcode').focus();
  await keyboard.press('Enter');
  await expect(page).toHaveURL('/');
});

test('axe finds nothing on /auth and /verify-email, whatever they show', async ({ page, allowStatuses }) => {
  allowStatuses(400, 401);
  await page.goto('/auth');
  await expect(heading(page, 'Sign in to Adviserly')).toBeVisible();
  await expectAccessible(page);
  await signIn(page, newAddress('nobody'), 'wrong');
  await expect(toast(page, 'Login Failed')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await expectAccessible(page);
  await button(page, 'Create account').click();
  await described(page, 'First name', 'First name is required');
  await expectAccessible(page);

  await page.goto('/verify-email?token=unknown');
  await expect(heading(page, 'Verify your email')).toBeVisible();
  await expectAccessible(page);
  await registered(page);
  await page.goto('/verify-email?token=unknown');
  await button(page, 'Verify email').click();
  await expect(heading(page, 'This link no longer works')).toBeVisible();
  await expectAccessible(page);
});

test('axe finds nothing on the way from the profile to the dashboard', async ({ page }) => {
  await registered(page);
  await page.goto('/complete-profile');
  await expect(heading(page, 'Welcome, Jane')).toBeVisible();
  await expectAccessible(page);
  await fillProfile(page);
  await field(page, 'Postcode').fill('2000');
  await page.getByLabel('ABN').fill('1');
  await page.getByLabel('ABN').blur();
  await described(page, 'Postcode', '2000 is not usually in VIC.');
  await expectAccessible(page);
  await page.getByLabel('ABN').fill('');
  await button(page, 'Complete profile').click();
  await expect(page.getByRole('region', { name: 'Email verification' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page);
});

test('a link of a mail, opened signed out, leads through the sign-in to its page', async ({ page }) => {
  const { email, password } = await signedInAdviser(page);
  await page.context().clearCookies();
  await page.goto('/dashboard?tab=billing');
  await expect(page.getByText('Sign in to open the page you asked for.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await signIn(page, email, password);
  await expect(page).toHaveURL('/dashboard?tab=billing');
  await expect(page.getByRole('tab', { name: 'Billing' })).toHaveAttribute('aria-selected', 'true');
});

test('after signing out, the page has nothing of the person in it', async ({ page }) => {
  const { email, password } = await signedInAdviser(page, { firstName: 'Wilhelmina' });
  for (const path of ['/profile', '/?tab=billing']) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: /^Your menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect(heading(page, 'Sign in to Adviserly')).toBeVisible();
    const left = await page.content();
    for (const theirs of ['Wilhelmina', email]) expect(left).not.toContain(theirs);
    await signIn(page, email, password);
    await expect(heading(page, 'Welcome back, Wilhelmina')).toBeVisible();
  }
});

test.describe('two people in one browser', () => {
  /** Two tabs of the first person, who signs out in one; unless the other is told, somebody else then signs in. Returns the other. */
  const handOver = async (page: Page, told: boolean) => {
    const first = await signedInAdviser(page, { firstName: 'Alex' });
    // So that no page makes calls as the first while the second is made.
    await page.context().clearCookies();
    const second = await signedInAdviser(page, { firstName: 'Grace' });
    await page.goto('/');
    // A part of the page that arrived during the sign-out would make a call, and be refused.
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: /^Your menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await signIn(page, first.email, first.password);
    await expect(heading(page, 'Welcome back, Alex')).toBeVisible();
    const stale = await page.context().newPage();
    if (!told) await stale.addInitScript(() => Reflect.deleteProperty(window, 'BroadcastChannel'));
    await stale.goto('/profile');
    await expect(field(stale, 'First name')).toHaveValue('Alex');
    await stale.waitForLoadState('networkidle');
    await page.getByRole('button', { name: /^Your menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect(page).toHaveURL(/\/auth/);
    if (!told) await signIn(page, second.email, second.password);
    return stale;
  };

  test('a tab that was not told saves nothing into the other account', async ({ page, allowStatuses }) => {
    allowStatuses(409);
    const stale = await handOver(page, false);
    await expect(heading(page, 'Welcome back, Grace')).toBeVisible();
    await field(stale, 'First name').fill('Mallory');
    await button(stale, 'Save changes').click();
    await expect(heading(stale, 'Welcome back, Grace')).toBeVisible();
    await stale.close();
  });

  test('signed out in one tab, the others leave too', async ({ page, allowStatuses }) => {
    allowStatuses(401); // what the other tab asks at that moment
    const stale = await handOver(page, true);
    await expect(stale).toHaveURL(/\/auth\?returnTo=%2Fprofile/);
    await stale.close();
  });
});

test('the first Tab is the skip link on every page, and each page that is opened has the focus on its heading', async ({
  page,
}) => {
  const { email, password } = await signedInAdviser(page);
  for (const path of ['/', '/?tab=billing', '/profile', '/teams', '/invoices', '/subscribe/fact-find-ai', '/help']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  }
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await expect(heading(page, 'Welcome back, Alex')).toBeFocused();
  const tab = page.getByRole('tab', { name: 'Analytics' });
  await tab.click();
  await expect(tab).toBeFocused();
  await expect(tab).toHaveCSS('outline-style', 'none');
  await page.goBack();
  await page.goBack();
  await expect(heading(page, 'Help & Support')).toBeFocused();

  // While its code is on the way, a menu's button keeps the focus; then the menu takes it.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.reload();
  await page.route('**/assets/user-menu-entries-*.js', async (route) => {
    await held;
    await route.continue();
  });
  const menu = page.getByRole('button', { name: /^Your menu:/ });
  await menu.focus();
  await page.keyboard.press('Enter');
  await expect(menu).toBeFocused();
  await expect(menu).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(page.getByRole('menuitem', { name: 'My Profile' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(heading(page, 'Sign in to Adviserly')).toBeFocused();
  await signIn(page, email, password);
  await expect(heading(page, 'Welcome back, Alex')).toBeFocused();
});
