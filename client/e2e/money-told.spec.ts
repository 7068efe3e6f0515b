import type { Page } from '@playwright/test';
import { field } from './accounts-steps.ts';
import { expect, expectAccessible, mailTo, signedInAdviser, test } from './fixtures.ts';

const originOf = (page: Page) => new URL(page.url()).origin;
const post = async (page: Page, path: string, data: unknown) => {
  const answer = await page.request.post(path, { data, headers: { origin: originOf(page) } });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  return (await answer.json()) as Record<string, unknown>;
};
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** What the demo administrator does about an adviser's free access. */
async function changeFreeAccess(page: Page, email: string, change: 'grant' | 'revoke') {
  const context = await page.context().browser()!.newContext();
  const admin = await context.newPage();
  await admin.goto(`${originOf(page)}/privacy`);
  await post(admin, '/api/login', { email: 'admin@demo.adviserly.example', password: 'Demo-Adviser-2026' });
  const { csrfToken } = (await (await admin.request.get('/api/admin/csrf-token')).json()) as { csrfToken: string };
  const found = (await (await admin.request.get(`/api/admin/users?search=${encodeURIComponent(email)}`)).json()) as {
    users: { id: string }[];
  };
  await post(admin, `/api/admin/${change}-free-access`, { userId: found.users[0]!.id, _csrf: csrfToken });
  await context.close();
}

test('free access that ends: mail, banner and row say so, and nothing has failed; the mail leads there, signed out', async ({
  page,
  browser,
}) => {
  test.slow();
  const { email, password } = await signedInAdviser(page);
  await page.goto('/dashboard');
  await changeFreeAccess(page, email, 'grant');
  await post(page, '/api/create-subscription', { toolId: 'portfolio-ai' });
  await changeFreeAccess(page, email, 'revoke');
  const mail = await mailTo(page, email, /^Free access to Portfolio AI has ended/);
  expect(mail.text).toMatch(/nothing was charged.+Press Start paying .+ to keep it: \$40\.00 a month/);
  expect(mail.text).not.toMatch(/failed/i);

  await page.goto('/dashboard?tab=billing');
  const banner = region(page, 'Free access ended');
  await expect(banner).toContainText('Free access to Portfolio AI has ended');
  await expect(banner).toContainText('$40.00 a month. Nothing has been charged');
  await expect(banner.getByRole('button', { name: 'Add a card' })).toBeVisible();
  const row = region(page, 'Subscriptions').getByRole('listitem').filter({ hasText: 'Portfolio AI' });
  await expect(row).toContainText(/Free access ended\. Start paying by/);
  await expect(page.getByText(/overdue|failed/i)).toHaveCount(0);
  await expectAccessible(page);

  await test.step('signed out, the link of the mail leads through the sign-in to Billing', async () => {
    const link = [...mail.text.matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url)).at(0)!;
    const context = await browser.newContext();
    const visitor = await context.newPage();
    await visitor.goto(originOf(page) + link.pathname + link.search);
    await visitor.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).click();
    await field(visitor, 'Email').fill(email);
    await visitor.getByLabel('Password', { exact: true }).fill(password);
    await visitor.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(visitor).toHaveURL(`${originOf(page)}/dashboard?tab=billing`);
    await context.close();
  });

  await test.step('a card, and Start paying with its amount', async () => {
    await banner.getByRole('button', { name: 'Add a card' }).click();
    await page.getByLabel('Card number').fill('4242424242424242');
    await page.getByLabel('Expiry').fill('12 / 39');
    await page.getByLabel('CVC').fill('123');
    await page.getByRole('button', { name: /^Save card/ }).click();
    await banner.getByRole('button', { name: /^Start paying: \$40\.00 with Visa ending in 4242/ }).click();
    await expect(banner).toBeHidden();
    await expect(row).toContainText('Active');
  });
});
