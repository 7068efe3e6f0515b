import { button, described, field, heading, toast } from './accounts-steps.ts';
import { expect, expectAccessible, linkIn, mailTo, newAddress, signedInAdviser, test } from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test('Change of email: confirmed at the new address, undone from the old, which chooses a new password', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(400, 401);
  const { email } = await signedInAdviser(page);
  const next = newAddress('moved');
  await page.goto('/profile?tab=security');
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
  await expect(heading(page, 'The change was undone')).toBeVisible();
  await page.goto(linkIn(await mailTo(page, email, /Reset your/), '/reset-password'));
  await field(page, 'New password').fill('Another-Horse-8');
  await field(page, 'Confirm new password').fill('Another-Horse-8');
  await page.getByRole('button', { name: /^(Reset|Set|Change|Save)/ }).click();
  await expect(heading(page, 'Password reset')).toBeVisible();
});
