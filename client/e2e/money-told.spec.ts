import type { Page } from '@playwright/test';
import { field, toast } from './accounts-steps.ts';
import {
  anotherBrowser,
  expect,
  expectAccessible,
  linkIn,
  mailTo,
  originOf,
  post,
  signedInAdviser,
  signedInDemo,
  test,
} from './fixtures.ts';
import { buy, enterCard } from './purchase-steps.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** The demo administrator grants or revokes an adviser's free access. */
async function changeFreeAccess(page: Page, email: string, change: 'grant' | 'revoke') {
  const admin = await anotherBrowser(page);
  await signedInDemo(admin, 'admin');
  const { csrfToken } = (await (await admin.request.get('/api/admin/csrf-token')).json()) as { csrfToken: string };
  const found = (await (await admin.request.get(`/api/admin/users?search=${encodeURIComponent(email)}`)).json()) as {
    users: { id: string }[];
  };
  await post(admin, `/api/admin/${change}-free-access`, { userId: found.users[0]!.id, _csrf: csrfToken });
  await admin.context().close();
}

test('free access ends: mail, banner and row say so, and that nothing failed; the mail’s link works signed out', async ({
  page,
}) => {
  test.slow();
  const { email, password } = await signedInAdviser(page);
  await page.goto('/dashboard');
  await changeFreeAccess(page, email, 'grant');
  await post(page, '/api/create-subscription', { toolId: 'portfolio-ai' });
  await changeFreeAccess(page, email, 'revoke');
  const mail = await mailTo(page, email, /^Portfolio AI: add a card by /);
  expect(mail.text).toMatch(
    /Nothing was charged\.\s+Add a card and press Start paying on your Billing tab by \d+ \w+ \d{4} to keep it\..+It costs \$40\.00 a month/s,
  );
  expect(mail.text).not.toMatch(/failed/i);

  await page.goto('/dashboard?tab=billing');
  const banner = region(page, 'Free access ended');
  await expect(banner).toContainText('Your free access has ended');
  await expect(banner).toContainText(
    'to keep Portfolio AI. Otherwise it ends that day. Once you start, it costs $40.00 a month, GST included, until you cancel. Nothing has been charged yet. To cancel, press Cancel beside the tool under Billing and choose a reason.',
  );
  await expect(banner.getByRole('button', { name: 'Add a card' })).toBeVisible();
  const row = region(page, 'Subscriptions').getByRole('listitem').filter({ hasText: 'Portfolio AI' });
  await expect(row).toContainText(/Free access ended\. Start paying by/);
  await expect(page.getByText(/overdue|failed/i)).toHaveCount(0);
  await expectAccessible(page);

  await test.step('signed out, the link of the mail leads through the sign-in to the banner', async () => {
    const link = [...mail.text.matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url)).at(0)!;
    const visitor = await anotherBrowser(page);
    await visitor.goto(originOf(page) + link.pathname + link.search);
    await visitor.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).click();
    await field(visitor, 'Email').fill(email);
    await visitor.getByLabel('Password', { exact: true }).fill(password);
    await visitor.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(visitor).toHaveURL(`${originOf(page)}/dashboard?tab=billing`);
    await expect(region(visitor, 'Free access ended')).toBeVisible();
    await visitor.context().close();
  });

  await test.step('a card, and Start paying with its amount', async () => {
    await banner.getByRole('button', { name: 'Add a card' }).click();
    await enterCard(page);
    await page.getByRole('button', { name: /^Save card/ }).click();
    await expect(banner).toContainText('Once you start, it costs $40.00 a month, GST included, until you cancel.');
    await banner.getByRole('button', { name: /^Start paying: \$40\.00 with Visa ending in 4242/ }).click();
    await expect(banner).toBeHidden();
    await expect(row).toContainText('Active');
  });
});

test('the owner pays the bill of the team from the mail, signed out, and not with their own card', async ({ page }) => {
  test.slow();
  const { email, password } = await signedInAdviser(page, { firstName: 'Grace' });
  await page.goto('/privacy');
  const { id: teamId } = (await post(page, '/api/teams', { name: 'Harbour Advice' })) as { id: string };
  await buy(page, { toolId: 'pre-fill-ai' }, 'pm_card_visa');
  await buy(page, { toolId: 'risk-profile-ai', teamId }, 'pm_card_visa');
  await page.goto(`/teams?team=${teamId}&tab=billing`);
  const card = region(page, 'Payment Method');
  await card.getByRole('button', { name: 'Update Payment' }).click();
  await enterCard(page, '4000000000000341');
  await page.getByRole('button', { name: 'Save card', exact: true }).click();
  await expect(card).toContainText('0341');
  await post(page, '/dev/clock', { advance: '32d' });

  const mail = await mailTo(page, email, /^Action needed: pay \$30\.00 for Harbour Advice/);
  expect(mail.text).toMatch(/The card on file is Harbour Advice’s Visa •••• 0341/);
  expect(mail.text).not.toContain('Pre-Fill AI');
  const owner = await anotherBrowser(page);
  await owner.goto(originOf(page) + linkIn(mail, '/teams'));
  await owner.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).click();
  await field(owner, 'Email').fill(email);
  await field(owner, 'Password').fill(password);
  await owner.getByRole('button', { name: 'Sign In', exact: true }).click();

  const banner = region(owner, 'Failed payment of Harbour Advice');
  await expect(banner).toContainText('Harbour Advice’s payment of $30.00 failed');
  await expect(region(owner, 'Payment Method')).toContainText('Pays for Harbour Advice’s tools');
  await expect(region(owner, 'Payment Method')).toContainText('0341');
  await expectAccessible(owner);
  await banner.getByRole('button', { name: 'Use another card' }).click();
  await enterCard(owner, '5555555555554444');
  await owner.getByRole('button', { name: 'Save card and pay $30.00', exact: true }).click();
  await expect(toast(owner, 'Payment Method Updated')).toBeVisible();
  await expect(banner).toBeHidden();
  await expect(region(owner, 'Payment Method')).toContainText('4444');
  await expect(region(owner, 'Invoice History').getByRole('listitem').first()).toContainText('Paid');
  await mailTo(page, email, /receipt.+Harbour Advice/i);

  await owner.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await owner.getByRole('tab', { name: 'Billing' }).click();
  await expect(region(owner, 'Payment Method')).toContainText('4242');
  await field(owner, 'Who pays').selectOption('Harbour Advice');
  await expect(region(owner, 'Payment Method')).toContainText('4444');
  const opened = owner.context().waitForEvent('page');
  await owner.getByRole('link', { name: 'View all invoices' }).click();
  const invoices = await opened;
  await expect(invoices.getByRole('heading', { name: 'Invoices of Harbour Advice' })).toBeVisible();
  await expect(invoices.getByRole('table').getByText('Risk Profile AI').first()).toBeVisible();
  await expect(invoices.getByRole('table').getByText('Pre-Fill AI')).toHaveCount(0);
  await field(invoices, 'Who pays').selectOption('You');
  await expect(invoices.getByRole('table').getByText('Pre-Fill AI').first()).toBeVisible();
  await expectAccessible(invoices);
  await owner.context().close();
});
