import type { Page } from '@playwright/test';
import type { Forecast } from '#shared/api/billing.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { expect, post, signedInAdviser, test } from './fixtures.ts';
import { enterCard, toastWith, unfoldSubscriptions } from './purchase-steps.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

type Told = { bill: NonNullable<Forecast['bill']>; later: Forecast['later'] };

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const read = async <T>(page: Page, path: string) => (await (await page.request.get(path)).json()) as T;
/** A price on the page with its label. */
const line = (page: Page, label: string) =>
  region(page, 'Billing Summary').getByText(label, { exact: true }).locator('..');

/** Reads every figure of the dashboard, without a reload, and compares it with the forecast. */
async function expectOneBill(page: Page) {
  const { bill, later } = await read<Told>(page, '/api/billing/forecast');
  const month = formatCents(bill.lines.reduce((sum, { cents }) => sum + cents, 0));
  const total = formatCents(bill.totalCents);
  await unfoldSubscriptions(page);
  await expect(line(page, 'Total per month')).toContainText(month);
  const paid = (await region(page, 'Subscriptions').locator('summary').textContent())!;
  const [next] = /\$[\d,.]+ on \d+\s\w+/.exec(paid)!;
  expect(next).toContain(total);
  await page.getByRole('tab', { name: 'Billing' }).click();
  const billing = page.getByLabel('Next bill').first();
  await expect(billing).toContainText(`You pay ${next} with Visa`);
  await billing.getByText('See the bill').click();
  const table = page.getByRole('table', { name: 'Next bill' });
  await expect(table.getByRole('row').last()).toContainText(total);
  for (const { toolName, cents } of bill.lines) {
    await expect(region(page, 'Subscriptions').getByRole('listitem').filter({ hasText: toolName })).toContainText(
      `${formatCents(cents)}/month`,
    );
    await expect(table.getByRole('row').filter({ hasText: toolName }).first()).toContainText(formatCents(cents));
  }
  expect(later).toBeNull();
  await page.getByRole('tab', { name: 'My Tools' }).click();
}

/** Buys a tool from its card: the price on the card, the page, the button and the bills that it names are those of the quote. */
async function buyFromCard(page: Page, toolId: string, name: string) {
  type Quote = {
    totalCents: number;
    dueTodayCents: number;
    part: object | null;
    wholeMonth: { monthCents: number; priceCents: number };
  };
  const { totalCents, dueTodayCents, part, wholeMonth } = await read<Quote>(
    page,
    `/api/pricing/quote?toolId=${toolId}`,
  );
  const card = page.getByRole('link', { name: new RegExp(`^Subscribe • .+: ${name}$`) });
  await expect(card).toContainText(formatCents(wholeMonth.priceCents).replace(/\.00$/, ''));
  await card.click();
  const checkout = region(page, 'Complete Your Subscription');
  await expect(checkout.getByText('Total per month').locator('..')).toContainText(formatCents(totalCents));
  await checkout.getByRole('button', { name: /^Skip the trial/ }).click();
  await expect(checkout).toContainText(`Due today ${formatCents(dueTodayCents)}`);
  await expect(checkout).toContainText(`your bill is ${formatCents(wholeMonth.monthCents)} a month.`);
  if (part) await expect(checkout).toContainText('It is charged to Visa');
  else await enterCard(page);
  await checkout.getByRole('button', { name: `Subscribe for ${formatCents(totalCents)}/month`, exact: true }).click();
  await expect(toastWith(page, name)).toBeVisible();
  await expect(page).toHaveURL('/dashboard');
  // The dashboard may open before Stripe's answer is read.
  await expect
    .poll(async () => (await read<Partial<Told>>(page, '/api/billing/forecast')).bill?.lines.map((each) => each.toolId))
    .toContain(toolId);
  const { bill } = await read<Told>(page, '/api/billing/forecast');
  expect(bill.totalCents).toBe(wholeMonth.monthCents);
  const { invoices } = await read<{ invoices: { amount: number }[] }>(page, '/api/billing/invoices');
  expect(invoices[0]!.amount).toBe(dueTodayCents);
}

test('an adviser buys three tools on one day and one later: after each, every screen tells one bill, without a reload', async ({
  page,
}) => {
  test.slow();
  await signedInAdviser(page);
  await page.goto('/dashboard');
  for (const [toolId, name] of [
    ['risk-profile-ai', 'Risk Profile AI'],
    ['portfolio-ai', 'Portfolio AI'],
    ['file-note-ai', 'File Note AI'],
  ] as const) {
    await buyFromCard(page, toolId, name);
    await expectOneBill(page);
  }
  await post(page, '/dev/clock', { advance: '10d' });
  await page.goto('/dashboard');
  await expectOneBill(page);
  await buyFromCard(page, 'fact-find-ai', 'Fact Find AI');
  await expectOneBill(page);
});
