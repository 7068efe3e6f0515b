import type { Page } from '@playwright/test';
import { button, field, heading, signIn, signUp } from './accounts-steps.ts';
import { buy, toastWith } from './purchase-steps.ts';
import { expect, newAddress, post, signedInAdviser, test } from './fixtures.ts';

const refused = /Your browser blocks our cookies/;

/** As a browser whose owner has forbidden cookies. */
const withoutCookies = (page: Page) =>
  page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} });
  });

test('where cookies are blocked, sign-up and sign-in say so and send nothing (Ocelot-Social#4080, bolt#1280)', async ({
  page,
}) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/(login|register)$/.test(request.url())) sent.push(request.url());
  });
  await withoutCookies(page);
  await page.goto('/auth?tab=sign-up');
  await signUp(page, newAddress('no-cookies'));
  await expect(page.getByRole('alert').filter({ hasText: refused })).toBeVisible();
  await page.goto('/auth');
  await signIn(page, newAddress('no-cookies'), 'Correct-Horse-Battery-1');
  await expect(page.getByRole('alert').filter({ hasText: refused })).toBeVisible();
  expect(sent).toEqual([]);
});

test('where storage is blocked, somebody starts a trial and opens the profile (SVGcode#86)', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
  });
  await signedInAdviser(page);
  await page.goto('/subscribe/risk-profile-ai');
  await button(page, 'Start 30-day free trial').click();
  await expect(toastWith(page, 'Subscription Created')).toBeVisible();
  await page.goto('/profile');
  await expect(heading(page, 'My Profile')).toBeVisible();
  await page.waitForLoadState('networkidle');
});

type Me = Record<string, unknown>;
const me = async (page: Page) => (await (await page.request.get('/api/user')).json()) as Me;

test('a form that was open before another tab saved undoes nothing of it (fleet#885)', async ({ page }) => {
  await signedInAdviser(page);
  const change = (body: Me) =>
    page.request.patch('/api/user/profile', { data: body, headers: { origin: new URL(page.url()).origin } });
  await page.goto('/profile?tab=business');
  await expect(field(page, 'Business name')).toBeVisible();
  expect((await change({ businessCity: 'Hobart', abn: '51824753556' })).status()).toBe(200);
  await field(page, 'Business name').fill('Stale Advice');
  await button(page, 'Save changes').click();
  await expect(toastWith(page, 'Business Information Updated')).toBeVisible();
  expect(await me(page)).toMatchObject({ businessName: 'Stale Advice', businessCity: 'Hobart', abn: '51824753556' });

  await page.goto('/profile');
  await expect(field(page, 'First name')).toBeVisible();
  expect((await change({ lastName: 'Elsewhere' })).status()).toBe(200);
  await field(page, 'First name').fill('Robin');
  await button(page, 'Save changes').click();
  await expect(toastWith(page, 'Personal Information Updated')).toBeVisible();
  expect(await me(page)).toMatchObject({ firstName: 'Robin', lastName: 'Elsewhere' });
});

test('a postcode that is pasted with blanks is kept whole (webawesome#2441)', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/profile?tab=business');
  await field(page, 'Postcode').selectText();
  await field(page, 'Postcode').evaluate((input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', '\u00A02000\u200B');
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(field(page, 'Postcode')).toHaveValue('2000');
  await field(page, 'State').selectOption('NSW');
  await button(page, 'Save changes').click();
  await expect(toastWith(page, 'Business Information Updated')).toBeVisible();
  expect(await me(page)).toMatchObject({ businessPostcode: '2000' });
});

const long = 'Donaudampfschifffahrtsgesellschaftskapitaen';
const pages = [
  '/',
  '/dashboard?tab=billing',
  '/dashboard?tab=notifications',
  '/profile',
  '/profile?tab=security',
  '/teams',
  '/teams?tab=billing',
  '/teams?tab=usage',
  '/teams?tab=record',
  '/teams?tab=activity',
  '/teams?tab=settings',
  '/record',
  '/record/packs',
  '/billing-history',
  '/developers',
  '/tools/risk-profile-ai',
  '/subscribe/fact-find-ai',
  '/help',
];

test('long names break nothing at 320 pixels and at 1,280 (gewisweb#764)', async ({ page }) => {
  test.slow();
  await signedInAdviser(page, { firstName: `${long}en` });
  await post(page, '/api/teams', { name: long });
  await buy(page, { toolId: 'risk-profile-ai' });
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of pages) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      const tooWide = await page.evaluate(() => {
        const { clientWidth, scrollWidth } = document.documentElement;
        if (scrollWidth <= clientWidth) return [];
        const beyond = [...document.querySelectorAll('main *')].filter(
          (element) => element.getBoundingClientRect().right > clientWidth + 0.5,
        );
        return beyond.map((element) => element.outerHTML.slice(0, 120));
      });
      expect.soft(tooWide, `${path} at ${width}`).toEqual([]);
    }
  }
});
