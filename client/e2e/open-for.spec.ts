import type { Page } from '@playwright/test';
import { signIn } from './accounts-steps.ts';
import { expect, expectAccessible, post, signedInAdviser, strongPassword, test } from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const toolName = 'File Note AI';
const link = '/open/file-note-ai#ref=F-10225&purpose=file_note';
const reference = (page: Page) => page.getByRole('textbox', { name: /Your file number for the client/ });
const opener = (page: Page) => page.getByRole('button', { name: `Open ${toolName}`, exact: true });

/** Presses, and finishes the session in the tool that opens for that file. */
const workOn = async (page: Page, file: string, press: () => Promise<void>) => {
  const opened = page.waitForEvent('popup');
  await press();
  const tool = await opened;
  await expect(tool.getByText(file, { exact: true })).toBeVisible();
  await expect(tool.getByLabel('Client file number (optional)')).toHaveValue(file);
  await tool.getByRole('button', { name: 'Finish session' }).click();
  await expect(tool.getByText('Session reported')).toBeVisible();
  await tool.close();
  await page.bringToFront();
};

test('planning software’s link opens the tool for a file, through a sign-in, and the record needs no statement of it', async ({
  page,
  allowStatuses,
}) => {
  test.slow();
  allowStatuses(400, 401);
  const { email } = await signedInAdviser(page);
  await post(page, '/api/create-subscription', { toolId: 'file-note-ai', trial: true });
  await post(page, '/api/logout', {});
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url(), request.postData() ?? ''));
  await page.goto(link);
  await page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).click();
  await signIn(page, email, strongPassword);
  await expect(page).toHaveURL('/open/file-note-ai');
  await expect(reference(page)).toHaveValue('F-10225');
  await expect(page.getByLabel('Purpose')).toHaveValue('file_note');
  // Until the press, no server has heard of the file.
  expect(asked.join(' ')).not.toContain('10225');
  await expectAccessible(page);
  await workOn(page, 'F-10225', () => opener(page).click());

  await page.goto('/record');
  const session = page.getByRole('listitem').filter({ hasText: toolName });
  await session.getByRole('button', { name: /^Details/ }).click();
  await expect(page.getByRole('dialog')).toContainText(/File note\s· F-10225/);
  await expect(page.getByRole('dialog')).not.toContainText('from the tool');

  // Another link in the same tab, and one that names a person.
  await page.goto('/open/file-note-ai#ref=Jane%20Citizen');
  await expect(reference(page)).toHaveValue('Jane Citizen');
  await opener(page).click();
  await expect(page.getByText('This looks like a name.')).toBeVisible();
});

test('a tool opens for a client from its card and the palette, and recent files are offered', async ({ page }) => {
  test.slow();
  await signedInAdviser(page);
  await post(page, '/api/create-subscription', { toolId: 'file-note-ai', trial: true });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: `More about ${toolName}` }).click();
  await page.getByRole('menuitem', { name: 'Open for a client' }).click();
  const dialog = page.getByRole('dialog', { name: `Open ${toolName} for a client` });
  await reference(page).fill('F-7');
  await page.getByLabel('Purpose').selectOption('research');
  await expectAccessible(page);
  await workOn(page, 'F-7', () => opener(page).click());
  await expect(dialog).toBeHidden();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('note for a client');
  await page.getByRole('option', { name: `${toolName} for a client` }).click();
  await dialog.getByRole('button', { name: 'F-7' }).click();
  await expect(page.getByLabel('Purpose')).toHaveValue('research');
  await workOn(page, 'F-7', () => opener(page).click());
});

test('a practice asks for a file number and a purpose at each launch', async ({ page, allowStatuses }) => {
  test.slow();
  allowStatuses(400);
  await signedInAdviser(page);
  const { id: teamId } = (await post(page, '/api/teams', { name: 'Harbour Advice' })) as { id: string };
  await post(page, '/api/create-subscription', { toolId: 'file-note-ai', trial: true, teamId });
  await page.goto(`/teams?team=${teamId}&tab=record&part=rules`);
  await page.getByRole('checkbox', { name: /for a client only/ }).check();
  await page.getByRole('form', { name: 'Rules of the record' }).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('region').getByText('Rules saved')).toBeVisible();

  await page.goto('/dashboard');
  await page.getByRole('button', { name: `Open ${toolName} in a new window` }).click();
  await opener(page).click();
  await expect(page.getByText('Please enter your file number')).toBeVisible();
  await expect(page.getByText('Please choose a purpose')).toBeVisible();
  await reference(page).fill('F-8');
  await page.getByLabel('Purpose').selectOption('research');
  await workOn(page, 'F-8', () => opener(page).click());
});
