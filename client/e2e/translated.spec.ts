import type { Page } from '@playwright/test';
import { expect, signedInAdviser, signedInDemo, test } from './fixtures.ts';
import { enterCard, toastWith } from './purchase-steps.ts';

/** Does to each page what the translators of browsers do: every text, also one that comes later, is put into <font>. */
function translate() {
  const kept = 'script, style, textarea, title, option, font, code, pre, [translate="no"]';
  const replace = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text);
    for (const text of texts) {
      if (!text.data.trim() || !text.parentElement || text.parentElement.closest(kept)) continue;
      const font = document.createElement('font');
      font.append(text.data);
      text.replaceWith(font);
    }
  };
  const begin = () => {
    replace(document.body);
    new MutationObserver((changes) => {
      for (const { target } of changes) if (target.isConnected) replace(target.parentNode ?? target);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  };
  // A translator that comes before React has taken over the page makes it draw the page anew.
  const isDrawn = (element: Element) => Object.keys(element).some((key) => key.startsWith('__react'));
  const wait = setInterval(() => {
    const drawn = [...document.querySelectorAll('main, main :is(h1, h2, h3, p, a, button, label)')];
    if (drawn.length === 0 || !drawn.every(isDrawn)) return;
    clearInterval(wait);
    begin();
  }, 50);
}

test.beforeEach(({ page }) => page.addInitScript(translate));

const broken = (page: Page) => page.getByText(/ran into a problem/);
const translated = (page: Page) => expect(page.locator('font').first()).toBeAttached();

/** Opens a page, waits until it is translated, and presses each of its tabs. */
async function read(page: Page, path: string) {
  await page.goto(path);
  await translated(page);
  const tabs = page.getByRole('tab');
  for (let at = 0; at < (await tabs.count()); at += 1) {
    await tabs.nth(at).click();
    await expect(page.getByRole('tabpanel')).toBeVisible();
    await expect(broken(page)).toHaveCount(0);
  }
  await expect(page.locator('main')).toBeVisible();
  await expect(broken(page)).toHaveCount(0);
}

test('in a translated page an adviser buys, opens, cancels, comes back and signs out (react#26048, FormSG#5213)', async ({
  page,
}) => {
  await signedInAdviser(page);
  await page.goto('/subscribe/risk-profile-ai');
  await translated(page);
  await page.getByRole('button', { name: 'Pay by card now' }).click();
  await enterCard(page);
  await page.getByRole('button', { name: 'Subscribe for $30.00/month' }).click();
  await expect(toastWith(page, 'Payment Successful')).toBeVisible();
  await expect(page).toHaveURL('/dashboard');

  await page.goto('/subscribe/fact-find-ai');
  await translated(page);
  await page.getByRole('button', { name: 'Start 30-day free trial' }).click();
  await expect(toastWith(page, 'Subscription Created')).toBeVisible();
  await expect(page).toHaveURL('/dashboard');
  await expect(broken(page)).toHaveCount(0);

  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open Risk Profile AI' }).click();
  const tool = await opened;
  await expect(tool.getByRole('heading', { level: 1 })).toHaveText('Welcome, Alex');
  await tool.close();

  await page.getByRole('button', { name: 'Cancel Subscription: Risk Profile AI' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel Risk Profile AI' });
  await dialog.getByRole('radio', { name: 'Too expensive' }).check();
  await dialog.getByRole('button', { name: 'Confirm cancellation' }).click();
  await expect(toastWith(page, 'Subscription Cancelled')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Reactivate Risk Profile AI' }).first().click();
  await expect(toastWith(page, 'Subscription Reactivated')).toBeVisible();
  await expect(broken(page)).toHaveCount(0);

  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/(auth)?$/);
  await expect(broken(page)).toHaveCount(0);
});

const everybodys = [
  '/',
  '/auth',
  '/help',
  '/privacy',
  '/security',
  '/terms',
  '/record/verify',
  '/tools/risk-profile-ai',
  '/verify-email?token=none',
  '/reset-password?token=none',
  '/undo-email-change?token=none',
  '/secure-account',
  '/accept-invitation?token=none',
  '/unsubscribe?token=none',
];
const members = [
  '/dashboard',
  '/profile',
  '/teams',
  '/record',
  '/record/packs',
  '/billing-history',
  '/developers',
  '/subscribe/pre-fill-ai',
  '/tools/risk-profile-ai',
  '/change-email?token=none',
  '/stop-factor-reset?token=none',
];

test('every page and tab of visitors and members can be read and pressed in translation', async ({ page }) => {
  test.slow();
  for (const path of everybodys) await read(page, path);
  await signedInDemo(page, 'adviser');
  for (const path of members) await read(page, path);
});

test('every page and tab of administrators can be read and pressed in translation', async ({ page }) => {
  test.slow();
  await signedInDemo(page, 'admin');
  for (const path of [
    '/admin',
    '/admin/today',
    '/admin/catalogue',
    '/admin/pricing',
    '/admin/business',
    '/admin/tools/risk-profile-ai',
  ])
    await read(page, path);
});
