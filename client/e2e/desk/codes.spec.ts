import type { Page } from '@playwright/test';
import { button } from '../accounts-steps.ts';
import {
  anotherBrowser,
  businessDay,
  expect,
  expectAccessible,
  mailTo,
  post,
  signedInAdviser,
  signedInDemo,
  test,
} from '../fixtures.ts';
import { enterCard } from '../purchase-steps.ts';

// It moves the clock by months.
test.use({ apart: 'codes' });
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const enter = async (page: Page, code: string) => {
  const field = page.getByLabel('Discount code', { exact: true });
  if (!(await field.isVisible())) await page.getByText('Have a discount code?').click();
  await field.fill(code);
  await field.press('Enter');
};

test('an administrator makes and ends a discount code; an adviser redeems it once, and is charged for its months', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(400);
  test.slow();
  await signedInDemo(page, 'admin');
  await page.goto('/admin/pricing');
  const panel = page.getByRole('region', { name: 'Discount codes' });
  await expect(panel.getByText('No codes yet.')).toBeVisible();
  await button(page, 'Make a code…').click();
  const dialog = page.getByRole('dialog', { name: 'Make a discount code' });
  await dialog.getByLabel('Code', { exact: true }).fill('spring20');
  await dialog.getByLabel('Redemptions in all').fill('5');
  await dialog.getByLabel('Percent off').fill('20');
  await dialog.getByLabel('Monthly payments').fill('2');
  await dialog.getByLabel('All tools').uncheck();
  await dialog.getByRole('button', { name: 'Make code' }).click();
  await expect(dialog.getByText('Please choose a tool')).toBeVisible();
  await dialog.getByLabel('Portfolio AI').check();
  await dialog.getByLabel('Last day').fill(await businessDay(page, 20));
  await dialog.getByLabel('Reason').fill('Spring campaign');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Make code' }).click();
  await expect(dialog).toBeHidden();
  const made = panel.getByRole('listitem').filter({ hasText: 'SPRING20' });
  await expect(made).toContainText('20% off for 2 months, Portfolio AI, until');
  await expect(made).toContainText('Redeemed 0 of 5 times');
  await expectAccessible(page);

  const adviser = await anotherBrowser(page);
  const { email } = await signedInAdviser(adviser, { firstName: 'Priya' });
  await adviser.goto('/subscribe/portfolio-ai');
  await enter(adviser, 'AUTUMN');
  await expect(adviser.getByText('That code isn’t valid. Check the spelling.')).toBeVisible();
  await expectAccessible(adviser);
  await enter(adviser, 'spring20');
  const checkout = adviser.getByRole('region', { name: 'Complete Your Subscription' });
  await expect(checkout).toContainText('Discount code SPRING20 (20%, 2 months)−$8.00');
  await expect(checkout.getByRole('status')).toHaveText(
    /^Discount code SPRING20: 20% off for 2 months, then \$40\.00 a month from \d+ \w+\.$/,
  );
  await expect(checkout).toContainText('Then Portfolio AI, each month$32.00');
  await expectAccessible(adviser);
  await button(adviser, 'Remove discount code SPRING20').click();
  await expect(checkout).not.toContainText('SPRING20');
  await enter(adviser, 'SPRING20');
  await expect(checkout.getByRole('status')).toBeFocused();
  await adviser.getByRole('button', { name: /^Skip the trial/ }).click();
  await expect(checkout).toContainText('It costs $32.00 a month for 2 months, then $40.00.');
  await expectAccessible(adviser);
  await enterCard(adviser);
  await button(adviser, 'Subscribe for $32.00/month').click();
  await expect(adviser).toHaveURL('/dashboard');
  await adviser.getByRole('tab', { name: 'Billing' }).click();
  const row = adviser.getByRole('listitem').filter({ hasText: 'Discount code SPRING20: 20% off until' });
  await expect(row).toContainText('$32.00/month');

  const owner = await anotherBrowser(page);
  await signedInAdviser(owner, { firstName: 'Olga' });
  const { id: teamId } = (await post(owner, '/api/teams', { name: 'Harbour Advice' })) as { id: string };
  await owner.goto(`/subscribe/portfolio-ai?team=${teamId}`);
  await enter(owner, 'SPRING20');
  const practice = owner.getByRole('region', { name: 'Complete Your Subscription' });
  await expect(practice).toContainText('Discount code SPRING20 (20%, 2 months)−$8.00');
  await owner.getByRole('button', { name: /^Skip the trial/ }).click();
  await enterCard(owner);
  await button(owner, 'Subscribe for $32.00/month').click();
  await expect(owner).toHaveURL('/dashboard');
  await owner.goto(`/teams?team=${teamId}&tab=tools`);
  await expect(owner.getByText('Discount code SPRING20: 20% off until').first()).toBeVisible();

  await page.goto('/dashboard');
  await page.goto('/admin/pricing');
  await expect(made).toContainText('Redeemed 2 of 5 times');
  await button(page, 'Who redeemed SPRING20').click();
  await expectAccessible(page);
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^Priya / })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /^Priya / })).toBeVisible();
  await expect(page.getByText(/Discount code SPRING20 \(20%, 2 months\) until/).first()).toBeVisible();
  await page.goBack();
  await button(page, 'End SPRING20').click();
  const end = page.getByRole('dialog', { name: 'End SPRING20?' });
  await end.getByLabel('Reason').fill('Enough of them');
  await end.getByRole('button', { name: 'End code' }).click();
  await expect(made).toContainText('Ended by');
  await expect(made).toContainText('Enough of them');

  const late = await anotherBrowser(page);
  await signedInAdviser(late, { firstName: 'Tom' });
  await late.goto('/subscribe/portfolio-ai');
  await enter(late, 'SPRING20');
  await expect(late.getByText('This discount code has ended.')).toBeVisible();

  await post(page, '/dev/clock', { advance: '70d' });
  const { text } = await mailTo(adviser, email, /^Receipt: \$32\.00 for Portfolio AI/);
  expect(text).toContain('We’ll charge $40.00 to your Visa •••• 4242');
  const { invoices } = (await (await adviser.request.get('/api/billing/invoices')).json()) as {
    invoices: { amount: number }[];
  };
  expect(invoices.map(({ amount }) => amount)).toEqual([4000, 3200, 3200]);
});
