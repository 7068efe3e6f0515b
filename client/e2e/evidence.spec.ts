import fs from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, signedInAdviser, test } from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const download = async (page: Page, kind: string) => {
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: new RegExp(`^Download ${kind} of`) }).click();
  const file = await coming;
  return { name: file.suggestedFilename(), mimeType: 'text/plain', buffer: fs.readFileSync(await file.path()) };
};

test('session, statement, evidence pack, verified; a changed byte is found in its line', async ({ page }) => {
  test.slow();
  await signedInAdviser(page);
  await page.goto('/subscribe/risk-profile-ai');
  await page.getByRole('button', { name: 'Start 30-day free trial' }).click();
  await expect(page).toHaveURL('/dashboard');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open Risk Profile AI' }).click();
  const tool = await opened;
  await tool.getByRole('button', { name: 'Finish session' }).click();
  await expect(tool.getByText('Session reported')).toBeVisible();
  await tool.close();

  await page.goto('/record');
  await page.getByRole('button', { name: /^I reviewed the output: Risk Profile AI/ }).click();
  await expect(page.getByText('Reviewed', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Evidence packs' }).click();
  await expect(page.getByText('No evidence packs yet')).toBeVisible();
  await expectAccessible(page);
  for (const day of ['First day', 'Last day']) await page.getByLabel(day).fill('');
  await page.getByRole('button', { name: 'Make evidence pack' }).click();
  await expect(page.getByRole('link', { name: /^Download PDF of/ })).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  const files = [await download(page, 'CSV'), await download(page, 'PDF'), await download(page, 'Manifest')];

  await page.getByRole('link', { name: 'Verify a pack' }).click();
  await page.getByLabel('Pack files').last().setInputFiles(files);
  await expect(page.getByText('As we issued it')).toHaveCount(2);
  await expect(page.getByText('Names a pack we issued')).toBeVisible();
  await expectAccessible(page);
  const csv = files[0]!;
  const changed = Buffer.from(csv.buffer.toString().replace('Risk Profile AI', 'Disk Profile AI'));
  await page
    .getByLabel('Pack files')
    .last()
    .setInputFiles({ ...csv, buffer: changed });
  await expect(page.getByText('Line 4 was changed.')).toBeVisible();
  await expect(page.getByText('As we issued it')).toHaveCount(0);
  await expectAccessible(page);
});

test('a file that is chosen before the page’s code has come is read once it has', async ({ page }) => {
  const waiting: (() => void)[] = [];
  let held = true;
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    if (held) await new Promise<void>((resolve) => waiting.push(resolve));
    await route.continue();
  });
  await page.goto('/record/verify', { waitUntil: 'commit' });
  await page
    .getByLabel('Pack files')
    .last()
    .setInputFiles({ name: 'notes.csv', mimeType: 'text/csv', buffer: Buffer.from('not,a,pack') });
  await expect(page.getByText('Not a pack', { exact: true })).toBeHidden();
  held = false;
  for (const go of waiting) go();
  await expect(page.getByText('Not a pack', { exact: true })).toBeVisible();
});
