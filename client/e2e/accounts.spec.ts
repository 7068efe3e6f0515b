import { parseAbn } from '../../shared/rules/australia.ts';
import { field, button, heading, toast, described, signUp, signIn, fillProfile, registered } from './accounts-steps.ts';
import {
  expect,
  expectAccessible,
  linkIn,
  mailTo,
  newAddress,
  signedInAdviser,
  strongPassword,
  test,
  post,
} from './fixtures.ts';
import { buy, unfoldSubscriptions } from './purchase-steps.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test("/auth Sign Up, /complete-profile; 'Registration Successful', 'Profile Completed': sign up, complete the profile, verify from the mailbox", async ({
  page,
  context,
}) => {
  const email = newAddress('jane');
  await page.goto('/auth?tab=sign-up');
  await expect(page).toHaveTitle('Create your account · Adviserly');
  await signUp(page, ` ${email.toUpperCase()} `);
  await expect(toast(page, 'Registration Successful')).toBeVisible();
  await expect(page).toHaveURL('/complete-profile');
  await expect(heading(page, 'Welcome, Jane')).toBeVisible();

  await expect(button(page, 'Complete profile')).toBeDisabled();
  await fillProfile(page);
  await button(page, 'Complete profile').click();
  await expect(toast(page, 'Profile Completed')).toBeVisible();
  await expect(page).toHaveURL('/');

  const banner = page.getByRole('region', { name: 'Email verification' });
  await expect(banner).toContainText('to start a free trial');
  await banner.getByRole('button', { name: 'Resend email' }).click();
  await expect(banner.getByRole('status')).toContainText('Sent.');

  const inbox = await context.newPage();
  await inbox.goto(linkIn(await mailTo(page, email, /verify/i), '/verify-email'));
  await expect(inbox).toHaveURL('/verify-email');
  await inbox.reload();
  await button(inbox, 'Verify email').click();
  await expect(heading(inbox, 'Email verified')).toBeVisible();
  // The tab that still shows the sign-up hears of it.
  await expect(banner).toBeHidden();
  await inbox.getByRole('link', { name: 'Go to dashboard' }).click();
  await expect(inbox).toHaveURL('/dashboard');
});

test.describe('sign-up form', () => {
  const cases = [
    ['First name', '', 'First name is required'],
    ['Last name', '  ', 'Last name is required'],
    ['Email', 'jane@', 'Please enter a valid email address'],
    ['Password', 'Abcde1', /Password must be at least 8 characters long/],
    ['Password', 'abcdefg1', /Password must contain at least one uppercase letter/],
    ['Password', 'ABCDEFG1', /Password must contain at least one lowercase letter/],
    ['Password', 'Abcdefgh', /Password must contain at least one number/],
    ['Confirm password', 'Abcdefg2', "Passwords don't match"],
  ] as const;

  test('Register: says what is wrong beside the field, on leaving it, and sends nothing', async ({ page }) => {
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await page.goto('/auth?tab=sign-up');
    await expect(page.getByRole('list', { name: 'Password rules' }).getByRole('listitem')).toHaveCount(5);
    await expect(field(page, 'Email')).toHaveAttribute('autocomplete', 'username');
    await field(page, 'Password').fill(strongPassword);
    for (const [label, value, sentence] of cases) {
      await field(page, label).fill(value);
      await field(page, label).blur();
      await described(page, label, sentence);
    }
    await button(page, 'Create account').click();
    await expect(field(page, 'First name')).toBeFocused();
    expect(sent).toEqual([]);
    await field(page, 'First name').fill('Jane');
    await described(page, 'First name', '');
  });

  test('Register, confirmation matches: a confirmation is compared again when the password changes', async ({
    page,
  }) => {
    await page.goto('/auth?tab=sign-up');
    await field(page, 'Password').fill(strongPassword);
    await field(page, 'Confirm password').fill(`${strongPassword}x`);
    await field(page, 'Confirm password').blur();
    await described(page, 'Confirm password', "Passwords don't match");
    await field(page, 'Password').fill(`${strongPassword}x`);
    await described(page, 'Confirm password', '');
  });

  test('A password that the server finds easy to guess has that rule not ticked, until it is changed', async ({
    page,
    allowStatuses,
  }) => {
    allowStatuses(400);
    await page.goto('/auth?tab=sign-up');
    await signUp(page, newAddress('guessed'), { Password: 'Computer2026', 'Confirm password': 'Computer2026' });
    await described(page, 'Password', /easy to guess/);
    const rule = page.getByRole('list', { name: 'Password rules' }).getByRole('listitem').last();
    await expect(rule).toHaveText('Hard to guess, still missing');
    await field(page, 'Password').fill('Computer2026 and a kettle');
    await expect(rule).toHaveText('Hard to guess, done');
  });

  test('Registration failure, server message: an address that has an account leads to sign-in with it', async ({
    page,
    allowStatuses,
  }) => {
    allowStatuses(409);
    const email = await registered(page);
    await page.context().clearCookies();
    await page.goto('/auth?tab=sign-up');
    await signUp(page, email.toUpperCase());
    await expect(toast(page, 'Registration Failed')).toBeVisible();
    await expect(
      page.getByRole('alert').filter({ hasText: 'An account with this email already exists.' }),
    ).toBeVisible();
    await button(page, 'Sign in instead').click();
    await expect(page).toHaveURL('/auth');
    await expect(field(page, 'Email')).toHaveValue(email.toUpperCase());
  });

  test("the server's word lands on its field", async ({ page, allowStatuses }) => {
    allowStatuses(400);
    await page.goto('/auth?tab=sign-up');
    await signUp(page, newAddress('common'), { Password: 'Football1', 'Confirm password': 'Football1' });
    await described(page, 'Password', /This password is too common\./);
    await expect(field(page, 'Password')).toBeFocused();
  });
});

test.describe('sign-in form', () => {
  test("Login; Login failure, 'Login Successful': refuses, keeps what was typed, and then lets in", async ({
    page,
    allowStatuses,
  }) => {
    allowStatuses(401);
    const { email, password } = await signedInAdviser(page);
    await page.context().clearCookies();
    await page.goto('/auth');
    await expect(page).toHaveTitle('Sign in · Adviserly');
    await button(page, 'Sign In').click();
    await described(page, 'Email', 'Please enter a valid email address');
    await described(page, 'Password', 'Password is required');

    await signIn(page, email, 'not-the-password');
    await expect(toast(page, 'Login Failed')).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'Invalid email or password.' })).toBeVisible();
    await expect(field(page, 'Password')).toBeFocused();
    await button(page, 'Show password').click();
    await expect(field(page, 'Password')).toHaveAttribute('type', 'text');
    await expect(field(page, 'Password')).toHaveValue('not-the-password');
    await button(page, 'Hide password').click();

    await signIn(page, ` ${email.toUpperCase()}`, password);
    await expect(toast(page, 'Login Successful')).toBeVisible();
    await expect(page).toHaveURL('/');
  });

  test('a press sends what the form showed then, even if what checks it arrives late', async ({
    page,
    allowStatuses,
  }) => {
    allowStatuses(401);
    const { email, password } = await signedInAdviser(page);
    await page.context().clearCookies();
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let asked = () => {};
    const checks = new Promise<void>((resolve) => (asked = resolve));
    await page.route('**/assets/zod-*.js', async (route) => {
      asked();
      await held;
      await route.continue();
    });
    await page.goto('/auth');
    await signIn(page, email, 'not-the-password');
    await checks;
    await field(page, 'Password').fill(password);
    release();
    await expect(page.getByRole('alert').filter({ hasText: 'Invalid email or password.' })).toBeVisible();
    await button(page, 'Sign In').click();
    await expect(page).toHaveURL('/');
  });

  test('shows progress and is sent once, however often it is pressed', async ({ page }) => {
    const { email, password } = await signedInAdviser(page);
    await page.context().clearCookies();
    await page.goto('/auth');
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let calls = 0;
    await page.route('**/api/login', async (route) => {
      calls += 1;
      await held;
      await route.continue();
    });
    await signIn(page, email, password);
    const pending = page.getByRole('button', { name: 'Signing in…' });
    await expect(pending).toHaveAttribute('aria-busy', 'true');
    await pending.click({ force: true });
    await page.keyboard.press('Enter');
    release();
    await expect(page).toHaveURL('/');
    expect(calls).toBe(1);
  });

  test('too many attempts', async ({ page, allowStatuses }) => {
    allowStatuses(429);
    const email = await registered(page);
    await page.context().clearCookies();
    await page.goto('/auth');
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await page.request.post('/api/login', {
        data: { email, password: 'wrong' },
        headers: { origin: new URL(page.url()).origin },
      });
    }
    await signIn(page, email, strongPassword);
    await expect(
      page.getByRole('alert').filter({ hasText: 'Too many attempts. Please try again in 15 minutes.' }),
    ).toBeVisible();
  });
});

test.describe('profile form', () => {
  test('Complete profile: what is required, what is only doubtful, and a reload on the way', async ({ page }) => {
    await registered(page);
    await page.goto('/complete-profile');
    await field(page, 'Tax Planning').check();
    await button(page, 'Complete profile').click();
    for (const [label, sentence] of [
      ['Business phone', 'Business phone number is required'],
      ['Business name', 'Business name is required'],
      ['Business address', 'Business address is required'],
      ['City', 'City is required'],
      ['State', 'State is required'],
      ['Postcode', 'Postcode is required'],
      ['Dealer group', 'Dealer group/firm affiliation is required'],
    ] as const) {
      await described(page, label, sentence);
    }
    await expect(field(page, 'Business phone')).toBeFocused();
    await page.getByRole('checkbox', { name: 'Tax Planning', exact: true }).uncheck();
    await expect(button(page, 'Complete profile')).toBeDisabled();
    await expect(button(page, 'Complete profile')).toHaveAccessibleDescription(
      'Please select at least one area of specialization',
    );

    await fillProfile(page);
    await field(page, 'Postcode').fill('2000');
    await described(page, 'Postcode', '2000 is not usually in VIC.');
    await page.getByLabel('AFSL number').fill('AFSL-1234567');
    await page.getByLabel('ABN').fill('51 824 753 557');
    await page.getByLabel('ABN').blur();
    await expect(page.getByText('Usually up to 6 digits. Please check it.')).toBeVisible();
    await expect(page.getByText('That ABN isn’t valid. Please check its 11 digits.')).toBeVisible();
    // The example is nobody's number.
    expect(parseAbn((await page.getByLabel('ABN').getAttribute('placeholder'))!)).toBeNull();
    await expect(field(page, 'Business address')).toHaveAttribute('autocomplete', 'address-line1');
    await field(page, 'CFP').check();

    await page.reload();
    await expect(field(page, 'Business name')).toHaveValue('Whitfield Advice');
    await expect(field(page, 'State')).toHaveValue('VIC');
    await expect(field(page, 'CFP')).toBeChecked();
    await expect(field(page, 'Retirement Planning')).toBeChecked();
    await page.getByLabel('ABN').fill('51824753556');
    await page.getByLabel('ABN').blur();
    await expect(page.getByLabel('ABN')).toHaveValue('51 824 753 556');
    // Warnings block nothing.
    await button(page, 'Complete profile').click();
    await expect(page).toHaveURL('/');
    const user = (await (await page.request.get('/api/user')).json()) as Record<string, unknown>;
    expect(user).toMatchObject({
      mobile: '+61412345678',
      abn: '51824753556',
      businessPostcode: '2000',
      afslNumber: 'AFSL-1234567',
      professionalCredentials: ['CFP'],
      specializationAreas: ['Retirement Planning'],
    });
  });

  test('Profile completion failure: a failure is said, and nothing typed is lost', async ({ page, allowStatuses }) => {
    allowStatuses(503);
    await registered(page);
    await page.goto('/complete-profile');
    await fillProfile(page);
    await page.route('**/api/user/complete-profile', (route) =>
      route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    );
    await button(page, 'Complete profile').click();
    await expect(toast(page, 'Error')).toBeVisible();
    await expect(
      page.getByRole('alert').filter({ hasText: 'Failed to complete profile. Please try again.' }),
    ).toBeVisible();
    await page.unroute('**/api/user/complete-profile');
    await button(page, 'Complete profile').click();
    await expect(page).toHaveURL('/');
  });

  test("'Logged Out': one can sign out of it", async ({ page }) => {
    await registered(page);
    await page.goto('/complete-profile');
    await page.getByRole('button', { name: 'Your menu: Jane Whitfield' }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect(page).toHaveURL('/auth');
    await expect(toast(page, 'You have been successfully logged out.')).toBeVisible();
  });
});

test.describe('verification link', () => {
  test('works once; afterwards says what to do', async ({ page, allowStatuses }) => {
    allowStatuses(400);
    const email = await registered(page);
    const link = linkIn(await mailTo(page, email, /verify/i), '/verify-email');
    await page.goto(link);
    // The address is clean before anything is pressed, and the visit alone changes nothing.
    await expect(page).toHaveURL('/verify-email');
    await button(page, 'Verify email').click();
    await expect(heading(page, 'Email verified')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Complete your profile' })).toBeVisible();
    await page.reload();
    await expect(heading(page, 'Your email is verified')).toBeVisible();

    await page.context().clearCookies();
    await page.goto(link);
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await expect(page).toHaveURL('/auth?returnTo=%2Fverify-email');
  });

  test('outlasts the sign-in and the profile that it leads through', async ({ page }) => {
    const email = await registered(page);
    const link = linkIn(await mailTo(page, email, /verify/i), '/verify-email');
    await page.context().clearCookies();
    await page.goto(link);
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, email, strongPassword);
    await fillProfile(page);
    await button(page, 'Complete profile').click();
    await expect(page).toHaveURL('/verify-email');
    await button(page, 'Verify email').click();
    await expect(heading(page, 'Email verified')).toBeVisible();
  });

  test('missing from the address', async ({ page }) => {
    await page.goto('/verify-email');
    await expect(heading(page, 'This page needs a link from your email')).toBeVisible();
    await registered(page);
    await page.goto('/verify-email');
    await button(page, 'Resend email').click();
    await expect(page.getByText('Sent. Please also check your spam folder.')).toBeVisible();
  });
});

test.describe('guards', () => {
  test('Authenticated, profile incomplete: an incomplete profile confines to its form, and what was wanted comes after it', async ({
    page,
  }) => {
    await registered(page);
    for (const path of ['/', '/dashboard', '/profile', '/admin', '/teams', '/invoices', '/nowhere', '/auth']) {
      await page.goto(path);
      await expect(heading(page, 'Welcome, Jane')).toBeVisible();
      expect(new URL(page.url()).pathname).toBe('/complete-profile');
    }
    await page.goto('/subscribe/file-note-ai');
    await expect(page).toHaveURL('/complete-profile?returnTo=%2Fsubscribe%2Ffile-note-ai');
    await fillProfile(page);
    await button(page, 'Complete profile').click();
    await expect(page).toHaveURL('/subscribe/file-note-ai');
    for (const path of ['/complete-profile', '/auth']) {
      await page.goto(path);
      await expect(page).toHaveURL('/');
    }
  });

  test('the place one came from survives sign-in; another site never does', async ({ page, allowStatuses }) => {
    // For what the dashboard still asks when its cookie is taken away.
    allowStatuses(401);
    const { email, password } = await signedInAdviser(page);
    for (const [returnTo, end] of [
      ['/subscribe/file-note-ai', '/subscribe/file-note-ai'],
      ['/?tab=billing', '/?tab=billing'],
      ['//evil.example/', '/'],
      ['/\\evil.example', '/'],
      ['https://evil.example', '/'],
    ] as const) {
      await page.context().clearCookies();
      await page.goto(`/api/login?returnTo=${encodeURIComponent(returnTo)}`);
      await signIn(page, email, password);
      await expect(page).toHaveURL(end);
    }
  });

  test('the place one came from survives sign-up and the profile', async ({ page }) => {
    await page.goto('/auth?returnTo=%2Fsubscribe%2Fpre-fill-ai');
    await page.getByRole('tab', { name: 'Sign Up' }).click();
    await field(page, 'First name').fill('Grace');
    await page.getByRole('tab', { name: 'Sign In' }).click();
    await page.getByRole('tab', { name: 'Sign Up' }).click();
    await expect(field(page, 'First name')).toHaveValue('Grace');
    await expect(page).toHaveURL(/tab=sign-up/);
    await signUp(page, newAddress('return'));
    await expect(page).toHaveURL('/complete-profile?returnTo=%2Fsubscribe%2Fpre-fill-ai');
    await page.reload();
    await fillProfile(page);
    await button(page, 'Complete profile').click();
    await expect(toast(page, 'Your account is ready.')).toBeVisible();
    await expect(page).toHaveURL('/subscribe/pre-fill-ai');
  });
});

test('a demo account signs in by its button on the console', async ({ page }) => {
  await page.goto('/dev');
  await button(page, 'Sign in as adviser@demo.adviserly.example').click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome back, / })).toBeVisible();
});

test('an adviser whose subscription has ended is not led to a trial', async ({ page }) => {
  await signedInAdviser(page);
  await buy(page, { toolId: 'risk-profile-ai' });
  await page.goto('/');
  await expect(page.getByRole('list', { name: 'First steps' })).toContainText('Open Risk Profile AI');
  await post(page, '/api/cancel-subscription', { toolId: 'risk-profile-ai', cancelImmediately: true });
  await page.reload();
  await unfoldSubscriptions(page);
  await expect(page.getByRole('region', { name: 'Subscriptions', exact: true })).toContainText('Cancelled');
  await expect(page.getByRole('list', { name: 'First steps' })).toBeHidden();
});

test('a new adviser is led to the first session in two steps, which then are gone', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/');
  const steps = page.getByRole('list', { name: 'First steps' });
  const current = steps.locator('[aria-current=step]');
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome back, Alex' })).toBeVisible();
  await expect(current).toContainText('Choose a tool');
  await expectAccessible(page);
  await page.goto('/subscribe/fact-find-ai');
  await expect(page.getByRole('button', { name: 'Start 30-day free trial' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(current).toContainText('Try Fact Find AI');
  await current.getByRole('link', { name: 'Start your trial' }).click();
  await page.getByRole('button', { name: 'Start 30-day free trial' }).click();
  await expect(current).toContainText('Open Fact Find AI');
  const opened = page.waitForEvent('popup');
  await current.getByRole('button', { name: 'Open it now' }).click();
  const tool = await opened;
  await expect(tool.getByRole('button', { name: 'Finish session' })).toBeVisible();
  await tool.close();
  // Headless Chromium doesn't give the focus back by itself.
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(steps).toBeHidden();
});
