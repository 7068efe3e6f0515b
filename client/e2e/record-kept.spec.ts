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
  post,
  signedInAdviser,
  strongPassword,
  test,
} from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

/** Makes a pack on the page that is open; downloads its CSV. */
async function packOf(page: Page) {
  for (const day of ['First day', 'Last day']) await page.getByLabel(day).fill('');
  await button(page, 'Make evidence pack').click();
  const link = page.getByRole('link', { name: /^Download CSV of/ }).first();
  await expect(link).toBeVisible({ timeout: 60_000 });
  const coming = page.waitForEvent('download');
  await link.click();
  const file = await coming;
  return { name: file.suggestedFilename(), mimeType: 'text/csv', buffer: fs.readFileSync(await file.path()) };
}

/** An owner with a practice that has a member, in a browser of their own. */
async function practice(page: Page) {
  await signedInAdviser(page, { firstName: 'Grace' });
  await page.goto('/teams');
  await field(page, 'Team name').fill('Harbour Advice');
  await button(page, 'Create team').click();
  await expect(toast(page, 'Team Created')).toBeVisible();
  const email = newAddress('jane');
  await field(page, 'Email').fill(email);
  await button(page, 'Send invitation').click();
  await expect(toast(page, 'Invitation Sent')).toBeVisible();
  const jane = await anotherBrowser(page);
  await signedInAdviser(jane, { firstName: 'Jane', email });
  await jane.goto(linkIn(await mailTo(page, email, /invites you to/), '/accept-invitation'));
  await button(jane, 'Accept invitation').click();
  await expect(heading(jane, 'Welcome to Harbour Advice')).toBeVisible();
  return jane;
}

/** Lists a tool from elsewhere on the practice's page. */
async function listTool(page: Page) {
  await page.goto('/teams?tab=record');
  await button(page, 'Add another AI tool').click();
  const dialog = page.getByRole('dialog', { name: 'Add another AI tool' });
  await dialog.getByLabel('Name').fill('ChatGPT Team');
  await dialog.getByLabel('What it is used for').fill('Drafts of letters');
  await dialog.getByLabel('Which data may go in').fill('Nothing about clients');
  await dialog.getByLabel('Responsible').selectOption({ index: 1 });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add the tool' }).click();
  await expect(toast(page, 'ChatGPT Team listed')).toBeVisible();
}

/** Records a session with it. */
async function recordByHand(page: Page, { reference, days = 0 }: { reference: string; days?: number }) {
  await page.goto('/record');
  await button(page, 'Record a session by hand').click();
  const dialog = page.getByRole('dialog', { name: 'Record a session by hand' });
  await expect(dialog.getByText('What may go in: Nothing about clients')).toBeVisible();
  const when = dialog.getByLabel('When');
  if (days > 0) {
    const at = new Date(`${await when.inputValue()}Z`);
    at.setUTCDate(at.getUTCDate() - days);
    await when.fill(at.toISOString().slice(0, 16));
  }
  await dialog.getByLabel('The output').selectOption('yes');
  await dialog.getByLabel('Figures').check();
  await dialog.getByLabel('Purpose').selectOption('client_letter');
  await dialog.getByLabel('Client reference').fill(reference);
  return dialog;
}

test('a session outside is recorded; a TFN is refused, a name redacted, a late one marked, and the pack verifies', async ({
  page,
  allowStatuses,
}) => {
  test.slow();
  page.setDefaultTimeout(30_000);
  allowStatuses(400);
  const jane = await practice(page);
  await listTool(page);

  const dialog = await recordByHand(jane, { reference: 'F-20771' });
  await dialog.getByLabel('Remark').fill('Met Aurelia, TFN 123 456 782');
  await dialog.getByRole('button', { name: 'Add to the record' }).click();
  await expect(dialog.getByText(/There seems to be a tax file number in it/)).toBeVisible();
  await dialog.getByLabel('Remark').fill('Met Aurelia');
  await expectAccessible(jane);
  await dialog.getByRole('button', { name: 'Add to the record' }).click();
  await expect(dialog).toBeHidden();
  const late = await recordByHand(jane, { reference: 'F-20772', days: 9 });
  await late.getByRole('button', { name: 'Add to the record' }).click();
  await expect(jane.getByRole('listitem').filter({ hasText: 'F-20772' })).toContainText('Late');
  await expect(jane.getByRole('listitem').filter({ hasText: 'F-20771' })).toContainText('Reviewed');
  await expectAccessible(jane);

  // A name slipped through: the owner takes it out, and signs both sessions off.
  await page.goto('/teams?tab=record&part=sessions');
  const session = page.getByRole('listitem').filter({ hasText: 'F-20771' });
  await expect(session).toContainText('Met Aurelia');
  await session.getByRole('button', { name: /^Details/ }).click();
  await button(page, 'Redact…').click();
  await page.getByLabel('Reason').fill('A client is named');
  await button(page, 'Redact').click();
  await expect(page.getByText(/^Redacted .*: A client is named$/)).toBeVisible();
  await expect(page.getByLabel('Reason')).toBeHidden();
  await page.keyboard.press('Escape');
  await button(page, 'Draw a sample of 10').click();
  await expect(page.getByText(/^2 drawn at random from 2 sessions, /)).toBeVisible();
  // A sample stays in the address.
  await page.reload();
  await expect(page.getByText(/^2 drawn at random from 2 sessions, /)).toBeVisible();
  await button(page, 'Choose all 2 on this page').click();
  await button(page, 'Sign off these 2').click();
  await page.getByLabel('What you found').fill('Compared with the file.');
  await expectAccessible(page);
  await button(page, 'Sign off').click();
  await expect(toast(page, '2 sessions signed off')).toBeVisible();
  await expect(page.getByText('Signed off', { exact: true })).toHaveCount(2);
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Evidence packs' }).click();
  const csv = await packOf(page);
  const text = csv.buffer.toString();
  for (const words of [
    'redacted on',
    /\[late: made \d+ days after the session began\]/,
    'What was checked: Figures.',
    'Accountable: ',
    /One of 2 that Adviserly drew at random from 2 sessions on \d+ \w+ \d{4}\. “Compared with the file\.”/,
  ])
    expect(text).toMatch(words);
  expect(text).not.toContain('Aurelia');
  await page.goto('/record/verify');
  await page.getByLabel('Pack files').last().setInputFiles(csv);
  await expect(page.getByText('As we issued it')).toBeVisible();
  await jane.context().close();
});

test('a member leaves and closes her account, and the practice’s pack of next year still names her', async ({
  page,
}) => {
  test.slow();
  page.setDefaultTimeout(30_000);
  const jane = await practice(page);
  await listTool(page);
  const dialog = await recordByHand(jane, { reference: 'F-30881' });
  await dialog.getByRole('button', { name: 'Add to the record' }).click();
  await expect(dialog).toBeHidden();

  await page.goto('/teams');
  await page.getByRole('button', { name: /^Remove Jane/ }).click();
  await button(page, 'Remove member').click();
  await expect(toast(page, 'Member Removed')).toBeVisible();
  await jane.goto('/profile?tab=security');
  await button(jane, 'Close account…').click();
  await expect(jane.getByText('Harbour Advice keeps one session with one review of yours')).toBeVisible();
  await expect(jane.getByText(/A licensee may have to keep them for seven years/)).toBeVisible();
  await expect(jane.getByRole('dialog').getByRole('link', { name: 'make an evidence pack' })).toBeVisible();
  await jane.getByLabel('Your password').fill(strongPassword);
  await jane.getByRole('button', { name: /^Close account/ }).click();
  await expect(toast(jane, 'Account Closed')).toBeVisible();
  await jane.context().close();

  await post(page, '/dev/clock', { advance: '370d' });
  await page.goto('/teams?tab=record&part=sessions');
  await expect(page.getByRole('listitem').filter({ hasText: 'F-30881' })).toContainText('Jane');
  await page.getByRole('link', { name: 'Evidence packs' }).click();
  expect((await packOf(page)).buffer.toString()).toMatch(/Person,.*Jane .*left it on/);
});
