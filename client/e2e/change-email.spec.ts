import type { Page } from '@playwright/test';
import { profile } from '../../server/testing/newcomer.ts';
import {
  addPasskey,
  button,
  described,
  field,
  heading,
  registered,
  signIn,
  toast,
  virtualAuthenticator,
} from './accounts-steps.ts';
import {
  anotherBrowser,
  expect,
  expectAccessible,
  linkIn,
  mailTo,
  newAddress,
  post,
  signedInAdviser,
  test,
} from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test('Change of email: confirmed at the new address, undone from the old, which chooses a new password', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(400, 401);
  const { email } = await signedInAdviser(page);
  const next = newAddress('moved');
  await page.goto('/profile?tab=security');
  await page.getByText('Change email…').click();
  await field(page, 'New email address').fill(email);
  await button(page, 'Send the link').click();
  await described(page, 'New email address', 'This is already your address');
  await field(page, 'New email address').fill(next);
  await button(page, 'Send the link').click();
  await expect(toast(page, 'Link Sent')).toBeVisible();
  await expect(page.getByText(`Waiting for you to open the link we sent to ${next}`)).toBeVisible();
  await expectAccessible(page);

  await page.goto(linkIn(await mailTo(page, next, /Confirm your new address/), '/change-email'));
  await expect(page).toHaveURL('/change-email');
  await expectAccessible(page);
  await button(page, 'Use this address from now on').click();
  await expect(heading(page, 'Your address was changed')).toBeVisible();
  await page.getByRole('link', { name: 'Go to Security' }).click();
  await expect(page.getByText(`You sign in as ${next}, and our emails go there.`)).toBeVisible();

  await page.goto(linkIn(await mailTo(page, email, /address was changed/), '/undo-email-change'));
  await expect(heading(page, "Didn't change your email address?")).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Undo the change').click();
  await expect(heading(page, 'Secure your account')).toBeVisible();
  await expectAccessible(page);
  await chooseNew(page);
  await page.getByRole('link', { name: 'Sign in and check' }).click();
  await signIn(page, email, 'Another-Horse-8');
  await expect(page.getByText(`You sign in as ${email}, and our emails go there.`)).toBeVisible();
});

const chooseNew = async (page: Page) => {
  await field(page, 'New password').fill('Another-Horse-8');
  await field(page, 'Confirm new password').fill('Another-Horse-8');
  await button(page, 'Reset password').click();
};

const secondFactors = (page: Page) => page.getByRole('list', { name: 'Verification methods' });

test('A thief adds a passkey and moves the address; the owner undoes it and is alone in the account', async ({
  page: thief,
  allowStatuses,
}) => {
  allowStatuses(401, 403);
  // The thief knows the password of an account without a second factor.
  const { email } = await signedInAdviser(thief, { firstName: 'Robbed' });
  const theirs = newAddress('thief');
  await virtualAuthenticator(thief);
  await addPasskey(thief, 'Of the thief');
  await thief.getByText('Change email…').click();
  await field(thief, 'New email address').fill(theirs);
  await button(thief, 'Send the link').click();
  await thief.goto(linkIn(await mailTo(thief, theirs, /Confirm your new address/), '/change-email'));
  await button(thief, 'Use this address from now on').click();
  await expect(heading(thief, 'Your address was changed')).toBeVisible();

  const owner = await anotherBrowser(thief);
  await owner.goto(linkIn(await mailTo(thief, email, /address was changed/), '/undo-email-change'));
  await button(owner, 'Undo the change').click();
  await chooseNew(owner);
  await owner.getByRole('link', { name: 'Sign in and check' }).click();
  await signIn(owner, email, 'Another-Horse-8');
  await expect(owner.getByText(`You sign in as ${email}, and our emails go there.`)).toBeVisible();
  await expect(secondFactors(owner)).toHaveCount(0);
  await expect(owner.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1);

  await thief.goto('/auth');
  await button(thief, 'Sign in with a passkey').click();
  await expect(toast(thief, 'Login Failed')).toBeVisible();
  await owner.context().close();
});

test('A hostage address is freed by its owner, who resets the password by mail', async ({
  page: attacker,
  allowStatuses,
}) => {
  allowStatuses(401, 403);
  const email = await registered(attacker, newAddress('hostage'));
  await post(attacker, '/api/user/complete-profile', profile);
  await attacker.goto('/profile?tab=security');
  await expect(button(attacker, 'Add a passkey')).toBeDisabled();
  await expect(attacker.getByText('Please verify your email address first', { exact: true })).toBeVisible();
  await expectAccessible(attacker);

  const owner = await anotherBrowser(attacker);
  await owner.goto('/auth');
  await button(owner, 'Forgot Password?').click();
  const dialog = owner.getByRole('dialog');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('button', { name: /Send/ }).click();
  await owner.goto(linkIn(await mailTo(owner, email, /Reset your/), '/reset-password'));
  await chooseNew(owner);
  await button(owner, 'Go to Login Now').click();
  await signIn(owner, email, 'Another-Horse-8');
  await expect(owner.getByRole('button', { name: /^Your menu/ })).toBeVisible();
  await owner.goto('/profile?tab=security');
  await expect(button(owner, 'Add a passkey')).toBeEnabled();
  await expect(owner.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1);
  await attacker.goto('/profile?tab=security');
  await expect(button(attacker, 'Add a passkey')).toHaveCount(0);
  await owner.context().close();
});
