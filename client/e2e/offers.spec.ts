import { button } from './accounts-steps.ts';
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
} from './fixtures.ts';
import { buy } from './purchase-steps.ts';

// It leaves discounts behind that would change what other journeys are charged.
test.use({ apart: 'offers' });
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test('an administrator makes volume discounts smaller with notice: a subscriber is told, and charged exactly that', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(400);
  test.slow();
  const adviser = await anotherBrowser(page);
  const { email } = await signedInAdviser(adviser, { firstName: 'Priya' });
  await buy(adviser, { toolId: 'file-note-ai' }, 'pm_card_visa');
  await buy(adviser, { toolId: 'risk-profile-ai' }, 'pm_card_visa');

  await signedInDemo(page, 'admin');
  await page.goto('/admin/pricing');
  await button(page, 'Change bulk discounts…').click();
  const dialog = page.getByRole('dialog', { name: 'Change the bulk discounts?' });
  await dialog.getByRole('button', { name: 'Add a discount' }).click();
  await expect(dialog.getByLabel('Tools of discount 5')).toHaveValue('7');
  await expect(dialog.getByLabel('Percent of discount 5')).toHaveValue('21');
  await expect(dialog.getByText(/^No price goes up/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Remove discount 5' }).click();
  await dialog.getByLabel('Percent of discount 1').fill('1');
  await expect(dialog.getByText(/With some numbers of tools the price goes up/)).toBeVisible();
  await expect(dialog.getByText(/will pay more, \$\d/)).toBeVisible();
  await dialog.getByLabel('Reason').fill('Searches cost us more.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Change discounts' }).click();
  await expect(dialog.getByText(/please choose a day at least 31 days from now/)).toBeVisible();
  await dialog.getByLabel(/^From which day/).fill(await businessDay(page, 33));
  await dialog.getByRole('button', { name: 'Change discounts' }).click();
  await expect(dialog).toBeHidden();
  await expect(
    page.getByRole('table', { name: 'Discounts of today' }).getByRole('row', { name: '5% 2 tools' }),
  ).toBeVisible();
  await expect(page.getByText('2 tools 1%, 3 tools 10%, 4 tools 15%, 6 tools 20%', { exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Changes of the bulk discounts' })).toContainText(
    'Searches cost us more.',
  );
  await expectAccessible(page);

  const { text } = await mailTo(adviser, email, /^From .+ your bill is \$54\.45 a month/);
  expect(text).toContain('Bulk discount: 1% off (was 5%)');
  await post(page, '/dev/clock', { advance: '65d' });
  const { invoices } = (await (await adviser.request.get('/api/billing/invoices')).json()) as {
    invoices: { amount: number }[];
  };
  const paid = invoices.map(({ amount }) => amount);
  for (const cents of [5225, 5445]) expect(paid).toContain(cents);
});
