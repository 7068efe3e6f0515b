import fs from 'node:fs';
import type { Page } from '@playwright/test';
import { button, field, heading, toast } from './accounts-steps.ts';
import {
  anotherBrowser,
  expect,
  expectAccessible,
  linkIn,
  mailTo,
  newAddress,
  originOf,
  post,
  signedInAdviser,
  signedInDemo,
  test,
} from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

/** Makes a pack on the page that is open; returns its CSV. */
async function packOf(page: Page): Promise<string> {
  for (const day of ['First day', 'Last day']) await page.getByLabel(day).fill('');
  await button(page, 'Make evidence pack').click();
  const link = page.getByRole('link', { name: /^Download CSV of/ });
  await expect(link).toBeVisible({ timeout: 60_000 });
  const coming = page.waitForEvent('download');
  await link.click();
  return fs.readFileSync(await (await coming).path(), 'utf8');
}

test('a member leaves with a copy of their record, and the practice keeps its own', async ({ page }) => {
  test.slow();
  page.setDefaultTimeout(30_000);
  await signedInAdviser(page, { firstName: 'Grace' });
  await page.goto('/teams');
  await field(page, 'Team name').fill('Harbour Advice');
  await button(page, 'Create team').click();
  await expect(toast(page, 'Team Created')).toBeVisible();
  await page.getByRole('tab', { name: 'Tools' }).click();
  await page.getByRole('link', { name: 'Subscribe to Risk Profile AI for the team' }).click();
  await page.getByRole('button', { name: /free trial/ }).click();
  await expect(page).toHaveURL('/dashboard');
  await page.goto('/teams');
  const email = newAddress('jane');
  await field(page, 'Email').fill(email);
  await button(page, 'Send invitation').click();
  await expect(toast(page, 'Invitation Sent')).toBeVisible();

  const jane = await anotherBrowser(page);
  await signedInAdviser(jane, { firstName: 'Jane', email });
  await jane.goto(linkIn(await mailTo(page, email, /invites you to/), '/accept-invitation'));
  await button(jane, 'Accept invitation').click();
  await expect(heading(jane, 'Welcome to Harbour Advice')).toBeVisible();
  await jane.goto('/dashboard');
  const opened = jane.waitForEvent('popup');
  await jane.getByRole('button', { name: 'Open Risk Profile AI' }).click();
  const tool = await opened;
  await tool.getByLabel('Client file number (optional)').fill('F-20771');
  await tool.getByRole('button', { name: 'Finish session' }).click();
  await expect(tool.getByText('Session reported')).toBeVisible();
  await tool.close();
  await jane.goto('/record');
  await jane.getByRole('button', { name: /^I reviewed the output: Risk Profile AI/ }).click();
  await expect(jane.getByText('Reviewed', { exact: true })).toBeVisible();

  await page.goto('/teams');
  await page.getByRole('button', { name: /^Remove Jane/ }).click();
  await button(page, 'Remove member').click();
  await expect(toast(page, 'Member Removed')).toBeVisible();

  // She keeps her register and a pack of it, which the practice does not see.
  await jane.goto('/record');
  await expect(jane.getByRole('listitem').filter({ hasText: 'F-20771' })).toBeVisible();
  await jane.getByRole('link', { name: 'Evidence packs' }).click();
  const hers = await packOf(jane);
  expect(hers).toContain('F-20771');
  await expectAccessible(jane);

  await page.goto('/teams?tab=record&part=sessions');
  await expect(page.getByRole('listitem').filter({ hasText: 'F-20771' })).toContainText('Jane');
  await page.getByRole('link', { name: 'Evidence packs' }).click();
  await expect(page.getByText('No evidence packs yet')).toBeVisible();
  const ofPractice = await packOf(page);
  expect(ofPractice).toContain('F-20771');
  expect(ofPractice).toMatch(/Person,.*Jane .*left it on/);
  const headOf = (csv: string) => csv.trimEnd().slice(-64);
  expect(headOf(hers)).not.toBe(headOf(ofPractice));

  // The tool reported the file number, and no review says it: the owner takes it out all the same.
  await page.goto('/teams?tab=record&part=sessions');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'F-20771' })
    .getByRole('button', { name: /^Details/ })
    .click();
  const details = page.getByRole('dialog', { name: 'Risk Profile AI' });
  await expect(details).toContainText('Client reference: F-20771');
  await button(page, 'Redact…').click();
  await page.getByLabel('Reason').fill('A client is named');
  await expectAccessible(page);
  await button(page, 'Redact').click();
  await expect(details.getByText(/^Redacted .*: A client is named$/)).toBeVisible();
  await expect(page.getByText('F-20771')).toHaveCount(0);

  // She hears of it by email.
  await page.goto('/dashboard');
  await mailTo(page, email, /Your evidence pack is ready/);
  await jane.context().close();
});

test('an administrator redacts a review of a tool of a closed practice, and releases what it holds', async ({
  page,
}) => {
  await signedInAdviser(page, { firstName: 'Grace' });
  const { id } = await post(page, '/api/teams', { name: 'Closing Advice' });
  const record = `/api/teams/${String(id)}/record`;
  await post(page, `${record}/tools/risk-profile-ai/reviews`, { remark: 'Aurelia’s was wrong', nextDue: null });
  await post(page, `${record}/holds`, { clientReference: 'F-20881', reason: 'A complaint at AFCA' });
  const closing = { data: {}, headers: { origin: originOf(page) } };
  expect((await page.request.delete(`/api/teams/${String(id)}`, closing)).ok()).toBe(true);

  const admin = await anotherBrowser(page);
  await signedInDemo(admin, 'admin');
  await admin.goto(`/admin/teams/${String(id)}`);
  const panel = admin.getByRole('region', { name: 'Record of AI use' });
  await panel.getByText('Reviews of tools: 1').click();
  await panel.getByText('Legal holds: 1').click();
  await expect(panel).toContainText('Risk Profile AI reviewed by Grace');
  await expectAccessible(admin);
  await button(admin, 'Redact…').click();
  await field(admin, 'Reason').fill('A client is named');
  await button(admin, 'Redact').click();
  await expect(panel.getByText(/^Redacted .* by Adviserly, for the closed practice: A client is named$/)).toBeVisible();
  await expect(panel.getByText('Aurelia')).toHaveCount(0);
  await button(admin, 'Release F-20881…').click();
  await field(admin, 'Reason').fill('The complaint is settled');
  await expectAccessible(admin);
  await button(admin, 'Release').click();
  await expect(toast(admin, 'Client reference released')).toBeVisible();
  await expect(panel.getByText('Legal holds: 0')).toBeVisible();
  await admin.context().close();
});
