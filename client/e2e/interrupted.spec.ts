import { button, field, heading, signIn, toast } from './accounts-steps.ts';
import { demoPassword, expect, expectAccessible, signedInAdviser, test } from './fixtures.ts';
import type { Page } from '@playwright/test';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const menu = (page: Page) => page.getByRole('button', { name: /^Your menu:/ });
const trouble = (page: Page) => page.getByRole('alert', { name: 'Connection' });
const signOut = (page: Page) => page.getByRole('menuitem', { name: 'Sign Out' });

/** The session ends on the server, as it does after a while; the page does not know yet. */
const expire = (page: Page) => page.context().clearCookies();

test('code that does not arrive: only its own part waits, what was typed stays, and it comes by itself', async ({
  page,
  context,
  allowStatuses,
}) => {
  allowStatuses(404, 0);
  await signedInAdviser(page);
  await page.goto('/profile');
  await field(page, 'First name').fill('Typed, not saved');

  await page.route('**/assets/menu-*.js', (route) => route.fulfill({ status: 404, body: 'gone' }));
  await menu(page).click();
  await expect(trouble(page)).toContainText("Part of this page hasn't loaded yet.");
  await expect(field(page, 'First name')).toHaveValue('Typed, not saved');
  await expectAccessible(page);
  await page.unroute('**/assets/menu-*.js');
  await expect(signOut(page)).toBeVisible();
  await expect(trouble(page)).toBeHidden();
  await page.keyboard.press('Escape');

  // A release has replaced this page's files: only a reload helps, and nothing that was typed is lost.
  await page.route('**/assets/bell-menu-*.js', (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.route('**/profile', (route) =>
    route.request().resourceType() === 'document'
      ? route.fallback()
      : route.fulfill({
          contentType: 'text/html',
          body: '<script type="module" src="/assets/index-newer.js"></script>',
        }),
  );
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(trouble(page)).toContainText("There's a new version of Adviserly.");
  await page.unrouteAll();
  await button(page, 'Reload').click();
  await expect(page.getByText('We saved your draft.').filter({ visible: true })).toBeVisible();
  await expect(field(page, 'First name')).toHaveValue('Typed, not saved');

  await context.setOffline(true);
  await expect(trouble(page)).toContainText('You are offline.');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(menu(page)).toBeVisible();
  await context.setOffline(false);
  await expect(heading(page, 'Welcome back, Alex')).toBeVisible();
  await expect(trouble(page)).toBeHidden();
  await page.goBack();
  await expect(field(page, 'First name')).toHaveValue('Typed, not saved');
  await button(page, 'Start over').click();
  await expect(field(page, 'First name')).toHaveValue('Alex');
});

test('answers in a page that can’t be read are asked for', async ({ page }) => {
  await signedInAdviser(page);
  await page.route(/\/dashboard\?tab=billing$/, async (route) => {
    const plain = '"/api/user/subscriptions":[]';
    let response = await route.fetch();
    // A page comes without answers where the server takes longer than a second for them.
    await expect(async () => {
      if (!(await response.text()).includes(plain)) response = await route.fetch();
      expect(await response.text()).toContain(plain);
    }).toPass();
    return route.fulfill({ response, body: (await response.text()).replace(plain, plain.replace('[]', '[7]')) });
  });
  await page.goto('/dashboard?tab=billing');
  await expect(page.getByRole('region', { name: 'Subscriptions', exact: true })).toContainText(/./);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a session that ends while somebody types: each form brings it back to that person, to nobody else', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(401);
  const { email, password } = await signedInAdviser(page);
  const signInAgain = async () => {
    await expect(toast(page, 'You are logged out. Logging in again...')).toBeVisible();
    await expect(toast(page, 'Failed to update profile. Please try again.')).toBeHidden();
    await expect(page.getByText('You were signed out, but what you typed is kept.')).toBeVisible();
    await signIn(page, email, password);
  };
  const kept = page.getByText('We saved your draft.').filter({ visible: true });

  await page.goto('/profile?tab=business');
  await field(page, 'City').fill('Hobart');
  await page.getByRole('tab', { name: 'Professional Info' }).click();
  await field(page, 'Tax Planning').check();
  await expire(page);
  await button(page, 'Save changes').click();
  await signInAgain();
  await expect(kept).toBeVisible();
  await expect(field(page, 'Tax Planning')).toBeChecked();
  await button(page, 'Save changes').click();
  await expect(toast(page, 'Professional Information Updated')).toBeVisible();
  await expect(kept).toBeHidden();
  await page.getByRole('tab', { name: 'Business Info' }).click();
  await expect(field(page, 'City')).toHaveValue('Hobart');

  await page.goto('/dashboard?tab=profile');
  await button(page, 'Edit profile').click();
  await field(page, 'Last name').fill('Nguyen-Hart');
  await expire(page);
  await button(page, 'Save changes').click();
  await signInAgain();
  await button(page, 'Edit profile').click();
  await expect(kept).toBeVisible();
  await expect(field(page, 'Last name')).toHaveValue('Nguyen-Hart');
  await button(page, 'Cancel').click();

  await page.goto('/profile?tab=security');
  await page.getByText('Change password…').click();
  await field(page, 'Current password').fill('not-kept');
  await field(page, 'New password').fill('Another-Horse-8');
  await field(page, 'Confirm new password').fill('Another-Horse-8');
  await expire(page);
  await button(page, 'Change password').click();
  await expect(toast(page, 'Failed to change password. Please try again.')).toBeHidden();
  await expect(heading(page, 'Sign in to Adviserly')).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('not-kept');
  await signIn(page, 'adviser@demo.adviserly.example', demoPassword);
  await expect(heading(page, 'My Profile')).toBeVisible();
  await page.goto('/profile?tab=business');
  await expect(field(page, 'City')).not.toHaveValue('Hobart');
  await expect(kept).toBeHidden();
});

test('a draft that is opened late takes nothing that was typed meanwhile', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/profile');
  await field(page, 'First name').fill('Before');
  await field(page, 'Last name').fill('Kept');
  await page.addInitScript(() => {
    const { decrypt } = SubtleCrypto.prototype;
    const opened = new Promise((done) => Object.assign(globalThis, { openDraft: done }));
    SubtleCrypto.prototype.decrypt = async function (...given) {
      await opened;
      return decrypt.apply(this, given);
    };
  });
  await page.reload();
  await field(page, 'First name').fill('After');
  await page.evaluate(() => (globalThis as unknown as { openDraft: () => void }).openDraft());
  await expect(field(page, 'Last name')).toHaveValue('Kept');
  await expect(field(page, 'First name')).toHaveValue('After');
});

test('what was typed goes with Sign Out', async ({ page }) => {
  const { email, password } = await signedInAdviser(page);
  await page.goto('/profile');
  await field(page, 'First name').fill('Typed, not saved');
  await page.reload();
  await expect(field(page, 'First name')).toHaveValue('Typed, not saved');
  const stored = await page.evaluate(() => JSON.stringify(sessionStorage));
  expect(stored).toContain('adviserly-draft:');
  expect(stored, 'What is stored is sealed.').not.toContain('Typed');
  await menu(page).click();
  await signOut(page).click();
  await expect(page).toHaveURL('/auth');
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('adviserly-draft:');
  await signIn(page, email, password);
  await expect(heading(page, 'Welcome back, Alex')).toBeVisible();
  await page.goto('/profile');
  await expect(field(page, 'First name')).toHaveValue('Alex');
});

test('what links brought goes with Sign Out', async ({ page, allowStatuses }) => {
  allowStatuses(404);
  await signedInAdviser(page);
  const stored = () => page.evaluate(() => JSON.stringify(sessionStorage));
  await page.goto('/open/file-note-ai#ref=F-10225&purpose=file_note');
  await page.goto('/accept-invitation?token=left-unanswered');
  await expect(heading(page, 'This invitation link is not valid')).toBeVisible();
  await expect.poll(stored).toContain('adviserly-brought:mailed-token /accept-invitation');
  await page.reload();
  await expect(heading(page, 'This invitation link is not valid')).toBeVisible();
  for (const sealed of ['F-10225', 'left-unanswered']) expect(await stored()).not.toContain(sealed);
  await menu(page).click();
  await signOut(page).click();
  await expect(page).toHaveURL('/auth');
  expect(await stored()).toBe('{}');
});

test('a reload loses nothing that a link brought, also before the tab holds it', async ({ page }) => {
  await signedInAdviser(page);
  let answer!: () => void;
  const answered = new Promise<void>((done) => (answer = done));
  await page.route('**/api/tab-key', (route) => answered.then(() => route.continue()));
  await page.goto('/verify-email?token=not-stored-yet');
  const press = button(page, 'Verify email');
  await expect(press).toBeVisible();
  await page.reload();
  await expect(press).toBeVisible();
  answer();
  await expect(page).toHaveURL('/verify-email');
  await page.reload();
  await expect(press).toBeVisible();
});
