import type { Page } from '@playwright/test';
import { button, heading } from '../accounts-steps.ts';
import {
  anotherBrowser,
  expect,
  expectAccessible,
  signedInAdviser,
  signedInDemo,
  test,
  originOf,
} from '../fixtures.ts';
import { enterCard } from '../purchase-steps.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const narrow = async (page: Page) => {
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 800 });
};

test('a ninth tool is added, bought, launched and reported; nobody restarts anything', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(404);
  await signedInDemo(page, 'admin');
  const tab = (name: string) => page.getByRole('tab', { name });
  const origin = originOf(page);
  await page.goto('/admin/catalogue');
  await button(page, 'Add a tool…').click();
  const adding = page.getByRole('dialog', { name: 'Add a tool' });
  await adding.getByRole('button', { name: 'Add tool' }).click();
  await expect(adding.getByText('Please give the tool a name')).toBeVisible();
  await adding.getByLabel('Name', { exact: true }).fill('Insurance Review AI');
  await adding.getByLabel('Short description').fill('Compares the covers that a client has.');
  await adding.getByLabel('Features').fill('Every cover in one table\nGaps pointed out');
  await adding.getByLabel('Icon').selectOption('umbrella');
  await adding.getByLabel('Minutes saved').fill('20');
  // Its address is one of our pages: this test does what its server would.
  await adding.getByLabel('Address').fill(`${origin}/privacy`);
  await adding.getByLabel('Price a month, in dollars with GST').fill('32.50');
  await adding.getByLabel('Reason').fill('Practices asked for it.');
  await expectAccessible(page);
  await adding.getByRole('button', { name: 'Add tool' }).click();
  await expect(heading(page, 'Insurance Review AI')).toBeVisible();
  await expect(page).toHaveURL('/admin/tools/insurance-review-ai');
  await expect(page.getByText('Coming soon', { exact: true }).first()).toBeVisible();

  await tab('Secrets').click();
  await page.getByLabel('Name of the secret').fill('Server in Sydney');
  await page.keyboard.press('Enter');
  const made = page.getByRole('dialog', { name: 'Save this secret' });
  const secret = await made.getByLabel('New secret', { exact: true }).inputValue();
  expect(secret).not.toBe('');
  await button(page, 'I have saved it').click();
  await expect(page.getByLabel('Name of the secret')).toHaveValue('');
  await expect(page.getByText('Please name the secret')).toBeHidden();
  await expect(page.getByRole('list', { name: 'Secrets', exact: true })).toContainText('Server in Sydney');

  const adviser = await anotherBrowser(page);
  await signedInAdviser(adviser, { firstName: 'Ines' });
  await adviser.goto('/subscribe/insurance-review-ai');
  await expect(adviser.getByText('Coming Soon').first()).toBeVisible();

  await tab('Overview').click();
  await button(page, 'Edit…').click();
  const changing = page.getByRole('dialog', { name: 'Change Insurance Review AI' });
  await changing.getByLabel(/^Coming soon/).uncheck();
  await changing.getByLabel('Long description').fill('It reads the schedules, and says what is missing.');
  await changing.getByLabel('Reason').fill('It is ready.');
  await expectAccessible(page);
  await button(page, 'Save changes').click();
  await expect(changing).toBeHidden();
  await expect(page.getByRole('list', { name: 'Changes of its settings' })).toContainText('Coming soon: yes → no');
  await expectAccessible(page);
  await narrow(page);

  await tab('Due diligence').click();
  const diligence = page.getByRole('region', { name: 'Supplier due diligence' });
  await diligence.getByLabel(/^Model/).fill('A model of our own');
  await diligence.getByRole('button', { name: 'Publish this version' }).click();
  await expect(diligence.getByText(/^Version 1 of .* is on the page\.$/)).toBeVisible();
  await adviser.goto('/tools/insurance-review-ai');
  await expect(adviser.getByText('A model of our own')).toBeVisible();

  await adviser.goto('/subscribe/insurance-review-ai');
  await expect(adviser.getByText('It reads the schedules, and says what is missing.')).toBeVisible();
  await expect(adviser.getByText('Gaps pointed out')).toBeVisible();
  await expectAccessible(adviser);
  await adviser.getByRole('button', { name: /^Skip the trial/ }).click();
  await enterCard(adviser);
  await adviser.getByRole('button', { name: 'Subscribe for $32.50/month' }).click();
  await expect(adviser).toHaveURL('/dashboard');

  const opened = adviser.context().waitForEvent('page');
  await adviser.getByRole('button', { name: 'Open Insurance Review AI' }).click();
  const launched = await opened;
  await launched.waitForURL(/auth_token=/, { waitUntil: 'commit' });
  const token = new URL(launched.url()).searchParams.get('auth_token');
  const authorization = `Basic ${Buffer.from(`insurance-review-ai:${secret}`).toString('base64')}`;
  const exchange = await page.request.post('/api/tools/introspect', {
    form: { token: token ?? '' },
    headers: { authorization },
  });
  const who = (await exchange.json()) as { active: boolean; given_name: string; session_id: string };
  expect(who).toMatchObject({ active: true, given_name: 'Ines' });
  const event = { event_id: 'ninth-1', session_id: who.session_id, duration_seconds: 600, actions_performed: 3 };
  const report = await page.request.post('/api/tools/usage', {
    data: { events: [event] },
    headers: { authorization },
  });
  expect(await report.json()).toMatchObject({ events: [{ accepted: true, access: true }] });
  await adviser.goto('/dashboard?tab=analytics');
  await expect(adviser.getByRole('list', { name: 'Recent Activity' })).toContainText('Insurance Review AI');

  await tab('Secrets').click();
  await button(page, 'Revoke Server in Sydney (Calls)').click();
  await button(page, 'Revoke secret').click();
  await expect(page.getByText('It has none, so its server can’t call us yet.')).toBeVisible();
});
