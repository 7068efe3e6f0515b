import type { Page } from '@playwright/test';
import { button, field, heading, signIn, toast } from '../accounts-steps.ts';
import {
  anotherBrowser,
  expect,
  expectAccessible,
  mailTo,
  newAddress,
  post,
  signedInAdviser,
  signedInDemo,
  strongPassword,
  test,
} from '../fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const rowOf = (page: Page, words: string | RegExp) => page.getByRole('row').filter({ hasText: words });
const search = (page: Page) => page.getByLabel('Search by name or email', { exact: true });

/** An adviser of this journey alone, made in a browser of their own. */
async function adviser(page: Page, firstName: string, trialOf?: string) {
  const other = await anotherBrowser(page);
  const email = newAddress(firstName.toLowerCase());
  const made = await signedInAdviser(other, { firstName, email });
  if (trialOf) await post(other, '/api/create-subscription', { toolId: trialOf, trial: true });
  await other.context().close();
  return made;
}

test('the administrators’ page refuses an adviser, who is led back', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/admin');
  await expect(heading(page, 'Access Denied')).toBeVisible();
  await expect(page.getByText('You need administrator privileges to access this page.')).toBeVisible();
  await expect(page).toHaveTitle('Access Denied · Adviserly');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await expect(page).toHaveURL('/dashboard');
});

test('an administrator walks the five tabs by keyboard, then the rooms beside them: each is in the address, and accessible in both themes', async ({
  page,
}) => {
  test.slow();
  await signedInDemo(page, 'admin');
  await page.goto('/admin');
  await expect(heading(page, 'Admin Dashboard')).toBeVisible();
  await expect(page).toHaveTitle('Admin Dashboard · Adviserly');
  for (const counter of ['Total Users', 'Verified Users', 'Complete Profiles', 'Free Access']) {
    await expect(page.getByRole('link', { name: counter, exact: true })).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'Usage Activity' })).toBeVisible();
  await expectAccessible(page);
  await tab(page, 'Overview').focus();
  for (const [name, address, sign] of [
    ['Users', '/admin?tab=users', 'All users'],
    ['Free Access', '/admin?tab=free-access', 'Users with free access'],
    ['API Keys', '/admin?tab=api-keys', 'Generate API key'],
    ['Support', '/admin?tab=support', 'Reset password'],
  ] as const) {
    await page.keyboard.press('ArrowRight');
    await expect(tab(page, name)).toBeFocused();
    await expect(page).toHaveURL(address);
    await expect(page.getByRole('heading', { name: sign, exact: true })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expectAccessible(page);
  }
  await page.goBack();
  await expect(tab(page, 'API Keys')).toHaveAttribute('aria-selected', 'true');
  await page.reload();
  await expect(tab(page, 'API Keys')).toHaveAttribute('aria-selected', 'true');

  const rooms = page.getByRole('navigation', { name: 'Administration' });
  for (const [name, sign] of [
    ['Today', 'Today'],
    ['People', 'Accounts'],
    ['Practices', 'All practices'],
    ['Catalogue', 'Tools'],
    ['Pricing', 'Discounts'],
    ['Business', 'Business'],
    ['Audit', 'Audit log'],
  ] as const) {
    await rooms.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(`/admin/${name.toLowerCase()}`);
    await expect(rooms.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('heading', { name: sign, exact: true })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expectAccessible(page);
  }
  await rooms.getByRole('link', { name: 'People', exact: true }).click();
  await button(page, 'Administrators').click();
  await expect(page).toHaveURL('/admin/people?only=administrators');
  await expect(rowOf(page, 'team-admin@demo.adviserly.example')).toHaveCount(0);
  await expect(rowOf(page, 'admin@demo.adviserly.example')).toBeVisible();
  await expect(rowOf(page, 'unverified@demo.adviserly.example')).toHaveCount(0);
  await rooms.getByRole('link', { name: 'Practices', exact: true }).click();
  await page.getByLabel('Search by name', { exact: true }).fill('harbour');
  await page.getByRole('link', { name: 'Harbour Advice' }).first().click();
  await expect(heading(page, 'Harbour Advice')).toBeVisible();
  await expect(rooms.getByRole('link', { name: 'Practices', exact: true })).toHaveAttribute('aria-current', 'page');
});

test('an administrator finds a person, grants free access and revokes it, and reads before what it will do', async ({
  page,
}) => {
  const { email } = await adviser(page, 'Marguerite');
  await signedInDemo(page, 'admin');
  await page.goto('/admin?tab=users');
  await search(page).fill(email.slice(0, 20));
  await expect(page).toHaveURL(/search=marguerite/);
  await expect(page.getByText('1 user found')).toBeVisible();
  const row = rowOf(page, email);
  await expect(row).toContainText('Marguerite Nguyen');
  await expect(row).toContainText('Standard');
  await expect(row).toContainText('Complete');

  await row.getByRole('button', { name: 'Grant Free Access: Marguerite Nguyen' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Grant free access?');
  await expect(dialog).toContainText('Paid subscriptions drop to $0.00 from the next bill');
  await expect(dialog).toContainText('This user owes nothing.');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await tab(page, 'Free Access').click();
  await expect(page).toHaveURL('/admin?tab=free-access');
  await button(page, 'Grant Free Access…').click();
  await field(page, 'User').fill(email);
  await page.getByRole('option', { name: email }).click();
  await dialog.getByRole('button', { name: 'Grant Free Access' }).click();
  await expect(toast(page, 'Free access granted')).toBeVisible();
  await mailTo(page, email, /Free access granted/);
  await search(page).fill(email.slice(0, 20));
  await row.getByRole('button', { name: 'Revoke Access: Marguerite Nguyen' }).click();
  await expect(dialog).toContainText('grace period of 7 days');
  await dialog.getByRole('button', { name: 'Revoke Free Access' }).click();
  await expect(toast(page, 'Free access revoked')).toBeVisible();
  await expect(page.getByText('No users found')).toBeVisible();
  await button(page, 'Clear Search').click();
  await expect(page).toHaveURL('/admin?tab=free-access');
  await expect(rowOf(page, 'free@demo.adviserly.example')).toBeVisible();
});

test('Previous and Next turn the pages of a list, and the address follows', async ({ page }) => {
  await signedInDemo(page, 'admin');
  const user = (n: number) => ({
    id: `6ec0bd7f-11c0-43da-975e-${String(n).padStart(12, '0')}`,
    firstName: 'Page',
    lastName: `Person ${n}`,
    email: `person${n}@practice.example`,
    dealerGroup: null,
    membershipType: 'standard',
    ownsTeam: false,
    emailVerified: n % 2 === 0,
    profileCompleted: true,
    isAdmin: false,
    freeAccessGranted: false,
    mustChangePassword: false,
    suspendedAt: null,
    suspendedFor: null,
    chargesPaused: false,
    createdAt: '2026-03-04T05:06:07Z',
  });
  // A million users would take minutes to make, so the page gets made-up answers.
  await page.route('**/api/admin/users?*', (route) => {
    const at = Number(new URL(route.request().url()).searchParams.get('page'));
    const users = Array.from({ length: 50 }, (_, n) => user(at * 100 + n));
    return route.fulfill({
      json: { users, pagination: { page: at, total: 1_000_000, totalPages: 20_000, more: false } },
    });
  });
  await page.goto('/admin?tab=users&page=19999');
  await expect(page.getByText('1,000,000 users')).toBeVisible();
  await expect(page.getByText('Page 19,999 of 20,000')).toBeVisible();
  await button(page, 'Next').click();
  await expect(page).toHaveURL('/admin?tab=users&page=20000');
  await expect(rowOf(page, 'person2000000@')).toBeVisible();
  await expect(button(page, 'Next')).toBeDisabled();
  await button(page, 'Previous').click();
  await page.goto('/admin?tab=users');
  await expect(button(page, 'Previous')).toBeDisabled();
  await expect(page.getByText('Unverified', { exact: true }).first()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByText('Page 1 of 20,000')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await expectAccessible(page);

  // A page that is no longer there, or never was.
  await page.goto('/admin/audit?page=9999');
  const log = page.getByRole('region', { name: 'Audit log' });
  await expect(log).toContainText('Nothing on this page');
  await button(page, 'Go to the last page').click();
  await expect(page.getByRole('table', { name: 'Audit log' })).toBeVisible();
});

test('an administrator makes an API key for whoever has access, sees it once, and revokes it', async ({
  page,
  context,
  allowStatuses,
}) => {
  test.slow();
  allowStatuses(409);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { email } = await adviser(page, 'Keyholder');
  await signedInDemo(page, 'admin');
  await page.goto('/admin?tab=api-keys');
  await button(page, 'Generate API key').click();
  await expect(toast(page, 'Please select both a user and a tool')).toBeVisible();
  await expect(field(page, 'User')).toHaveAccessibleDescription(/Please select both a user and a tool/);

  await field(page, 'User').fill(email);
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field(page, 'User')).toHaveValue(`Keyholder Nguyen (${email})`);
  await field(page, 'Tool').selectOption('Risk Profile AI');
  await field(page, 'Expires after (days)').fill('');
  await field(page, 'Expires after (days)').blur();
  await expect(field(page, 'Expires after (days)')).toHaveValue('365');
  await button(page, 'Generate API key').click();
  await expect(page.getByRole('alert').getByText('The user needs an active subscription to this tool.')).toBeVisible();

  // Free access lets the adviser have the tool without a card.
  const { csrfToken } = (await (await page.request.get('/api/admin/csrf-token')).json()) as { csrfToken: string };
  const found = (await (await page.request.get(`/api/admin/users?search=${encodeURIComponent(email)}`)).json()) as {
    users: { id: string }[];
  };
  const { origin } = new URL(page.url());
  const granted = await page.request.post('/api/admin/grant-free-access', {
    data: { userId: found.users[0]!.id, _csrf: csrfToken },
    headers: { origin },
  });
  expect(granted.ok()).toBe(true);
  const theirs = await page.context().browser()!.newContext({ baseURL: origin });
  const headers = { origin };
  await theirs.request.post('/api/login', { data: { email, password: strongPassword }, headers });
  const bought = await theirs.request.post('/api/create-subscription', {
    data: { toolId: 'risk-profile-ai' },
    headers,
  });
  expect(bought.ok(), await bought.text()).toBe(true);
  await theirs.close();

  await button(page, 'Generate API key').click();
  await expect(toast(page, 'API Key Generated')).toBeVisible();
  const shown = page.getByLabel('New API key', { exact: true });
  await expect(shown).toBeFocused();
  const key = await shown.inputValue();
  expect(key).toMatch(/^ak_[\w-]{43}$/);
  await expect(page.getByRole('listitem').getByText(key)).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Copy key').click();
  await expect(button(page, 'Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await button(page, 'Done').click();
  await expect(shown).toBeHidden();

  await Promise.all([page.waitForResponse(/\/all-api-keys\?.*search=/), search(page).fill(email)]);
  const row = rowOf(page, email);
  await expect(row).toContainText(`ak_••••••••${key.slice(-4)}`);
  await expect(row).toContainText('Never');
  await row.getByRole('button', { name: 'Revoke the key of Keyholder Nguyen to Risk Profile AI' }).click();
  await expect(page.getByRole('dialog')).toContainText('stops opening Risk Profile AI at once');
  await expectAccessible(page);
  await button(page, 'Revoke key').click();
  await expect(toast(page, 'API key revoked successfully')).toBeVisible();
  await expect(page.getByText('No API keys found')).toBeVisible();
});

test('an administrator resets a password: the adviser is told, and the audit log shows it', async ({ page }) => {
  test.slow();
  const { email } = await adviser(page, 'Forgetful');
  await signedInDemo(page, 'admin');
  await page.goto('/admin?tab=support');
  await button(page, 'Reset password').click();
  await expect(toast(page, 'Please select a user and enter a new password')).toBeVisible();
  await field(page, 'User').fill(email);
  await page.getByRole('option', { name: email }).click();
  await field(page, 'New password').fill('Aa1');
  await button(page, 'Reset password').click();
  await expect(toast(page, 'Password must be at least 8 characters long')).toBeVisible();
  await expectAccessible(page);
  await field(page, 'New password').fill('Fresh-Start-2026');
  await button(page, 'Reset password').click();
  await expect(toast(page, 'Password reset successfully')).toBeVisible();
  await expect(field(page, 'User')).toHaveValue('');
  await expect(field(page, 'New password')).toHaveValue('');
  await mailTo(page, email, /password was reset/);

  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  await field(page, 'About').fill(email);
  await page.getByRole('option', { name: email }).click();
  await expect(page).toHaveURL(/subject=/);
  const row = rowOf(page, /Set a new password for/);
  await expect(row).toContainText('Amelia Hughes');
  await expect(row).toContainText('Forgetful Nguyen');
  await field(page, 'Action').selectOption({ label: 'Account made' });
  await expect(rowOf(page, /Made an account/)).toHaveCount(1);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^adviserly-audit-.*\.csv$/);
  await button(page, 'Clear filters').click();
  await expect(page).toHaveURL('/admin/audit');

  await page.context().clearCookies();
  await page.goto('/auth');
  await signIn(page, email, 'Fresh-Start-2026');
  await expect(heading(page, 'Welcome back, Forgetful')).toBeVisible();
});

test('the page fetches a dead token again once; an administrator replays incidents, and tries a failed list again', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(403, 503);
  await signedInDemo(page, 'admin');
  let failing = true;
  await page.route('**/api/admin/usage-stats?*', (route) =>
    failing
      ? route.fulfill({ status: 503, json: { code: 'busy', message: 'The service is busy.', requestId: 'r-1' } })
      : route.continue(),
  );
  const incident = {
    id: 'evt_journey',
    kind: 'webhook',
    name: 'invoice.paid',
    title: 'Payment event not processed',
    nextStep: 'Replay it.',
    who: null,
    amountCents: null,
    answerBy: null,
    answerAt: null,
    toolName: null,
    canSettle: false,
    about: 'in_1',
    error: 'The provider was away',
    attempts: 9,
    failedAt: '2026-11-01T02:03:04Z',
    canReplay: true,
    canConfirm: false,
  };
  let incidents = [incident];
  await page.route('**/api/admin/incidents', (route) =>
    route.fulfill({ json: { incidents, warnings: ['SMTP_URL is not set: no mail leaves this server.'] } }),
  );
  const tokens: string[] = [];
  await page.route('**/api/admin/incidents/evt_journey/replay', (route) => {
    tokens.push((route.request().postDataJSON() as { _csrf: string })._csrf);
    if (tokens.length === 1)
      return route.fulfill({ status: 403, json: { code: 'csrf_invalid', message: 'Expired.', requestId: 'r-2' } });
    incidents = [];
    return route.fulfill({ json: { message: 'Replay started' } });
  });
  await page.goto('/admin');
  await expect(page.getByText('The service is busy.')).toBeVisible();
  await expectAccessible(page);
  failing = false;
  await button(page, 'Try again').click();
  await expect(page.getByText('The service is busy.')).toBeHidden();
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  await expect(page.getByText('SMTP_URL is not set: no mail leaves this server.')).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Replay: Payment event not processed').click();
  await expect(toast(page, 'Replay started')).toBeVisible();
  expect(tokens).toHaveLength(2);
  expect(tokens[1]).not.toBe(tokens[0]);
  await expect(page.getByText('Nothing else today.')).toBeVisible();
});

test('the lists refresh every 60 seconds, without keeping the session awake', async ({ page }) => {
  await page.clock.install();
  await signedInDemo(page, 'admin');
  const asked: { url: string; background: string | undefined }[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/admin/')) {
      asked.push({ url: request.url(), background: request.headers()['x-background'] });
    }
  });
  await page.goto('/admin?tab=users');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const first = asked.filter(({ url }) => url.includes('/users'));
  expect(first.map(({ background }) => background)).toEqual([undefined]);
  await page.clock.fastForward(61_000);
  await expect.poll(() => asked.filter(({ url }) => url.includes('/users')).length).toBe(2);
  expect(asked.findLast(({ url }) => url.includes('/users'))?.background).toBe('1');
});

test('an administrator suspends an account, reinstates it, and asks for a new password: its owner reads why they are out', async ({
  page,
  allowStatuses,
}) => {
  test.slow();
  allowStatuses(401, 403);
  const { email, password } = await adviser(page, 'Held');
  await signedInDemo(page, 'admin');
  await page.goto(`/admin?tab=users&search=${encodeURIComponent(email)}`);
  const acts = page.getByRole('button', { name: /^Actions: Held/ }).filter({ visible: true });
  const dialog = page.getByRole('dialog');
  const choose = async (label: string) => {
    await acts.click();
    await page.getByRole('menuitem', { name: `${label}…` }).click();
  };
  const decide = async (label: string) => {
    await choose(label);
    await dialog.getByLabel('Reason', { exact: true }).fill('Reports of misuse');
    await dialog.getByRole('button', { name: label }).click();
    await expect(dialog).toBeHidden();
  };
  await choose('Suspend');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await expect(dialog.getByLabel('Reason', { exact: true })).toHaveAccessibleDescription(/Please give a reason/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await decide('Suspend');
  await expect(page.getByText('Suspended', { exact: true }).filter({ visible: true })).toBeVisible();
  await mailTo(page, email, /Your account was suspended/);

  const other = await anotherBrowser(page);
  await other.goto('/auth');
  await signIn(other, email, password);
  await expect(other.getByText(/This account is suspended. Our email says why/).first()).toBeVisible();

  await choose('Reinstate');
  await expect(dialog.getByText(/Reports of misuse Nothing is charged meanwhile/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await decide('Reinstate');
  await expect(page.getByText('Suspended', { exact: true })).toHaveCount(0);
  await decide('Force a password reset');

  await signIn(other, email, password);
  await expect(heading(other, 'Choose a new password')).toBeVisible();
  await field(other, 'New password').fill('Another-Horse-8');
  await field(other, 'Confirm new password').fill('Another-Horse-8');
  await button(other, 'Reset password').click();
  await button(other, 'Go to Login Now').click();
  await signIn(other, email, 'Another-Horse-8');
  await expect(other.getByRole('button', { name: /^Your menu/ })).toBeVisible();
  await other.context().close();

  await page.goto('/admin/audit');
  await expect(rowOf(page, /Suspended Held .*, and charges are paused: “Reports of misuse”/)).toBeVisible();
});

test('a person’s page shows what they have, why they were charged, and what was done, without a reload', async ({
  page,
}) => {
  const { email } = await adviser(page, 'Isolde', 'risk-profile-ai');
  await signedInDemo(page, 'admin');
  await page.goto('/admin?tab=users');
  await search(page).fill(email);
  await page.getByRole('link', { name: 'Isolde Nguyen' }).click();
  await expect(heading(page, 'Isolde Nguyen')).toBeVisible();
  await expect(page).toHaveTitle('Isolde Nguyen · Adviserly');
  await expect(page.getByText(email, { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Subscriptions' })).toContainText('Trial');
  await expect(page.getByRole('region', { name: 'Next bill' })).toContainText('Risk Profile AI ends on');
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await tab(page, 'Activity').click();
  await expect(timeline).toContainText(`Email “`);
  await expectAccessible(page);

  await button(page, 'Actions').click();
  await page.getByRole('menuitem', { name: 'Sign out everywhere…' }).click();
  await field(page, 'Reason').fill('You called us about a lost phone');
  await button(page, 'Sign out everywhere').click();
  await expect(timeline).toContainText('“You called us about a lost phone”');

  // What is typed for one action does not stand in the way of another.
  await tab(page, 'Overview').click();
  await button(page, 'Manage Risk Profile AI').click();
  const manage = page.getByRole('dialog', { name: 'Risk Profile AI' });
  await field(page, 'By how many days').fill('31');
  await expect(manage.getByText('Days must be a whole number from 1 to 30')).toBeVisible();
  await expect(manage.getByRole('button', { name: 'Extend the trial' })).toBeDisabled();
  await manage.getByRole('radio', { name: 'Cancel at once' }).check();
  await expect(manage.getByRole('button', { name: 'Cancel at once' })).toBeEnabled();
  await manage.getByRole('radio', { name: 'Extend the trial' }).check();
  await field(page, 'By how many days').fill('5');
  await expectAccessible(page);
  await field(page, 'Reason').fill('You were on leave');
  await manage.getByRole('button', { name: 'Extend the trial' }).click();
  await expect(manage).toBeHidden();
  await tab(page, 'Activity').click();
  await expect(timeline).toContainText('“You were on leave”');
  // A trial has no invoice of $0.00.
  await timeline.getByLabel('Show', { exact: true }).selectOption('Invoices');
  await expect(timeline).toContainText('Nothing of this kind yet.');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const rooms = page.getByRole('navigation', { name: 'Administration' });
  await rooms.getByRole('button', { name: 'People', exact: true }).click();
  await rooms.getByRole('link', { name: 'People', exact: true }).click();
  await expect(page).toHaveURL('/admin/people');
  await page.goBack();
  await expect(heading(page, 'Isolde Nguyen')).toBeVisible();
  await expect(page).toHaveTitle('Isolde Nguyen · Adviserly');
});
