import { button, described, enrolApp, field, heading, signIn, toast } from '../accounts-steps.ts';
import { startE2eServer } from '../../../server/testing/child-server.ts';
import { expect, expectAccessible, serverStartMs, test } from '../fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test('Admin setup: it is over once there is an administrator', async ({ page }) => {
  await page.goto('/setup-admin?token=a-setup-token-of-the-operator');
  await expect(page).toHaveURL('/setup-admin');
  await expect(heading(page, 'Set up the administrator')).toBeVisible();
  await expect(page.getByText('Setup is closed.')).toBeVisible();
  await expect(button(page, 'Create administrator')).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to Login' }).click();
  await expect(page).toHaveURL('/auth');
});

test('/admin-replit: the removed sign-in says so and leads to the admin area', async ({ page }) => {
  await page.goto('/admin-replit');
  await expect(heading(page, 'This sign-in was removed')).toBeVisible();
  await expect(page.getByText(/removed for security/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to Admin Dashboard' })).toHaveAttribute('href', '/admin');
  await expectAccessible(page);
  await expect(page).toHaveURL('/admin');
});

test.describe('where there is no administrator', () => {
  let server: Awaited<ReturnType<typeof startE2eServer>>;
  test.beforeAll(async () => {
    test.setTimeout(serverStartMs);
    server = await startE2eServer({ DEMO_DATA: 'off', ADMIN_SECOND_FACTOR: 'on' });
  });
  test.afterAll(() => server.stop());

  test('Admin setup; Admin setup failure; /setup-admin: makes one, once, who can sign in', async ({
    page,
    allowStatuses,
  }) => {
    allowStatuses(403);
    const fill = async (email: string, password = 'Correct-Horse-7-Battery') => {
      await page.goto(`${server.url}/setup-admin`);
      await field(page, 'First name').fill('Ada');
      await field(page, 'Last name').fill('Okafor');
      await field(page, 'Email').fill(email);
      await field(page, 'Password').fill(password);
      await button(page, 'Create administrator').click();
    };
    await page.goto(`${server.url}/setup-admin?token=a-setup-token-of-the-operator`);
    await expect(page).toHaveURL(`${server.url}/setup-admin`);
    await expect(page.getByText('Development mode', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await button(page, 'Create administrator').click();
    await expect(toast(page, 'All Fields Required')).toBeVisible();
    await expect(toast(page, 'Please fill in all fields')).toBeVisible();
    await described(page, 'First name', 'Please fill in all fields');
    await fill('ada@practice.example', 'Elevenchars');
    await expect(toast(page, 'Password Too Short')).toBeVisible();
    await expect(toast(page, 'Password must be at least 12 characters long')).toBeVisible();

    await page.route('**/api/setup-admin', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 200, body: 'no JSON' }) : route.continue(),
    );
    await fill('ada@practice.example');
    await expect(toast(page, 'Setup Failed')).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to setup admin account' })).toBeVisible();
    await page.unroute('**/api/setup-admin');

    await fill(' Ada@Practice.example ');
    await expect(page.getByText('The administrator account was created.')).toBeVisible();
    await expect(page.getByText('ada@practice.example', { exact: true })).toBeVisible();
    await expect(page.getByText('Correct-Horse-7-Battery', { exact: true })).toBeVisible();
    await expect(page.getByText(/Keep this password safe/)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to Login' }).click();
    await signIn(page, 'ada@practice.example', 'Correct-Horse-7-Battery');
    await expect(page).toHaveURL(`${server.url}/`);

    // Where administrators need a second factor, the area leads to setting one up first.
    await page.getByRole('link', { name: 'Admin Dashboard' }).click();
    await expect(page).toHaveURL(`${server.url}/profile?tab=security`);
    await expect(
      page.getByText('The administrators’ area opens once you have set up two-step verification.'),
    ).toBeVisible();
    await enrolApp(page);
    await page.getByRole('link', { name: 'Admin Dashboard' }).click();
    await expect(heading(page, 'Admin Dashboard')).toBeVisible();

    await page.goto(`${server.url}/setup-admin`);
    await expect(page.getByText('Setup is closed.')).toBeVisible();
  });
});
