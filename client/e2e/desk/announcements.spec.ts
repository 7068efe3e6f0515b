import { button } from '../accounts-steps.ts';
import { supplierAnswers } from '../../../server/testing/publishable.ts';
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
} from '../fixtures.ts';

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
  await admin.goto(`/admin/tools/${toolId}?tab=versions`);
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

test('new answers of a maker stand against those that the practice reviewed, with a paragraph for its own policy', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const [toolId, toolName] = ['pre-fill-ai', 'Pre-Fill AI'];
  const admin = await anotherBrowser(page);
  await signedInDemo(admin, 'admin');
  const token = (await (await admin.request.get('/api/admin/csrf-token')).json()) as { csrfToken: string };
  const answers = { ...supplierAnswers, _csrf: token.csrfToken };
  const { version: reviewed } = await post(admin, `/api/admin/tools/${toolId}/disclosure`, answers);
  await signedInAdviser(page, { firstName: 'Grace' });
  const { id: teamId } = (await post(page, '/api/teams', { name: 'Harbour Advice' })) as { id: string };
  const inRecord = `/api/teams/${teamId}/record/tools/${toolId}`;
  await post(page, `${inRecord}/reviews`, { remark: 'Fit for us', nextDue: null });

  await admin.goto(`/admin/tools/${toolId}?tab=due-diligence`);
  const form = admin.getByRole('form', { name: 'Due diligence' });
  await form.getByLabel(/^How long data is kept/).fill('A week, then deleted');
  await form.getByLabel('Recordings').check();
  await button(admin, 'Add a sub-processor').click();
  await form.getByLabel('Company 1').fill('Model Host');
  await form.getByLabel('Purpose 1').fill('language model');
  await button(admin, 'Publish this version').click();
  await expect(form.getByText('Please give each sub-processor a name, a country and a purpose')).toBeVisible();
  await form.getByLabel('Country 1').fill('Singapore');
  await expectAccessible(admin);
  await button(admin, 'Publish this version').click();
  await expect(admin.getByText(`Version ${Number(reviewed) + 1} is on the tool's page`).first()).toBeVisible();
  await admin.context().close();

  await page.goto(`/teams?team=${teamId}&tab=record`);
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: toolName, exact: true }) });
  await expect(row).toContainText('Sub-processors: None → Model Host, Singapore: language model');
  await row.getByRole('heading', { name: toolName }).click();
  await row.getByRole('link', { name: '2 other answers' }).click();
  await expect(page).toHaveURL(`/tools/${toolId}?since=${String(reviewed)}`);
  const changes = page.getByRole('region', { name: /^What changed from version/ });
  await expect(changes.getByRole('term')).toHaveText([
    'What the maker stores',
    'How long data is kept, and how it is deleted',
    'Sub-processors',
  ]);
  await expect(changes).toContainText('Before: A day, then deletedNow: A week, then deleted');
  await expectAccessible(page);
  await button(page, 'Copy the paragraph').click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`We use ${toolName}, an artificial intelligence tool supplied by Fee Finder Pty Ltd.`);
  expect(copied).toContain('The supplier stores documents and recordings.');
  expect(copied).toContain('What we enter also goes to Model Host (Singapore; language model).');
});
