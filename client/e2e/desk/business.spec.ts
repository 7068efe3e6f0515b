import type { Page } from '@playwright/test';
import { anotherBrowser, expect, expectAccessible, post, signedInAdviser, signedInDemo, test } from '../fixtures.ts';
import { buy } from '../purchase-steps.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** An adviser made for this journey pays for a tool, as the subscribe screen does. */
async function adviserPaysFor(page: Page, toolId: string) {
  const other = await anotherBrowser(page);
  await signedInAdviser(other);
  await buy(other, { toolId });
  // Lets the sandbox's events arrive and the jobs run.
  await post(other, '/dev/clock', { advance: '1m' });
  await other.context().close();
}

test('the business: a purchase is counted, by tool and plan, with its table, its GST and its CSV', async ({ page }) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await adviserPaysFor(page, 'pre-fill-ai');
  await signedInDemo(page, 'admin');
  await page.goto('/admin/business');
  await expect(region(page, 'Gained and lost')).toContainText('New is a first paid month of a tool');
  await expect(region(page, 'By tool').getByRole('row', { name: /Pre-Fill AI/ })).not.toContainText('$0.00');
  await expectAccessible(page);

  await page.getByLabel('Tool', { exact: true }).selectOption({ label: 'Pre-Fill AI' });
  await expect(page).toHaveURL(/tool=pre-fill-ai/);
  await expect(region(page, 'By tool').getByRole('row')).toHaveCount(2);
  await page.getByText(/^More: revenue, retention/).click();
  const revenue = region(page, 'Revenue');
  const summary = revenue.getByText('Show the figures as a table');
  await summary.focus();
  await page.keyboard.press('Enter');
  const thisMonth = revenue.getByRole('row').nth(1);
  await expect(thisMonth).not.toContainText(/^\S+ \d{4}\$0\.00/);

  await page.getByLabel('Plan', { exact: true }).selectOption({ label: 'Team' });
  await expect(page.getByText('No figures yet')).toBeVisible();
  await page.goBack();
  await expect(region(page, 'GST by BAS quarter').getByRole('row', { name: /so far/ })).toContainText('$');

  await page.getByRole('button', { name: 'Earlier months' }).click();
  await expect(page).toHaveURL(/until=/);
  await expect(page.getByRole('button', { name: 'Later months' })).toBeEnabled();
  await page.getByRole('button', { name: 'Later months' }).click();
  await expect(page).not.toHaveURL(/until=/);

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download every month by tool and plan as CSV' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^adviserly-business-months-\d{4}-\d\d-\d\d\.csv$/);
});
