import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  post,
  shiftOf,
  signedInAdviser,
  signedInDemo,
  test,
  watchShift,
} from './fixtures.ts';
import { buy } from './purchase-steps.ts';

test.use({ viewport: { width: 390, height: 844 } });

/** What can be pressed and is less than 44 pixels high or wide; links within a sentence may be. */
const smallTargets = (page: Page) =>
  page.evaluate(() =>
    // The skip link shows only to the keyboard.
    [...document.querySelectorAll('button, a[href]:not([href="#main"]), input, select, textarea, summary')]
      .map((each) => [each, each.matches('[type=checkbox], [type=radio]') ? (each.closest('label') ?? each) : each])
      .filter(([each, target]) => each!.checkVisibility() && getComputedStyle(target!).display !== 'inline')
      .map(([each, target]) => ({ target: target!, each: each!, ...target!.getBoundingClientRect().toJSON() }))
      .filter(({ width, height }) => width > 1 && (width < 43.5 || height < 43.5))
      .map(({ each, target, width, height }) => {
        const name = each.getAttribute('aria-label') ?? target.textContent;
        return `${each.tagName} "${name.trim()}" ${width} × ${height}`;
      }),
  );

test('everything that is pressed on a phone is 44 pixels high and wide', async ({ page }) => {
  test.slow();
  const expectLarge = async (paths: readonly string[]) => {
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      expect(await smallTargets(page), path).toEqual([]);
    }
  };
  await expectLarge(['/', '/auth', '/auth?tab=sign-up', '/help?tab=support', '/tools/fact-find-ai']);
  await signedInAdviser(page);
  for (const toolId of ['risk-profile-ai', 'fact-find-ai'])
    await post(page, '/api/create-subscription', { toolId, trial: true });
  await expectLarge([
    '/',
    '/dashboard?tab=notifications',
    '/dashboard?tab=billing',
    '/dashboard?tab=profile',
    '/profile',
    '/profile?tab=security',
    '/teams',
    '/invoices',
    '/record',
    '/subscribe/portfolio-ai',
  ]);
});

test('on a phone the theme is chosen in the menu, which stays open', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/');
  await expect(page.getByRole('banner').getByRole('group', { name: 'Theme' })).toBeHidden();
  await page.getByRole('button', { name: /^Your menu:/ }).click();
  const dark = page.getByRole('menuitemradio', { name: 'Dark' });
  await dark.click();
  await expect(dark).toBeChecked();
  await expect(page.locator('html')).toHaveClass(/dark/);
  await expectAccessible(page);
});

test('on a phone one button names the open room of the desk, and lists the others', async ({ page }) => {
  await signedInDemo(page, 'admin');
  await page.goto('/admin/audit');
  const rooms = page.getByRole('navigation', { name: 'Administration' });
  await expect(rooms.getByRole('link')).toHaveCount(0);
  const opener = rooms.getByRole('button');
  await expect(opener).toHaveAccessibleName('Audit');
  await opener.click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(rooms.getByRole('link')).toHaveCount(0);
  await opener.click();
  await rooms.getByRole('link', { name: 'Business' }).click();
  await expect(page).toHaveURL('/admin/business');
  await expect(opener).toHaveAccessibleName('Business');
  await expect(rooms.getByRole('link')).toHaveCount(0);
});

test('on a phone a visitor chooses the theme below the page', async ({ page }) => {
  // Before the page is taken over, nothing hears the choice.
  await page.goto('/privacy', { waitUntil: 'networkidle' });
  await expect(page.getByRole('banner').getByRole('group', { name: 'Theme' })).toBeHidden();
  await page.getByRole('radio', { name: 'Dark' }).filter({ visible: true }).check();
  await expect(page.locator('html')).toHaveClass(/dark/);
});

test.describe('nothing moves when the last panel arrives', () => {
  test('for whoever has just bought their first tool, while its figures are on their way', async ({ page }) => {
    await signedInAdviser(page);
    await buy(page, { toolId: 'fact-find-ai' });
    await watchShift(page);
    await page.goto('/profile', { waitUntil: 'networkidle' });
    let send!: () => void;
    const held = new Promise<void>((resolve) => (send = resolve));
    await page.route('**/api/analytics/dashboard', async (route) => {
      await held;
      await route.fallback();
    });
    const open = page.getByRole('button', { name: 'Open Fact Find AI' });
    await page.getByRole('link', { name: 'Adviserly' }).first().click();
    await expect(open.or(page.getByText('Loading your dashboard')).first()).toBeAttached();
    const before = await shiftOf(page);
    send();
    await expect(page.getByRole('list', { name: 'First steps' })).toBeVisible();
    await expect(open).toBeVisible();
    expect((await shiftOf(page)) - before).toBeLessThan(0.01);
  });

  for (const width of [390, 1440])
    test(`on the dashboard and in Billing, ${width} pixels wide`, async ({ page }) => {
      await watchShift(page);
      await page.setViewportSize({ width, height: 844 });
      await signedInDemo(page, 'adviser');
      for (const [path, last] of [
        ['/', page.getByRole('tab', { name: 'My Tools' })],
        ['/dashboard?tab=billing', page.getByRole('heading', { name: 'Messages about your bills' })],
      ] as const) {
        // What else is shown depends on the journeys before this one.
        await page.goto(path, { waitUntil: 'networkidle' });
        await expect(last).toBeVisible();
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        // A tenth of what counts as good.
        expect(await shiftOf(page), path).toBeLessThan(0.01);
      }
    });
});
