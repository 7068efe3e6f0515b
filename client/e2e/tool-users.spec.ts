import type { Page } from '@playwright/test';
import { button, toast } from './accounts-steps.ts';
import {
  anotherBrowser,
  expect,
  expectAccessible,
  mailTo,
  newAddress,
  post,
  signedInAdviser,
  test,
} from './fixtures.ts';
import { buy } from './purchase-steps.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const toolId = 'risk-profile-ai';
const card = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Risk Profile AI', exact: true }) });

/** A practice that pays for the tool for its owner and two others; answers the browser and address of one of them. */
async function practice(page: Page) {
  await signedInAdviser(page, { firstName: 'Grace' });
  const { id: teamId } = (await post(page, '/api/teams', { name: 'Harbour Advice' })) as { id: string };
  const mei = { browser: await anotherBrowser(page), email: newAddress('mei') };
  for (const [firstName, browser, email] of [
    ['Mei', mei.browser, mei.email],
    ['Jane', await anotherBrowser(page), newAddress('jane')],
  ] as const) {
    await signedInAdviser(browser, { firstName, email });
    const { inviteUrl } = (await post(page, `/api/teams/${teamId}/invite`, { email })) as { inviteUrl: string };
    await post(browser, `/api/invitations/${new URL(inviteUrl).searchParams.get('token')}/accept`, {});
  }
  await buy(page, { toolId, teamId });
  return { teamId, mei };
}

test('a tool for one of three is billed for one; another asks for it, and the owner chooses them', async ({ page }) => {
  test.slow();
  const { mei } = await practice(page);
  await mei.browser.goto('/dashboard');
  await expect(card(mei.browser).getByRole('button', { name: 'Open Risk Profile AI' })).toBeVisible();

  await page.goto('/teams?tab=tools');
  const held = page.getByRole('list', { name: 'The practice’s tools' });
  await expect(held).toContainText('Everybody ·');
  await expect(held).toContainText('$90.00/month for 3 members');
  await button(page, 'Choose who uses Risk Profile AI').click();
  const dialog = page.getByRole('dialog');
  const everybody = dialog.getByRole('checkbox', { name: 'Everybody in the practice, and whoever joins' });
  await expect(dialog.getByRole('checkbox', { name: /^Mei Nguyen/ })).toBeChecked();
  await expect(button(page, 'Save')).toBeDisabled();
  await everybody.uncheck();
  for (const name of [/^Grace Nguyen/, /^Mei Nguyen/, /^Jane Nguyen/])
    await dialog.getByRole('checkbox', { name }).uncheck();
  await expect(dialog).toContainText('Please choose somebody.');
  await expect(button(page, 'Save')).toBeDisabled();
  await dialog.getByRole('checkbox', { name: /^Jane Nguyen/ }).check();
  await expect(dialog).toContainText('−$60.00 a month from');
  await expect(dialog).toContainText('Not used in the last 30 days');
  await expectAccessible(page);
  await button(page, 'Save').click();
  await expect(toast(page, 'Saved')).toBeVisible();
  await expect(held).toContainText('1 of 3 people: Jane Nguyen');
  await expect(held).toContainText('$90.00 this month, $30.00/month from');

  await mailTo(page, mei.email, /You can no longer open Risk Profile AI/);
  await mei.browser.reload();
  await expect(card(mei.browser).getByRole('link', { name: /^Subscribe • .*: Risk Profile AI/ })).toBeVisible();
  await button(mei.browser, 'Ask Harbour Advice for Risk Profile AI').click();
  await mei.browser.getByRole('dialog').getByRole('textbox').fill('For annual reviews.');
  await mei.browser.getByRole('dialog').getByRole('button', { name: /^Ask/ }).click();
  await expect(card(mei.browser)).toContainText('You asked Harbour Advice for it');

  await page.getByRole('tab', { name: 'Record' }).click();
  await expect(page.getByRole('list', { name: 'Asked for' })).toContainText('One more member costs $30.00 a month.');
  await page.getByRole('link', { name: 'Choose who uses Risk Profile AI' }).click();
  await button(page, 'Choose who uses Risk Profile AI').click();
  await dialog.getByRole('checkbox', { name: /^Mei Nguyen/ }).check();
  await expect(dialog).toContainText('+$30.00 a month from');
  await button(page, 'Save').click();
  await expect(held).toContainText('2 of 3 people: Jane Nguyen and Mei Nguyen');
  await mailTo(page, mei.email, /You can now open Risk Profile AI/);
  await mei.browser.reload();
  await expect(card(mei.browser).getByRole('button', { name: 'Open Risk Profile AI' })).toBeVisible();
});
