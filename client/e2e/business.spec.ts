import type { Page } from '@playwright/test';
import { expect, expectAccessible, signedInAdviser, test } from './fixtures.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const post = async (page: Page, path: string, data: object) => {
  const answer = await page.request.post(path, { data, headers: { origin: new URL(page.url()).origin } });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  return answer;
};

/** An adviser of this journey pays for a tool, as the subscribe screen does. */
async function adviserPaysFor(page: Page, toolId: string) {
  const context = await page.context().browser()!.newContext();
  const other = await context.newPage();
  await other.goto('/privacy');
  await signedInAdviser(other);
  const made = await post(other, '/api/create-subscription', { toolId });
  const { clientSecret } = (await made.json()) as { clientSecret: string };
  const { publishableKey, apiBase } = (await (await other.request.get('/api/billing/config')).json()) as {
    publishableKey: string;
    apiBase: string;
  };
  await other.request.post(`${apiBase}/v1/payment_intents/${clientSecret.split('_secret_')[0]}/confirm`, {
    form: { key: publishableKey, client_secret: clientSecret, payment_method: 'pm_card_visa' },
  });
  await post(other, `/api/subscriptions/${toolId}/sync`, {});
  // The sandbox's events arrive, and the jobs run.
  await post(other, '/dev/clock', { advance: '1m' });
  await context.close();
}

test('the business: a purchase is counted, by tool and plan, with its table, its GST and its CSV', async ({ page }) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/privacy');
  await adviserPaysFor(page, 'pre-fill-ai');
  await post(page, '/api/login', { email: 'admin@demo.adviserly.example', password: 'Demo-Adviser-2026' });
  await page.goto('/admin?tab=business');
  await expect(region(page, 'Gained and lost')).toContainText('New is a first paid month of a tool');
  await expect(region(page, 'By tool').getByRole('row', { name: /Pre-Fill AI/ })).not.toContainText('$0.00');
  await expectAccessible(page);

  await page.getByLabel('Tool', { exact: true }).selectOption({ label: 'Pre-Fill AI' });
  await expect(page).toHaveURL(/tool=pre-fill-ai/);
  await expect(region(page, 'By tool').getByRole('row')).toHaveCount(2);
  const revenue = region(page, 'Revenue');
  const summary = revenue.getByText('Show the figures as a table');
  await summary.focus();
  await page.keyboard.press('Enter');
  const thisMonth = revenue.getByRole('row').nth(1);
  await expect(thisMonth).not.toContainText(/^\S+ \d{4}\$0\.00/);
  await expect(revenue.getByRole('row')).toHaveCount(13);

  await page.getByLabel('Plan', { exact: true }).selectOption({ label: 'Team' });
  await expect(page.getByText('No figures yet')).toBeVisible();
  await page.goBack();
  await expect(region(page, 'GST by BAS quarter').getByRole('row', { name: /so far/ })).toContainText('$');

  await page.getByRole('button', { name: 'Earlier months' }).click();
  await expect(page).toHaveURL(/until=/);
  await expect(page.getByRole('button', { name: 'Later months' })).toBeVisible();
  await page.getByRole('button', { name: 'Later months' }).click();
  await expect(page).not.toHaveURL(/until=/);

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download every month by tool and plan as CSV' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^adviserly-business-months-\d{4}-\d\d-\d\d\.csv$/);
});
