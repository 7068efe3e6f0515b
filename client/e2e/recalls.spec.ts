import type { Page } from '@playwright/test';
import { button, toast } from './accounts-steps.ts';
import {
  anotherBrowser,
  expect,
  expectAccessible,
  mailTo,
  post,
  signedInAdviser,
  signedInDemo,
  test,
} from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const toolName = 'Share Advice AI';

const workFor = async (page: Page, file: string) => {
  await page.goto(`/open/share-advice-ai#ref=${file}&purpose=advice_document`);
  const opened = page.waitForEvent('popup');
  await button(page, `Open ${toolName}`).click();
  const tool = await opened;
  await tool.getByRole('button', { name: 'Finish session' }).click();
  await expect(tool.getByText('Session reported')).toBeVisible();
  await tool.close();
};

test('an administrator recalls a tool; the adviser is told, looks again, and takes a pack of it', async ({
  page,
  allowStatuses,
}) => {
  test.slow();
  page.setDefaultTimeout(30_000);
  allowStatuses(401, 403);
  const { email } = await signedInAdviser(page);
  await post(page, '/api/create-subscription', { toolId: 'share-advice-ai', trial: true });
  for (const file of ['F-31', 'F-32', 'F-32']) await workFor(page, file);

  const admin = await anotherBrowser(page);
  await signedInDemo(admin, 'admin');
  await admin.goto('/admin/tools/share-advice-ai?tab=versions');
  await button(admin, 'Open a recall').click();
  const form = admin.getByRole('dialog', { name: 'Open a recall' });
  await form.getByLabel(/^2026\.11/).check();
  await form.getByLabel('What may be wrong').fill('It took yesterday’s prices.');
  await form.getByLabel('What to look for').fill('Advice that names a price.');
  await expectAccessible(admin);
  await button(admin, 'Open the recall').click();
  await expect(toast(admin, 'Saved')).toBeVisible();
  await expect(admin.getByRole('listitem').filter({ hasText: 'yesterday’s prices' })).toContainText('Open');
  await admin.context().close();

  const mail = await mailTo(page, email, /please look at 3 sessions again/);
  expect(mail.text).toContain('3 sessions for 2 client files');
  await page.goto('/record');
  await expect(page.getByText('3 sessions to look at again')).toBeVisible();
  await page.getByRole('link', { name: 'See recalls' }).click();
  const sessions = page.getByRole('list', { name: `Sessions that the recall of ${toolName} touches` });
  await expect(sessions.getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page);
  const row = (file: string) => sessions.getByRole('listitem').filter({ hasText: file });
  await row('F-31')
    .getByRole('button', { name: /^Nothing wrong/ })
    .click();
  await expect(row('F-31').getByText('Nothing wrong', { exact: true })).toBeVisible();
  await row('F-32')
    .first()
    .getByRole('button', { name: /^Say more/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'What did you find?' });
  await dialog.getByLabel('Sessions').selectOption({ label: 'Every session for F-32 in this recall' });
  await dialog.getByLabel('You found', { exact: true }).selectOption({ label: 'Something was wrong' });
  await dialog.getByLabel(/^Remark/).fill('Written anew');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add to the record' }).click();
  await expect(row('F-32').getByText('Something was wrong')).toHaveCount(2);
  await expect(page.getByText('3 sessions looked at again')).toBeVisible();
  await page.getByRole('button', { name: `Make an evidence pack of the recall of ${toolName}` }).click();
  await expect(page).toHaveURL('/record/packs');
  await expect(page.getByText(/recall [0-9a-f]{8}/).first()).toBeVisible();
});
