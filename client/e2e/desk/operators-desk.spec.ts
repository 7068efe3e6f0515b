import type { Page } from '@playwright/test';
import { startE2eServer } from '../../../server/testing/child-server.ts';
import { administratorOf, button, field, toast } from '../accounts-steps.ts';
import { expect, expectAccessible, serverStartMs, test } from '../fixtures.ts';

let server: Awaited<ReturnType<typeof startE2eServer>>;
test.beforeAll(async () => {
  test.setTimeout(serverStartMs);
  server = await startE2eServer({ FOUR_EYES: 'on', DEMO_LIFE: 'on' });
});
test.afterAll(() => server.stop());

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

/** Chooses an act of a person's menu. */
const act = async (page: Page, name: string) => {
  await button(page, 'Actions').click();
  await page.getByRole('menuitem', { name }).click();
};

test('an administrator refunds half: list and timeline show it; a second one approves an act, the first undoes it', async ({
  browser,
}) => {
  test.slow();
  const first = await administratorOf(server, browser, 'admin');
  await first.goto('/admin/practices?search=harbour+advice');
  await first.getByRole('link', { name: 'Harbour Advice' }).click();
  await expect(first.getByRole('heading', { name: 'Harbour Advice' })).toBeVisible();
  await expect(first.getByRole('heading', { name: 'Members' })).toBeVisible();
  await expectAccessible(first);

  await tab(first, 'Billing').click();
  await first
    .getByRole('button', { name: /^Refund invoice/ })
    .first()
    .click();
  await expect(first.getByText(/^\$318\.75 was charged to Visa •••• 4242/)).toBeVisible();
  await expectAccessible(first);
  await field(first, 'Amount').fill('500');
  await field(first, 'Reason').fill('Half the month was of no use');
  await button(first, 'Refund $500.00').click();
  await expect(first.getByText('Please enter an amount up to $318.75').first()).toBeVisible();
  await field(first, 'Amount').fill('53.13');
  await button(first, 'Refund $53.13').click();
  await expect(toast(first, '$53.13 goes back to the card. The user is told by email.')).toBeVisible();
  await expect(first.getByText('$53.13 refunded')).toBeVisible();
  await tab(first, 'Activity').click();
  await expect(first.getByText(/^Adjustment note \S+: \$53\.13 off invoice/)).toBeVisible();
  await expect(first.getByText(/asked Stripe to refund Harbour Advice \$53\.13/)).toBeVisible();

  // The owner has the email.
  await tab(first, 'Overview').click();
  await first.getByRole('link', { name: 'Grace Taylor' }).first().click();
  await tab(first, 'Activity').click();
  await expect(first.getByText(/^Email “Refund of \$53\.13 for Harbour Advice”/)).toBeVisible();

  await act(first, 'Grant Free Access');
  const dialog = first.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('She tries the new tools for us');
  await dialog.getByRole('button', { name: 'Grant Free Access' }).click();
  await expect(toast(first, 'Free access granted')).toBeVisible();
  await act(first, 'Make an administrator');
  await field(first, 'Reason').fill('She joins us');
  await first.getByRole('dialog').getByRole('button', { name: 'Make an administrator' }).click();
  await expect(toast(first, 'It waits for a second administrator, who was told by email.')).toBeVisible();
  await expect(first.getByText('Waiting for approval').first()).toBeVisible();
  await first.getByRole('link', { name: 'See the approvals' }).click();
  await expect(first).toHaveURL('/admin/today');
  const sentence = 'Amelia Hughes asks to make Grace Taylor an administrator.';
  await expect(first.getByText('You asked for it yourself, so another administrator has to approve it.')).toBeVisible();
  await expect(first.getByRole('button', { name: `Approve: ${sentence}` })).toBeHidden();
  const given = 'Amelia Hughes asks to give Grace Taylor free access.';
  await expect(first.getByText(/^It needed no second administrator, and was done on/)).toBeVisible();
  await first.getByRole('button', { name: `Undo: ${given}` }).click();
  await field(first, 'Reason').fill('She pays after all');
  await first.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await expect(toast(first, 'It was undone.')).toBeVisible();
  await expect(first.getByText(/^Amelia Hughes undid it on/)).toBeVisible();

  const second = await administratorOf(server, browser, 'admin2');
  // A panel that came late would push the buttons below it from under a hand.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await second.route('**/api/admin/incidents', async (route) => {
    await held;
    await route.continue();
  });
  await second.goto('/admin/today');
  await expect(second.getByText('Loading what needs you')).toBeAttached();
  await second.waitForResponse(/\/api\/admin\/approvals/);
  await expect(second.getByRole('heading', { name: 'Approvals' })).toHaveCount(0);
  release();
  const disputes = second.getByRole('region', { name: 'Disputes' });
  await expect(disputes.getByRole('link', { name: 'Open the invoice' })).toHaveAttribute('href', /tab=billing$/);
  // The sandbox's disputes are none of Stripe's, and nothing leads there.
  await expect(disputes.getByRole('link', { name: 'Answer at Stripe' })).toHaveCount(0);
  await second.getByRole('button', { name: `Approve: ${sentence}` }).click();
  await expectAccessible(second);
  await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(toast(second, 'Approved, and done.')).toBeVisible();
  await expect(second.getByText(/^Oscar Lindqvist approved it on/)).toBeVisible();
  await second.getByRole('link', { name: sentence }).click();
  await expect(second.getByRole('heading', { name: 'Grace Taylor' })).toBeVisible();
  await expect(second.getByText('Waiting for approval')).toHaveCount(0);
  await button(second, 'Actions').click();
  await expect(second.getByRole('menuitem', { name: 'Grant Free Access' })).toBeVisible();

  await second.goto('/admin/today');
  await second.getByRole('button', { name: `Undo: ${sentence}` }).click();
  await field(second, 'Reason').fill('It was meant for somebody else');
  await second.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await expect(toast(second, 'It was undone.')).toBeVisible();
  await expect(second.getByText(/^Oscar Lindqvist undid it on/)).toBeVisible();
  await expectAccessible(second);
  await first.context().close();
  await second.context().close();
});
