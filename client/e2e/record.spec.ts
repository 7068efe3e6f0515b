import { button, field, toast } from './accounts-steps.ts';
import { expect, expectAccessible, signedInAdviser, test } from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test('a session is stated, stands in the owner’s register, and a tool that is not allowed says so', async ({
  page,
  allowStatuses,
}) => {
  test.slow();
  page.setDefaultTimeout(30_000);
  allowStatuses(400, 403);
  await signedInAdviser(page, { firstName: 'Grace' });
  await page.goto('/teams');
  await field(page, 'Team name').fill('Harbour Advice');
  await button(page, 'Create team').click();
  await expect(toast(page, 'Team Created')).toBeVisible();
  await page.getByRole('tab', { name: 'Tools' }).click();
  await page.getByRole('link', { name: 'Subscribe to Risk Profile AI for the team' }).click();
  await page.getByRole('button', { name: /free trial/ }).click();
  await expect(page).toHaveURL('/dashboard');
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Risk Profile AI', exact: true }) });
  const opened = page.waitForEvent('popup');
  await card.getByRole('button', { name: 'Open Risk Profile AI' }).click();
  const tool = await opened;
  await tool.getByLabel('Client file number (optional)').fill('Jane Citizen');
  await tool.getByRole('button', { name: 'Finish session' }).click();
  await expect(tool.getByRole('alert')).toContainText('This looks like a name.');
  await tool.getByLabel('Client file number (optional)').fill('F-10234');
  await tool.getByRole('button', { name: 'Finish session' }).click();
  await expect(tool.getByText('Session reported')).toBeVisible();
  await tool.close();

  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  const line = page.getByRole('region', { name: 'Not yet reviewed' });
  await expect(line).toContainText(/^Did you review what Risk Profile AI wrote .+ for F-10234\?/);
  await expectAccessible(page);
  await line.getByRole('button', { name: /I reviewed the output/ }).click();
  await expect(line).toBeHidden();

  await page.goto('/record');
  const session = page.getByRole('listitem').filter({ hasText: 'Risk Profile AI' });
  await expect(session).toContainText('Reviewed');
  await expect(session).toContainText('F-10234');
  await session.getByRole('button', { name: /^Details/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Risk Profile AI' });
  await expect(dialog).toContainText('Version 2026.11 · Risk profile (from the tool) · F-10234 (from the tool)');
  await dialog.getByLabel('The output').selectOption('no');
  await dialog.getByLabel('Remark').fill('Wrong file');
  await dialog.getByLabel('Client reference').fill('Tom Smith');
  await dialog.getByRole('button', { name: 'Add to the record' }).click();
  await expect(dialog.getByText('This looks like a name.')).toBeVisible();
  await dialog.getByLabel('Client reference').fill('F-10235');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add to the record' }).click();
  await expect(dialog).toBeHidden();
  await expect(session).toContainText('Not checked');
  await expect(session).toContainText('Wrong file');
  await session.getByRole('button', { name: /^Details/ }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: 'To review only' }).check();
  await expect(page.getByText('No matching sessions')).toBeVisible();
  await expectAccessible(page);

  await page.goto('/teams');
  await page.getByRole('tab', { name: 'Record' }).click();
  const inInventory = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: /^Risk Profile AI/ }) });
  await expect(inInventory).toContainText('1 session');
  await expect(inInventory).toContainText('1 not checked');
  await page.getByRole('tab', { name: 'Sessions' }).click();
  await expect(page.getByText('Wrong file')).toBeVisible();
  await page.getByLabel('Person').selectOption({ index: 1 });
  await expect(page.getByText('Wrong file')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Register' }).click();
  const reviews = inInventory.getByRole('button', { name: 'Reviews of Risk Profile AI' });
  await expect(inInventory).toBeVisible();
  // It is open already where another journey has left something to decide.
  if (!(await reviews.isVisible())) await inInventory.getByRole('heading').click();
  await reviews.click();
  await field(page, 'What you found').fill('Compared with five files.');
  await button(page, 'Record the review').click();
  await expect(toast(page, 'Review recorded')).toBeVisible();
  await inInventory.getByRole('button', { name: "Don't allow Risk Profile AI" }).click();
  await page.getByLabel(/^Reason/).fill('Data location not stated.');
  await expectAccessible(page);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /allow Risk Profile AI$/ })
    .click();
  await expect(inInventory).toContainText('Not allowed');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Adviserly' }).first().click();
  await expect(card).toContainText('Not allowed by Harbour Advice. Data location not stated.');
  await expect(card.getByRole('button', { name: 'Open Risk Profile AI' })).toHaveCount(0);
  // A page that was open before may still try to launch or buy it; both are refused.
  const refused = await page.evaluate(async () => {
    const send = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return [answer.status, ((await answer.json()) as { code: string }).code];
    };
    const toolId = 'risk-profile-ai';
    return [await send('/api/auth/token', { toolId }), await send('/api/create-subscription', { toolId })];
  });
  expect(refused).toEqual([
    [403, 'tool_not_allowed'],
    [403, 'tool_not_allowed'],
  ]);
  await page.goto('/subscribe/risk-profile-ai');
  await expect(page.getByRole('heading', { name: 'Not allowed by your practice' })).toBeVisible();
  await expect(page.getByText('Harbour Advice doesn’t allow this tool.')).toBeVisible();
  await expect(page.getByRole('button', { name: /Subscribe|trial/ })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'What its maker says about it' }).click();
  await expect(page.getByText('The maker of this tool has not supplied anything yet.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Decide for Harbour Advice' }).click();
  await expect(inInventory).toContainText('Not allowed');
});
