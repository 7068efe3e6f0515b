import { button, heading } from '../accounts-steps.ts';
import {
  anotherBrowser,
  businessDay,
  expect,
  expectAccessible,
  mailTo,
  newAddress,
  post,
  signedInAdviser,
  signedInDemo,
  test,
} from '../fixtures.ts';
import { buy } from '../purchase-steps.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test('an administrator raises a price with notice and takes it back: whoever has the tool sees it', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(400);
  test.slow();
  const other = await anotherBrowser(page);
  const { email } = await signedInAdviser(other, { firstName: 'Priya', email: newAddress('priya') });
  await buy(other, { toolId: 'share-advice-ai' });

  await signedInDemo(page, 'admin');
  await page.goto('/admin/catalogue');
  await page.getByRole('link', { name: 'Share Advice AI' }).click();
  await expect(heading(page, 'Share Advice AI')).toBeVisible();
  await expect(page.getByText('$35.00 a month', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Change price…').click();
  const dialog = page.getByRole('dialog', { name: 'Change the price of Share Advice AI?' });
  await dialog.getByLabel('New price a month, in dollars with GST').fill('42');
  await dialog.getByLabel('Change with notice').check();
  await dialog.getByLabel('From their first bill on or after', { exact: true }).fill(await businessDay(page, 12));
  await dialog.getByLabel('Reason').fill('The share prices that it reads cost us more.');
  await expect(dialog.getByText('New subscriptions: $42.00 instead of $35.00, at once.')).toBeVisible();
  await expect(dialog.getByText(/will cost more/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Set price and tell subscribers' }).click();
  await expect(dialog.getByText(/Please choose a day at least 31 days from now/)).toBeVisible();
  await dialog.getByLabel('From their first bill on or after', { exact: true }).fill(await businessDay(page, 33));
  await dialog.getByRole('button', { name: 'Set price and tell subscribers' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('$42.00 a month', { exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Prices that were set' })).toContainText('$35.00 to $42.00');

  const { text } = await mailTo(other, email, /^From .+ your bill is \$42\.00 a month/);
  expect(text).toMatch(/Share Advice AI costs \$42\.00 a month from .+ \(was \$35\.00\)/);
  expect(text).toContain('GST');
  expect(text).toContain('The share prices that it reads cost us more.');
  await other.goto('/dashboard?tab=billing');
  await expect(other.getByText(/the price goes from \$35\.00 to \$42\.00 a month\. To leave, cancel/)).toBeVisible();
  await expectAccessible(other);

  await button(page, 'Take back…').click();
  const back = page.getByRole('dialog', { name: 'Take back this price?' });
  await back.getByLabel('Reason').fill('They cost what they did after all.');
  await back.getByRole('button', { name: 'Take back' }).click();
  await expect(back).toBeHidden();
  await expect(page.getByText('$35.00 a month', { exact: true })).toBeVisible();
  await expect(page.getByText('Taken back', { exact: true })).toBeVisible();
  // One mail a day says what becomes of a bill.
  await post(page, '/dev/clock', { advance: '25h' });
  await mailTo(other, email, /^Your bill stays \$35\.00 a month/);
});
