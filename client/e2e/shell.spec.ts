import { button, heading, registered, signIn, signUp, toast, fillProfile } from './accounts-steps.ts';
import { demoPassword, expect, expectAccessible, newAddress, signedInAdviser, test } from './fixtures.ts';
import type { Page } from '@playwright/test';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const header = (page: Page) => page.getByRole('banner');
const link = (page: Page, name: string) => header(page).getByRole('link', { name, exact: true });
const menu = (page: Page) => page.getByRole('button', { name: /^Your menu:/ });
const entry = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });

test('header: an adviser', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/');
  await expect(heading(page, 'Welcome back, Alex')).toBeVisible();
  await expect(header(page).getByText('Efficient Adviser Tools')).toBeVisible();
  await expect(link(page, 'Dashboard')).toBeHidden();
  await expect(link(page, 'Admin Dashboard')).toBeHidden();
  await expect(menu(page)).toHaveText(/AN.*Alex Nguyen/);

  await menu(page).click();
  for (const name of ['My Profile', 'Help & Support', 'Privacy Policy', 'Sign Out']) {
    await expect(entry(page, name)).toBeVisible();
  }
  await expect(entry(page, 'Admin Dashboard')).toBeHidden();
  await expectAccessible(page);
  for (const [name, path] of [
    ['Help & Support', '/help'],
    ['Privacy Policy', '/privacy'],
    ['My Profile', '/profile'],
  ] as const) {
    if (await entry(page, name).isHidden()) await menu(page).click();
    await entry(page, name).click();
    await expect(page).toHaveURL(path);
    await expect(link(page, 'Dashboard')).toBeVisible();
  }
  await link(page, 'Dashboard').click();
  await expect(heading(page, 'Welcome back, Alex')).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(menu(page).getByText('Alex Nguyen')).toBeHidden();
  await expect(menu(page).getByText('AN')).toBeVisible();
});

test('a page whose code is still on its way shows its frame, and is drawn in its place', async ({ page }) => {
  await signedInAdviser(page);
  let arrive = () => {};
  const waiting = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await waiting;
    await route.continue();
  });
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await expect(heading(page, 'Welcome back, Alex')).toBeVisible();
  await expect(page.getByRole('tab')).toHaveCount(0);
  await page.goto('/profile', { waitUntil: 'commit' });
  await expect(header(page).getByRole('link', { name: 'Adviserly' })).toBeVisible();
  await expect(page.getByText('Loading page')).toBeAttached();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  arrive();
  await expect(page.getByRole('tab')).not.toHaveCount(0);
  await expect(heading(page, 'My Profile')).toBeVisible();
  await expect(skip).toBeFocused();
  await expect(header(page)).toHaveCount(1);
  await expect(page.getByText('Loading page')).toBeHidden();
});

test('header: an administrator', async ({ page }) => {
  await page.goto('/auth');
  await signIn(page, 'admin@demo.adviserly.example', demoPassword);
  await expect(link(page, 'Admin Dashboard')).toBeVisible();
  await menu(page).click();
  await entry(page, 'Admin Dashboard').click();
  await expect(page).toHaveURL('/admin');
  await expect(link(page, 'Admin Dashboard')).toBeHidden();
  await expect(link(page, 'Dashboard')).toBeVisible();
  await page.goto('/admin/people');
  await expect(link(page, 'Dashboard')).toBeVisible();
  await expect(link(page, 'Admin Dashboard')).toBeHidden();
});

test("header: a profile image, else initials, else 'U'", async ({ page }) => {
  await signedInAdviser(page);
  let person: Record<string, string | null> = { profileImageUrl: '/favicon.svg' };
  await page.route('**/api/user', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...person } });
  });
  await page.goto('/help');
  await expect(menu(page).locator('img')).toHaveAttribute('src', '/favicon.svg');
  person = { firstName: '', lastName: '' };
  await page.reload();
  await expect(menu(page)).toHaveText('U');
});

test("signing out: 'Signing Out…', 'Logged Out', or 'Logout Failed'", async ({ page, allowStatuses }) => {
  allowStatuses(500);
  await signedInAdviser(page);
  await page.goto('/help');
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/logout', async (route) => {
    await held;
    await route.fulfill({ status: 500, body: 'oops' });
  });
  await menu(page).click();
  await entry(page, 'Sign Out').click();
  await expect(entry(page, 'Signing Out…')).toBeVisible();
  await expect(menu(page)).toContainText('Signing Out…');
  release();
  await expect(toast(page, 'Logout Failed')).toBeVisible();
  await expect(toast(page, 'Failed to log out. Please try again.')).toBeVisible();
  await page.unroute('**/api/logout');
  await entry(page, 'Sign Out').click();
  await expect(page).toHaveURL('/auth');
  await expect(toast(page, 'Logged Out')).toBeVisible();
  await expect(toast(page, 'You have been successfully logged out.')).toBeVisible();
});

test('signing out: what is asked before the answer is there is never sent', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/');
  await expect(page.getByRole('tab', { name: 'Billing' })).toBeVisible();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/logout', async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  await menu(page).click();
  await entry(page, 'Sign Out').click();
  await expect(entry(page, 'Signing Out…')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Billing' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Billing' })).toContainText('Loading');
  release();
  await expect(page).toHaveURL('/auth');
  await expect(toast(page, 'Logged Out')).toBeVisible();
});

test("an unknown path: '404 Page Not Found', and the landing page for a visitor", async ({ page }) => {
  await page.goto('/nowhere');
  await expect(heading(page, '404 Page Not Found')).toBeHidden();
  await expect(link(page, 'Sign In')).toBeVisible();
  await signedInAdviser(page);
  await page.goto('/nowhere');
  await expect(heading(page, '404 Page Not Found')).toBeVisible();
  await expect(page).toHaveTitle('Page not found · Adviserly');
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'My Tools' }).click();
  await expect(page).toHaveURL('/');
});

test('signed-out header: theme, Help, Privacy and Sign In', async ({ page }) => {
  await page.goto('/privacy');
  await expect(page.getByRole('group', { name: 'Theme' })).toBeVisible();
  await link(page, 'Help').click();
  await expect(page).toHaveURL('/help');
  await link(page, 'Privacy').click();
  await expect(page).toHaveURL('/privacy');
  await link(page, 'Sign In').click();
  await expect(page).toHaveURL('/auth');
  await expect(link(page, 'Sign In')).toBeHidden();
});

test.describe('answers that cannot be read', () => {
  test('registration and login fail', async ({ page, allowStatuses }) => {
    allowStatuses(401, 500);
    await page.goto('/auth?tab=sign-up');
    await page.route('**/api/register', (route) => route.fulfill({ status: 500, body: '<h1>oops</h1>' }));
    await signUp(page, newAddress('jane'));
    await expect(toast(page, 'Registration Failed')).toBeVisible();
    await expect(
      page.getByRole('alert').filter({ hasText: 'Failed to create account. Please try again.' }),
    ).toBeVisible();

    await page.goto('/auth');
    await page.route('**/api/login', (route) => route.fulfill({ status: 401, body: '<h1>oops</h1>' }));
    await signIn(page, newAddress('jane'), 'whatever');
    await expect(toast(page, 'Login Failed')).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'Invalid email or password.' })).toBeVisible();
  });
});

test.describe('timings and toasts', () => {
  test('redirect 500 ms after registration, 100 ms after profile completion', async ({ page }) => {
    await page.clock.install();
    await page.goto('/auth?tab=sign-up');
    // The toasts' code loads on the first click, and a timer draws it.
    await expect(async () => {
      await heading(page, 'Create your account').click();
      await expect(page.getByRole('region', { name: /Notifications/ })).toBeAttached({ timeout: 1000 });
    }).toPass();
    await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
    await signUp(page, newAddress('jane'));
    await expect(toast(page, 'Registration Successful')).toBeVisible();
    await page.clock.runFor(450);
    expect(new URL(page.url()).pathname).toBe('/auth');
    await page.clock.runFor(100);
    await expect(page).toHaveURL('/complete-profile');
    await page.clock.resume();

    await fillProfile(page);
    await page.clock.pauseAt(new Date(Date.now() + 7_200_000));
    await button(page, 'Complete profile').click();
    await expect(toast(page, 'Profile Completed')).toBeVisible();
    await page.clock.runFor(50);
    expect(new URL(page.url()).pathname).toBe('/complete-profile');
    await page.clock.resume();
    await expect(page).toHaveURL('/');
  });

  test('toasts: one at a time, 5000 ms, F8 moves the focus there, a swipe of 50 px to the right puts one away', async ({
    page,
    allowStatuses,
  }) => {
    allowStatuses(401);
    await page.clock.install();
    await page.goto('/auth');
    const toasts = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem');
    const fail = async () => {
      await signIn(page, newAddress('nobody'), 'wrong');
      await expect(toasts).toHaveCount(1);
      await expect(toast(page, 'Login Failed')).toBeVisible();
    };
    await fail();
    await page.mouse.move(5, 5);
    await page.clock.fastForward(3000);
    await expect(toasts).toHaveCount(1);
    await page.clock.fastForward(3000);
    await expect(toasts).toHaveCount(0);

    await fail();
    await page.keyboard.press('F8');
    await expect(page.getByRole('region', { name: /Notifications/ }).getByRole('list')).toBeFocused();

    const swipe = async (distance: number) => {
      const box = (await toasts.first().boundingBox())!;
      const [x, y] = [box.x + 20, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + distance / 2, y, { steps: 4 });
      await page.mouse.move(x + distance, y, { steps: 4 });
      await page.mouse.up();
    };
    await swipe(40);
    await expect(toasts).toHaveCount(1);
    await swipe(70);
    await expect(toasts).toHaveCount(0);
  });
});

test('before the profile is complete the menu has only what works then', async ({ page }) => {
  await registered(page);
  await page.goto('/complete-profile');
  await menu(page).click();
  await expect(entry(page, 'Help & Support')).toBeVisible();
  await expect(entry(page, 'My Profile')).toBeHidden();
  await entry(page, 'Help & Support').click();
  await expect(heading(page, 'Help & Support')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(page).toHaveURL('/complete-profile');
});

test('phones, and a page at twice its size: every tab and button in sight, nothing beside the page, whatever the name', async ({
  page,
}) => {
  await signedInAdviser(page, { firstName: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3).slice(0, 80) });
  for (const width of [320, 390, 720]) {
    await page.setViewportSize({ width, height: 640 });
    for (const path of [
      '/',
      '/profile',
      '/teams',
      '/invoices',
      '/subscribe/fact-find-ai',
      '/help',
      '/dashboard?tab=billing',
    ]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Help', exact: true }).first()).toBeInViewport({ ratio: 1 });
      const beside = await page.evaluate(() =>
        [...document.querySelectorAll('body *')]
          .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
          .filter((each) => !each.closest('[class*=overflow-x-auto], .sr-only'))
          .map((each) => `${each.tagName} ${each.className} ${each.textContent.slice(0, 40)}`),
      );
      expect(beside, `${path} at ${width}`).toEqual([]);
    }
    for (const name of ['My Tools', 'Analytics', 'Notifications', 'Billing', 'Profile'])
      await expect(page.getByRole('tab', { name })).toBeInViewport({ ratio: 1 });
  }
});
