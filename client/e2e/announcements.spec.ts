import { button } from './accounts-steps.ts';
import {
  anotherBrowser,
  businessDay,
  expect,
  expectAccessible,
  mailTo,
  originOf,
  post,
  signedInAdviser,
  signedInDemo,
  test,
} from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test('a change is announced with notice; the practice is told, sees what differs, and keeps allowing the tool', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(400);
  const [toolId, toolName] = ['risk-profile-ai', 'Risk Profile AI'];
  const { email } = await signedInAdviser(page, { firstName: 'Grace' });
  const { id: teamId } = (await post(page, '/api/teams', { name: 'Harbour Advice' })) as { id: string };
  await post(page, '/api/create-subscription', { toolId, teamId, trial: true });
  const inRecord = `/api/teams/${teamId}/record/tools/${toolId}`;
  await post(page, `${inRecord}/reviews`, { remark: 'Fit for us', nextDue: null });
  await page.request.put(inRecord, { data: { allowed: true }, headers: { origin: originOf(page) } });

  const admin = await anotherBrowser(page);
  await signedInDemo(admin, 'admin');
  await admin.goto(`/admin/tools/${toolId}`);
  await button(admin, 'Announce a change').click();
  const form = admin.getByRole('dialog', { name: 'Announce a change' });
  await form.getByLabel(/^Model/).fill('A model of our own, in Sydney');
  await form.getByLabel(/^What it means for advisers/).fill('Profiles become shorter.');
  await form.getByLabel(/^Day of the change/).fill(await businessDay(admin, 3));
  await form.getByRole('button', { name: 'Announce the change' }).click();
  await expect(form.getByText(/^Please give 14 days’ notice/)).toBeVisible();
  await expectAccessible(admin);
  await form.getByLabel(/^Day of the change/).fill(await businessDay(admin, 16));
  await form.getByRole('button', { name: 'Announce the change' }).click();
  await expect(form).toBeHidden();
  await expect(admin.getByRole('list', { name: 'Announced changes' })).toContainText('A model of our own, in Sydney');
  await admin.context().close();

  const { text } = await mailTo(page, email, /^Risk Profile AI will change/);
  expect(text).toContain('Model: A model of our own, in Sydney.');
  expect(text).toContain('Profiles become shorter.');
  await page.goto(`/teams?team=${teamId}&tab=record`);
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: toolName, exact: true }) });
  await expect(row).toContainText('Different from what you reviewed');
  await expect(row).toContainText('A model of our own, in Sydney (from ');
  await expect(row).toContainText('Change to decide on');
  await expectAccessible(page);
  await row.getByRole('button', { name: /^Keep allowing/ }).click();
  await expect(row.getByText('Change to decide on')).toBeHidden();
  await expect(row).toContainText('Different from what you reviewed');
  await page.goto(`/tools/${toolId}`);
  await expect(page.getByRole('region', { name: 'What will change' })).toContainText('Profiles become shorter.');
});
