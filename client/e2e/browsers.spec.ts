import type { Page } from '@playwright/test';
import { button, field, heading, signIn, signOut, signUp } from './accounts-steps.ts';
import { buy, doMainJob, toastWith } from './purchase-steps.ts';
import { anotherBrowser, expect, newAddress, post, signedInAdviser, signedInDemo, test } from './fixtures.ts';

const refused = /Your browser blocks our cookies/;

/** As a browser whose owner has forbidden cookies. */
const withoutCookies = (page: Page) =>
  page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} });
  });

test('where cookies are blocked, each way to sign up or in says so and sends nothing (Ocelot-Social#4080, bolt#1280)', async ({
  page,
}) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/(login|register|identities|passkey)/.test(request.url())) sent.push(request.url());
  });
  await withoutCookies(page);
  await page.goto('/auth?tab=sign-up');
  await signUp(page, newAddress('no-cookies'));
  await expect(page.getByRole('alert').filter({ hasText: refused })).toBeVisible();
  await page.goto('/auth');
  await signIn(page, newAddress('no-cookies'), 'Correct-Horse-Battery-1');
  await expect(page.getByRole('alert').filter({ hasText: refused })).toBeVisible();
  for (const name of ['Sign in with a passkey', 'Sign in with Microsoft']) {
    await page.goto('/auth');
    await button(page, name).click();
    await expect(toastWith(page, refused)).toBeVisible();
  }
  expect(sent).toEqual([]);
});

/** As a browser whose owner has forbidden a site to keep anything. */
const withoutStorage = (page: Page) =>
  page.context().addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
  });

test('where storage is blocked, an adviser buys, opens, cancels, comes back, reads the profile and signs out (SVGcode#86)', async ({
  page,
}) => {
  await withoutStorage(page);
  await signedInAdviser(page);
  await doMainJob(page);
  await button(page, 'Turn off number keys').click();
  await expect(button(page, 'Turn on number keys')).toBeVisible();
  await page.goto('/profile');
  await expect(heading(page, 'My Profile')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await signOut(page);
  expect((await page.request.get('/api/user')).status()).toBe(401);
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
  '/teams?tab=record&part=sessions',
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

const operators = ['/admin/people', '/admin/practices', '/admin/audit'];

test('long names break nothing at 320 pixels and at 1,280, an administrator’s pages included (gewisweb#764)', async ({
  page,
}) => {
  test.slow();
  await signedInAdviser(page, { firstName: `${long}en`, email: newAddress(`w${long}`) });
  const team = await post(page, '/api/teams', { name: long });
  await buy(page, { toolId: 'risk-profile-ai' });
  const { id } = await me(page);
  const admin = await anotherBrowser(page);
  await signedInDemo(admin, 'admin');
  const visits: [Page, string[]][] = [
    [page, pages],
    [admin, [...operators, `/admin/users/${String(id)}`, `/admin/teams/${String(team['id'])}`]],
  ];
  for (const width of [320, 1280]) {
    for (const [reader, paths] of visits) {
      await reader.setViewportSize({ width, height: 800 });
      for (const path of paths) {
        await reader.goto(path);
        await reader.waitForLoadState('networkidle');
        const tooWide = await reader.evaluate(() => {
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
  }
});
