import type { Page } from '@playwright/test';
import { button, published, workIn } from './maker-steps.ts';
import {
  anotherBrowser,
  businessDay,
  expect,
  expectAccessible,
  mailTo,
  newAddress,
  post,
  signedInAdviser,
  test,
} from './fixtures.ts';
import { enterCard } from './purchase-steps.ts';

// What a maker publishes stays in the catalogue.
test.use({ apart: 'makers' });

test('a maker sells to two practices; after a refund, what is due is right to the cent', async ({ page, baseURL }) => {
  await signedInAdviser(page, { firstName: 'Otto' });
  const sold = { name: 'Odd Cents AI', priceCents: 2333 };
  const { toolId, admin, sample } = await published(page, baseURL!, sold);
  const owners: { owner: Page; email: string; teamId: string }[] = [];
  for (const name of ['Wattle Advice', 'Banksia Advice']) {
    const owner = await anotherBrowser(page);
    const { email } = await signedInAdviser(owner, { firstName: name.split(' ')[0]!, email: newAddress('owner') });
    const { id: teamId } = (await post(owner, '/api/teams', { name })) as { id: string };
    await owner.goto(`/subscribe/${toolId}`);
    await owner.getByRole('radio', { name: new RegExp(`For my team, ${name}`) }).check();
    await owner.getByRole('button', { name: /^Skip the trial/ }).click();
    await enterCard(owner);
    await button(owner, 'Subscribe for $23.33/month').click();
    await expect(owner).toHaveURL('/dashboard');
    await expect(owner.getByRole('button', { name: 'Open Odd Cents AI' })).toBeVisible();
    owners.push({ owner, email, teamId });
  }
  const { now } = await post(page, '/dev/clock', { advance: '1m' });

  await admin.goto('/admin/practices?search=banksia+advice');
  await admin.getByRole('link', { name: 'Banksia Advice' }).click();
  await admin.getByRole('tab', { name: 'Billing' }).click();
  const refund = admin.getByRole('button', { name: /^Refund invoice/ }).first();
  await refund.click();
  await admin.getByLabel('Amount').fill('10.01');
  await admin.getByLabel('Reason').fill('It did not work for a week');
  await button(admin, 'Refund $10.01').click();
  await expect(admin.getByText('$10.01 refunded')).toBeVisible();

  type Listed = { kind: string; amount: number; date: string };
  const months = new Map<string, number>();
  const monthOf = (at: string | Date) =>
    new Date(at).toLocaleDateString('en-AU', { month: 'long', year: 'numeric', timeZone: 'Australia/Sydney' });
  const add = (month: string, cents: number) => months.set(month, (months.get(month) ?? 0) + cents);
  for (const { owner, teamId } of owners) {
    const answer = await owner.request.get(`/api/billing/invoices?teamId=${teamId}`);
    const invoices = ((await answer.json()) as { invoices: Listed[] }).invoices.filter(
      ({ kind }) => kind === 'invoice',
    );
    expect(invoices.map(({ amount }) => amount)).toEqual([2333]);
    for (const { amount, date } of invoices) add(monthOf(date), amount);
  }
  add(monthOf(now as string), -1001);
  await page.reload();
  const due = page.getByRole('region', { name: 'What is due to you' });
  for (const [month, cents] of months)
    await expect(due.getByRole('row').filter({ hasText: month }).getByRole('cell').last()).toHaveText(
      `$${(Math.round(cents * 0.7) / 100).toFixed(2)}`,
    );
  await expect(due).toContainText('$10.01');
  await expect(due.getByRole('row')).toHaveCount(months.size + 1);
  await expectAccessible(page);

  await page.getByLabel(/^Price a month/).fill('29.90');
  await button(page, 'Propose this price').click();
  await expect(page.getByText('You propose $29.90 a month, and we have to accept it.')).toBeVisible();
  await admin.goto('/admin/catalogue');
  await admin.getByRole('link', { name: sold.name }).click();
  await button(admin, 'Change price…').click();
  const dialog = admin.getByRole('dialog', { name: `Change the price of ${sold.name}?` });
  await dialog.getByLabel('New price a month, in dollars with GST').fill('29.90');
  await dialog.getByLabel('Change with notice').check();
  await dialog.getByLabel('From their first bill on or after', { exact: true }).fill(await businessDay(admin, 33));
  await dialog.getByLabel('Reason').fill('Its model costs its maker more.');
  await dialog.getByRole('button', { name: 'Set price and tell subscribers' }).click();
  await expect(dialog).toBeHidden();
  const notice = await mailTo(page, owners[0]!.email, /\$29\.90/);
  expect(notice.text).toContain('Its model costs its maker more.');
  await page.reload();
  await expect(page.getByText(/^\$29\.90 a month, of which your share is 70%/)).toBeVisible();

  const twin = page.getByRole('form', { name: 'Staging twin' });
  await twin.getByLabel('Address in staging').fill(`${sample.url}/next`);
  await button(page, 'Make a staging twin').click();
  await page.getByLabel('Path that finishes a session').fill(`/${toolId}`);
  await button(page, 'Check this tool').click();
  const missing = page.getByRole('list', { name: 'Missing for publication' });
  await expect(missing).toBeHidden({ timeout: 60_000 });
  await button(page, 'Ask us to promote it').click();
  await expect(page.getByText('We are looking at this version')).toBeVisible();
  await admin.goto('/admin/today');
  await button(admin, `Promote ${sold.name}`).click();
  await expectAccessible(admin);
  await button(admin, 'Promote').click();
  await expect(admin.getByText('The new version is live.').first()).toBeVisible();
  const { owner } = owners[0]!;
  await owner.goto('/dashboard');
  const asked = owner.context().waitForEvent('request', (request) => request.url().startsWith(`${sample.url}/next`));
  await workIn(owner, () => owner.getByRole('button', { name: `Open ${sold.name}` }).click(), 'Wattle');
  await asked;
  await owner.context().close();
  await admin.context().close();
  await sample.stop();
});
