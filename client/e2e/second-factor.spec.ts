import type { Page } from '@playwright/test';
import { codeOf } from '../../server/testing/second-factor.ts';
import { addPasskey, button, enrolApp, field, heading, signIn, toast, virtualAuthenticator } from './accounts-steps.ts';
import {
  anotherBrowser,
  demoPassword,
  expect,
  expectAccessible,
  linkIn,
  mailTo,
  post,
  signedInAdviser,
  signedInDemo,
  test,
} from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('menuitem', { name: /Log ?out|Sign out/i }).click();
  await expect(page.getByRole('button', { name: /^Your menu/ })).toHaveCount(0);
};

/** The page of somebody who has got in. */
const expectHome = (page: Page) => expect(page.getByRole('button', { name: /^Your menu/ })).toBeVisible();

const secondStep = async (page: Page, code: string) => {
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await field(page, 'Code').fill(code);
  await button(page, 'Continue').click();
};

test('An authenticator app: enrolled, asked for at the sign-in, a recovery code in its place, a device remembered', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(400, 401);
  const { email, password } = await signedInAdviser(page);
  await page.goto('/profile?tab=security');
  await button(page, 'Add an authenticator app').click();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const { secret, recoveryCodes } = await enrolApp(page);
  await expect(page.getByRole('list', { name: 'Verification methods' }).getByRole('listitem')).toHaveCount(1);
  await mailTo(page, email, /verification method was added/);
  await expectAccessible(page);

  await signOut(page);
  await page.goto('/auth');
  await signIn(page, email, password);
  await secondStep(page, '000000');
  await expect(field(page, 'Code')).toHaveAccessibleDescription(/wrong or was already used/);
  await expectAccessible(page);
  await secondStep(page, codeOf(secret));
  await expectHome(page);

  await signOut(page);
  await page.goto('/auth');
  await signIn(page, email, password);
  await page.getByLabel(/Don't ask on this device/).check();
  await secondStep(page, recoveryCodes[0]!);
  await expectHome(page);
  await mailTo(page, email, /recovery code was used/);

  await signOut(page);
  await page.goto('/auth');
  await signIn(page, email, password);
  await expectHome(page);
  await page.goto('/profile?tab=security');
  await button(page, 'Forget Chrome on Linux').click();
  await expect(toast(page, 'Device Forgotten')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Remembered devices' })).toHaveCount(0);
});

test('A passkey: made, signs in alone, and is removed', async ({ page }) => {
  const { email } = await signedInAdviser(page);
  await virtualAuthenticator(page);
  await addPasskey(page);

  await signOut(page);
  await page.goto('/auth');
  await expectAccessible(page);
  await button(page, 'Sign in with a passkey').click();
  await expectHome(page);
  await page.goto('/profile?tab=security');
  await expect(page.getByText(/last used/).first()).toBeVisible();

  await button(page, 'Remove Laptop').click();
  await button(page, 'Remove').click();
  await expect(toast(page, 'Verification Method Removed')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Verification methods' })).toHaveCount(0);
  await mailTo(page, email, /verification method was removed/);
  await expect(heading(page, 'My Profile')).toBeVisible();
});

/** As if the ten minutes after the last proof were over. */
const forgetProofs = (page: Page) => page.request.post('/dev/forget-proofs', { maxRedirects: 0 });

test('Proof in the middle of a form: what was typed stays, and the same call is sent once proved', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(400, 403);
  const { password } = await signedInAdviser(page);
  await page.goto('/profile?tab=security');
  await forgetProofs(page);
  await button(page, 'Add an authenticator app').click();
  const question = page.getByRole('dialog', { name: "Please confirm it's you" });
  await question.getByLabel('Your password', { exact: true }).fill('Wrong-Horse-7');
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(question.getByLabel('Your password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  await question.getByLabel('Your password', { exact: true }).fill(password);
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(question).toBeHidden();
  await page.keyboard.press('Escape');
  const { secret } = await enrolApp(page);

  await page.getByText('Change password…').click();
  await field(page, 'Current password').fill(password);
  await field(page, 'New password').fill('Another-Horse-8');
  await field(page, 'Confirm new password').fill('Another-Horse-8');
  await forgetProofs(page);
  await button(page, 'Change password').click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert').getByText("Please confirm it's you.")).toBeVisible();
  await button(page, 'Change password').click();
  await question.getByLabel('Code', { exact: true }).fill(codeOf(secret));
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(toast(page, 'Password Changed')).toBeVisible();
  await expect(field(page, 'New password')).toHaveValue('');
});

test('Proof by an administrator, within a dialog', async ({ page, allowStatuses }) => {
  allowStatuses(403);
  const { email } = await signedInAdviser(page);
  await signedInDemo(page, 'admin');
  await page.goto(`/admin?tab=users&search=${encodeURIComponent(email)}`);
  await forgetProofs(page);
  await page
    .getByRole('button', { name: /^Grant.*: Alex/ })
    .filter({ visible: true })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: /Grant/ }).click();
  const question = page.getByRole('dialog', { name: "Please confirm it's you" });
  await question.getByLabel('Your password', { exact: true }).fill(demoPassword);
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(toast(page, 'Free access granted')).toBeVisible();
});

test('A passkey as the second step of a sign-in, as proof, and refused while its owner is suspended', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(403);
  const { email, password } = await signedInAdviser(page);
  await virtualAuthenticator(page);
  await addPasskey(page);
  await signOut(page);
  await page.goto('/auth');
  await signIn(page, email, password);
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Use a passkey').click();
  await expectHome(page);

  await page.goto('/profile?tab=security');
  await forgetProofs(page);
  await button(page, 'Renew recovery codes').click();
  const question = page.getByRole('dialog', { name: "Please confirm it's you" });
  await expect(question.getByRole('button', { name: 'Use a passkey' })).toBeVisible();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(question).toBeHidden();
  await button(page, 'I have saved them').click();

  const { id } = (await (await page.request.get('/api/user')).json()) as { id: string };
  await signOut(page);
  const admin = await anotherBrowser(page);
  await signedInDemo(admin, 'admin');
  const { csrfToken } = (await (await admin.request.get('/api/admin/csrf-token')).json()) as { csrfToken: string };
  await post(admin, '/api/admin/suspend', { userId: id, reason: 'A journey', _csrf: csrfToken });
  await admin.context().close();
  await page.goto('/auth');
  await button(page, 'Sign in with a passkey').click();
  await expect(page.getByText(/This account is suspended/).first()).toBeVisible();
});

test('A lost factor: an administrator asks for its removal, and a day later the password is enough', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(401, 403);
  const { email, password } = await signedInAdviser(page, { firstName: 'Lost' });
  await page.goto('/profile?tab=security');
  await enrolApp(page);
  await signOut(page);

  const admin = await anotherBrowser(page);
  await signedInDemo(admin, 'admin');
  await admin.goto('/admin?tab=support');
  await field(admin, 'User who lost two-step verification').fill(email);
  await admin.getByRole('option', { name: email }).click();
  await button(admin, 'Reset two-step verification').click();
  await expect(toast(admin, 'Reset requested')).toBeVisible();
  await mailTo(page, email, /Your verification methods will be removed/);
  await expectAccessible(admin);

  await page.goto('/auth');
  await signIn(page, email, password);
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await post(page, '/dev/clock', { advance: '2d' });
  await mailTo(page, email, /Your verification methods were removed/);
  await page.goto('/auth');
  await signIn(page, email, password);
  await expectHome(page);
  await admin.context().close();
});

test('A team asks for a second factor: its tool stays shut for a member until they have one', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(403);
  await signedInAdviser(page, { firstName: 'Owner' });
  const team = (await post(page, '/api/teams', { name: 'Locked Advice' })) as { id: string };
  await post(page, '/api/create-subscription', { toolId: 'risk-profile-ai', trial: true, teamId: team.id });
  const member = await anotherBrowser(page);
  const { email } = await signedInAdviser(member, { firstName: 'Member' });
  await post(page, `/api/teams/${team.id}/invite`, { email });
  const link = linkIn(await mailTo(page, email, /invites you to/), '/accept-invitation');
  await post(member, `/api/invitations/${new URLSearchParams(link.split('?')[1]).get('token')}/accept`, {});

  await page.goto('/teams');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('switch', { name: 'Require two-step verification' }).click();
  await expect(toast(page, 'Two-Step Verification Required')).toBeVisible();
  await expectAccessible(page);
  await mailTo(page, email, /^Two-step verification for/);

  await member.goto('/dashboard');
  const openTool = () => member.getByRole('button', { name: 'Open Risk Profile AI' }).click();
  await openTool();
  await expect(member.getByText(/Your team asks for two-step verification/).first()).toBeVisible();
  await member.goto('/profile?tab=security');
  await enrolApp(member);
  await member.goto('/dashboard');
  const opened = member.waitForEvent('popup');
  await openTool();
  await expect((await opened).getByRole('heading', { level: 1 })).toHaveText('Welcome, Member');
  await member.context().close();
});
