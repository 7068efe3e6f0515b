import { button, described, field, heading, registered, signIn, toast } from './accounts-steps.ts';
import { demoPassword, expect, expectAccessible, signedInAdviser, test } from './fixtures.ts';
import type { Page } from '@playwright/test';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const me = async (page: Page) => (await (await page.request.get('/api/user')).json()) as Record<string, unknown>;
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const save = (page: Page) => button(page, 'Save changes').click();

test("Profile, personal; 'Personal Information Updated': only its own fields are sent", async ({ page }) => {
  await signedInAdviser(page);
  const before = await me(page);
  await page.goto('/profile');
  await expect(heading(page, 'My Profile')).toBeVisible();
  await expect(page).toHaveTitle('My Profile · Adviserly');
  await expect(page.getByText('Verified', { exact: true })).toBeVisible();
  await expect(page.getByText('Administrator', { exact: true })).toBeHidden();
  await expect(field(page, 'Email')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Change email' })).toBeVisible();
  await expect(field(page, 'Mobile')).toHaveValue('+61 412 345 678');

  for (const [label, sentence] of [
    ['First name', 'First name is required'],
    ['Last name', 'Last name is required'],
    ['Mobile', 'Mobile number is required'],
  ] as const) {
    await field(page, label).fill(' ');
    await field(page, label).blur();
    await described(page, label, sentence);
  }
  await expectAccessible(page);
  await field(page, 'First name').fill('Alexandra');
  await field(page, 'Last name').fill('Nguyen-Hart');
  await field(page, 'Mobile').fill('(02) 5550 1234');
  const sent = page.waitForRequest('**/api/user/profile');
  await save(page);
  expect((await sent).postDataJSON()).toEqual({
    firstName: 'Alexandra',
    lastName: 'Nguyen-Hart',
    mobile: '+61255501234',
  });
  await expect(toast(page, 'Personal Information Updated')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Your menu: Alexandra Nguyen-Hart' })).toBeVisible();
  expect(await me(page)).toMatchObject({
    ...before,
    firstName: 'Alexandra',
    lastName: 'Nguyen-Hart',
    mobile: '+61255501234',
    updatedAt: expect.any(String),
  });
});

test("Profile, business; 'Business Information Updated': required fields, doubtful ones, and what was typed in another tab stays", async ({
  page,
}) => {
  await signedInAdviser(page);
  await page.goto('/profile');
  await field(page, 'First name').fill('Unsaved');
  await tab(page, 'Business Info').click();
  await expect(page).toHaveURL('/profile?tab=business');
  for (const [label, sentence] of [
    ['Business name', 'Business name is required'],
    ['Business address', 'Business address is required'],
    ['City', 'City is required'],
    ['Postcode', 'Postcode is required'],
    ['Dealer group', 'Dealer group is required'],
  ] as const) {
    await field(page, label).fill('');
    await field(page, label).blur();
    await described(page, label, sentence);
  }
  await expect(field(page, 'State').getByRole('option')).toContainText([
    'NSW',
    'VIC',
    'QLD',
    'WA',
    'SA',
    'TAS',
    'ACT',
    'NT',
  ]);
  await field(page, 'Business name').fill('Hart Advice');
  await field(page, 'Business address').fill('2 Queen Street');
  await field(page, 'City').fill('Albury');
  await field(page, 'State').selectOption('VIC');
  await field(page, 'Postcode').fill('2640');
  await described(page, 'Postcode', '2640 is not usually in VIC.');
  await field(page, 'Dealer group').fill('Hart Group');
  await page.getByLabel('ABN').fill('51 824 753 557');
  await page.getByLabel('AFSL number').fill('AFSL 12');
  await page.getByLabel('AFSL number').blur();
  await expect(page.getByText('Usually up to 6 digits. Please check it.')).toBeVisible();
  await save(page);
  await expect(page.getByText('That ABN isn’t valid. Please check its 11 digits.')).toBeVisible();
  await page.getByLabel('ABN').fill('51824753556');
  await page.getByLabel('ABN').blur();
  await expect(page.getByLabel('ABN')).toHaveValue('51 824 753 556');
  await expectAccessible(page);
  await save(page);
  await expect(toast(page, 'Business Information Updated')).toBeVisible();
  expect(await me(page)).toMatchObject({
    firstName: 'Alex',
    businessName: 'Hart Advice',
    businessState: 'VIC',
    businessPostcode: '2640',
    afslNumber: 'AFSL 12',
    abn: '51824753556',
    dealerGroup: 'Hart Group',
  });
  await page.getByLabel('ABN').fill('');
  await save(page);
  await expect.poll(async () => (await me(page))['abn']).toBeNull();

  await page.goBack();
  await expect(page).toHaveURL('/profile');
  await expect(field(page, 'First name')).toHaveValue('Unsaved');
});

test("Profile, professional; Profile update failure, 'Professional Information Updated': saving needs a specialisation", async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(500);
  await signedInAdviser(page);
  await page.goto('/profile?tab=professional');
  await expect(field(page, 'CFP')).toBeChecked();
  await field(page, 'Retirement Planning').uncheck();
  await expect(button(page, 'Save changes')).toBeDisabled();
  await expect(page.getByText('Please select at least one specialization area')).toBeVisible();
  await expectAccessible(page);
  await field(page, 'Tax Planning').check();
  await field(page, 'CFA').check();
  await page.route('**/api/user/profile', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await save(page);
  await expect(toast(page, 'Error')).toBeVisible();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Failed to update profile. Please try again.' }),
  ).toBeVisible();
  await page.unroute('**/api/user/profile');
  await save(page);
  await expect(toast(page, 'Professional Information Updated')).toBeVisible();
  expect(await me(page)).toMatchObject({
    professionalCredentials: ['CFP', 'CFA'],
    specializationAreas: ['Tax Planning'],
  });
  await page.reload();
  await expect(field(page, 'Tax Planning')).toBeChecked();
});

test("the dashboard's Edit Profile dialog sends only what was touched", async ({ page, allowStatuses }) => {
  allowStatuses(500);
  await signedInAdviser(page);
  await page.goto('/dashboard?tab=profile');
  await button(page, 'Edit profile').click();
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  for (const [label, sentence] of [
    ['First name', 'First name is required'],
    ['Last name', 'Last name is required'],
  ] as const) {
    await field(page, label).fill('');
    await field(page, label).blur();
    await described(page, label, sentence);
  }
  await field(page, 'First name').fill('Alex');
  await field(page, 'Last name').fill('Hart');
  await dialog.getByLabel('ABN').fill('51824753557');
  await save(page);
  await expect(dialog.getByText('That ABN isn’t valid. Please check its 11 digits.')).toBeVisible();
  await dialog.getByLabel('ABN').fill('51824753556');
  await page.route('**/api/user/profile', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await save(page);
  await expect(dialog.getByRole('alert')).toHaveText('Failed to update profile. Please try again.');
  // Roles see nothing beside an open dialog.
  await expect(page.getByLabel('Notifications (F8)')).toContainText('Failed to update profile. Please try again.');
  await page.unroute('**/api/user/profile');
  const sent = page.waitForRequest('**/api/user/profile');
  await save(page);
  expect((await sent).postDataJSON()).toEqual({ lastName: 'Hart', abn: '51824753556' });
  await expect(toast(page, 'Profile Updated')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { level: 2, name: 'Alex Hart' })).toBeVisible();
  await expect(button(page, 'Edit profile')).toBeFocused();
});

test('/profile: an administrator has a badge', async ({ page }) => {
  await page.goto('/auth?returnTo=%2Fprofile');
  await signIn(page, 'admin@demo.adviserly.example', demoPassword);
  await expect(page.getByText('Administrator', { exact: true })).toBeVisible();
});

test.describe('security', () => {
  test('sessions: each device is listed and can be signed out', async ({ page, browser, allowStatuses }) => {
    allowStatuses(401);
    const { email, password } = await signedInAdviser(page);
    const elsewhere = await browser.newPage();
    await elsewhere.goto(new URL('/auth', page.url()).href);
    await signIn(elsewhere, email, password);
    await expect(heading(elsewhere, 'Welcome back, Alex')).toBeVisible();

    await page.goto('/profile?tab=security');
    const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await expect(rows).toHaveCount(2);
    await expect(rows.filter({ hasText: 'This device' })).toHaveCount(1);
    await expect(rows.first()).toContainText(/Chrome on Linux/);
    await expect(rows.first()).toContainText(/Last used \d/);
    await expectAccessible(page);
    await rows.filter({ hasNotText: 'This device' }).getByRole('button').click();
    await expect(toast(page, 'Signed Out')).toBeVisible();
    await expect(rows).toHaveCount(1);
    await elsewhere.reload();
    await expect(elsewhere.getByRole('heading', { level: 1 })).not.toHaveText('Welcome back, Alex');
    await elsewhere.close();

    await button(page, 'Sign out this device').click();
    await expect(page).toHaveURL('/auth');
  });

  test('change password: the current one is asked for, the other devices are signed out', async ({
    page,
    browser,
    allowStatuses,
  }) => {
    allowStatuses(400, 401);
    const { email, password } = await signedInAdviser(page);
    const elsewhere = await browser.newPage();
    await elsewhere.goto(new URL('/auth', page.url()).href);
    await signIn(elsewhere, email, password);
    await expect(heading(elsewhere, 'Welcome back, Alex')).toBeVisible();

    await page.goto('/profile?tab=security');
    await page.getByText('Change password…').click();
    await field(page, 'Current password').fill('not-the-password');
    await field(page, 'New password').fill('Another-Horse-8');
    await field(page, 'Confirm new password').fill('Another-Horse-9');
    await button(page, 'Change password').click();
    await described(page, 'Confirm new password', "Passwords don't match");
    await field(page, 'Confirm new password').fill('Another-Horse-8');
    await button(page, 'Change password').click();
    await expect(field(page, 'Current password')).toHaveAttribute('aria-invalid', 'true');
    await field(page, 'Current password').fill(password);
    await button(page, 'Change password').click();
    await expect(toast(page, 'Password Changed')).toBeVisible();
    await expect(field(page, 'New password')).toHaveValue('');
    await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1);
    await elsewhere.reload();
    await expect(elsewhere.getByRole('heading', { level: 1 })).not.toHaveText('Welcome back, Alex');
    await elsewhere.close();
  });

  test('my data: a download of what is held about me', async ({ page }) => {
    const { email } = await signedInAdviser(page);
    await page.goto('/profile?tab=security');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download my data' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^adviserly-export-\d{4}-\d\d-\d\d\.json$/);
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    expect(JSON.parse(Buffer.concat(chunks).toString('utf8'))).toMatchObject({ account: { email } });
  });

  test('closing the account says what it does, asks for the password, and ends it', async ({ page, allowStatuses }) => {
    allowStatuses(400, 401);
    const { email, password } = await signedInAdviser(page);
    await page.goto('/profile?tab=security');
    await button(page, 'Close account…').click();
    const dialog = page.getByRole('dialog', { name: 'Close your account?' });
    await expect(dialog).toContainText("This can't be undone");
    await expectAccessible(page);
    await button(page, 'Close account').click();
    await described(page, 'Your password', 'Password is required');
    await field(page, 'Your password').fill('not-the-password');
    await button(page, 'Close account').click();
    await expect(field(page, 'Your password')).toHaveAttribute('aria-invalid', 'true');
    await field(page, 'Your password').fill(password);
    await button(page, 'Close account').click();
    await expect(toast(page, 'Account Closed')).toBeVisible();
    await expect(page).toHaveURL('/');
    await page.goto('/auth');
    await signIn(page, email, password);
    await expect(toast(page, 'Login Failed')).toBeVisible();
  });

  test('the owner of a team is sent to the team first', async ({ page, allowStatuses }) => {
    allowStatuses(409);
    await page.goto('/auth?returnTo=%2Fprofile%3Ftab%3Dsecurity');
    await signIn(page, 'owner@demo.adviserly.example', demoPassword);
    await button(page, 'Close account…').click();
    await field(page, 'Your password').fill(demoPassword);
    await button(page, 'Close account').click();
    const alert = page.getByRole('dialog').getByRole('alert');
    await expect(alert).toContainText('Please hand over or close your team before you close your account.');
    await expect(alert.getByRole('link', { name: 'Go to your team' })).toHaveAttribute('href', '/teams');
  });
});

test('/profile: an incomplete profile and a visitor do not get here', async ({ page }) => {
  await page.goto('/profile');
  await expect(heading(page, 'My Profile')).toBeHidden();
  await registered(page);
  await page.goto('/profile');
  await expect(heading(page, 'Welcome, Jane')).toBeVisible();
});
