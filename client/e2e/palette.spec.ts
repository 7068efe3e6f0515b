import { signIn } from './accounts-steps.ts';
import { demoPassword, expect, expectAccessible, signedInAdviser, test } from './fixtures.ts';
import { buy } from './purchase-steps.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test('Ctrl K opens a tool, goes to a page and finds an invoice; on a phone it is in the menu', async ({ page }) => {
  await signedInAdviser(page);
  await buy(page, { toolId: 'risk-profile-ai' });
  await page.goto('/dashboard');
  // The heading stands in the server's page already, before any key is heard.
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Search and go' });
  const field = dialog.getByRole('combobox');
  const option = (name: string | RegExp) => dialog.getByRole('option', { name });

  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.keyboard.press('Control+k');
  await field.fill('open risk');
  await expect(option('Open Risk Profile AI')).toHaveAttribute('aria-selected', 'true');
  const opened = page.waitForEvent('popup');
  await page.keyboard.press('Enter');
  await expect((await opened).getByRole('heading', { level: 1 })).toHaveText('Welcome, Alex');

  await page.bringToFront();
  await page.keyboard.press('Control+k');
  await field.fill('$30.00');
  const file = page.waitForEvent('download');
  await option(/Risk Profile AI.*\$30\.00/).click();
  expect((await file).suggestedFilename()).toMatch(/\.pdf$/);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: /^Your menu:/ }).click();
  await page.getByRole('menuitem', { name: 'Search' }).click();
  await field.fill('password');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/profile?tab=security');
});

test('Ctrl K finds people, practices and tools for an administrator, though that part of it arrives late', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(404);
  await page.goto('/auth');
  await signIn(page, 'admin@demo.adviserly.example', demoPassword);
  await page.route('**/assets/palette-people-*.js', (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Search and go' });
  await dialog.getByRole('combobox').fill('unverified@');
  await expect(page.getByText("Part of this page hasn't loaded yet.")).toBeVisible();
  await page.unroute('**/assets/palette-people-*.js');
  const found = dialog.getByRole('option', { name: /unverified@demo\.adviserly\.example/ });
  await expect(found).toBeVisible();
  await expect(dialog.getByText('Nothing found')).toBeHidden();
  await dialog.getByRole('combobox').fill('unverified@demo');
  await expect(dialog.getByText('Nothing found')).toBeHidden();
  await found.click();
  await expect(page).toHaveURL(/\/admin\/users\/[\da-f-]{36}$/);

  for (const [typed, option, address] of [
    ['harbour', /^Harbour Advice/, /\/admin\/teams\/[\da-f-]{36}$/],
    ['admin file note', /^Admin: File Note AI/, /\/admin\/tools\/file-note-ai$/],
  ] as const) {
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await dialog.getByRole('combobox').fill(typed);
    // Other journeys make practices of that name, too.
    await dialog.getByRole('option', { name: option }).first().click();
    await expect(page).toHaveURL(address);
  }
});
