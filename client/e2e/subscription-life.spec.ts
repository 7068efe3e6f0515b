import type { Page } from '@playwright/test';
import { formatCents } from '#shared/rules/billing/money.ts';
import {
  anotherBrowser,
  expect,
  expectAccessible,
  linkIn,
  mailTo,
  originOf,
  post,
  signedInAdviser,
  test,
} from './fixtures.ts';
import { buy, enterCard, toastWith, unfoldSubscriptions } from './purchase-steps.ts';

/** Moves business time, with everything that falls due on the way. */
const advance = (page: Page, by: string) => post(page, '/dev/clock', { advance: by });
const startTrial = (page: Page, toolId: string) => post(page, '/api/create-subscription', { toolId, trial: true });

const panel = (page: Page) => page.getByRole('region', { name: 'Subscriptions', exact: true });
const row = (page: Page, tool: string) =>
  panel(page).getByRole('list').last().getByRole('listitem').filter({ hasText: tool });

test('a trial is announced, ends without a card, and comes back with an offer', async ({ page }) => {
  test.slow();
  const { email } = await signedInAdviser(page);
  await startTrial(page, 'file-note-ai');
  await advance(page, '24d');
  await test.step('the reminder names date, price and what happens', async () => {
    const mail = await mailTo(page, email, /^Trial of File Note AI ends on/);
    expect(mail.text).toContain('without one it simply ends');
  });
  await page.goto('/');
  await unfoldSubscriptions(page);
  await expect(row(page, 'File Note AI')).toContainText('Trial');

  await advance(page, '8d');
  await page.reload();
  await expect(page.getByText('No Active Subscriptions')).toBeVisible();
  await expect(row(page, 'File Note AI')).toContainText('Expired');
  const offers = page.getByRole('region', { name: 'Come back to File Note AI' });
  await expect(offers).toContainText(/30% off.+The offer drops to 25% on \d+ \w+/s);
  await test.step('the page that sells it shows the offer before the full price', async () => {
    await page.goto('/subscribe/file-note-ai');
    await expect(offers).toContainText('Comeback special: 30% off');
    await expectAccessible(page);
    await page.goto('/');
    await unfoldSubscriptions(page);
    await expect(offers).toBeVisible();
  });
  await expectAccessible(page);

  await test.step('a claim needs an offer selected: the cheapest is', async () => {
    await expect(offers.getByRole('radio', { name: /Annual savings: 40% off/ })).toBeChecked();
    await offers.getByRole('radio', { name: /Comeback special: 30% off/ }).check();
  });
  await offers.getByRole('button', { name: 'Resubscribe for $17.50/month' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pay for File Note AI' });
  await enterCard(page);
  await expectAccessible(page);
  await expect(dialog).toContainText(
    /Due today \$17\.50, for the month to .+\. From .+ your bill is \$17\.50 a month\./,
  );
  await expect(dialog).toContainText('It costs $17.50 a month for 3 months, then $25.00.');
  await dialog.getByRole('button', { name: 'Pay $17.50' }).click();
  await expect(toastWith(page, 'Welcome back!')).toBeVisible();
  await expect(row(page, 'File Note AI')).toContainText(/Welcome back: 30% off until .+, then \$25\.00\/month/);
  await expect(row(page, 'File Note AI')).toContainText('$17.50/month');
  await expect(offers).toBeHidden();
});

test('an adviser cancels at the end, reactivates, cancels now and reactivates: each dialog says what it does', async ({
  page,
}) => {
  await signedInAdviser(page);
  await buy(page, { toolId: 'risk-profile-ai' });
  await page.goto('/');
  await unfoldSubscriptions(page);
  const summary = page.getByRole('region', { name: 'Billing Summary' });
  await expect(summary).toContainText('$30.00');

  await test.step('a reason must be chosen before Confirm is enabled', async () => {
    await page.getByRole('button', { name: 'Cancel: Risk Profile AI' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel Risk Profile AI' });
    const confirm = dialog.getByRole('button', { name: 'Confirm cancellation' });
    await expect(confirm).toBeDisabled();
    await expectAccessible(page);
    await dialog.getByRole('radio', { name: 'Too expensive' }).check();
    await dialog.getByRole('textbox').fill('The price, mostly.');
    await expect(dialog.getByRole('radio', { name: 'At the end of the paid period' })).toBeChecked();
    await confirm.click();
    await expect(toastWith(page, 'Subscription Cancelled')).toContainText('You keep access until');
  });
  await expect(row(page, 'Risk Profile AI')).toContainText('Cancelling');
  await expect(page.getByRole('button', { name: 'Open Risk Profile AI in a new window' })).toBeVisible();

  await test.step('Subscription Reactivated, at no cost inside the paid period', async () => {
    await row(page, 'Risk Profile AI').getByRole('button', { name: 'Reactivate Risk Profile AI' }).click();
    await expect(toastWith(page, 'Subscription Reactivated')).toBeVisible();
    await expect(row(page, 'Risk Profile AI')).toContainText('Active');
    await expect(page.locator(':focus')).toHaveAccessibleName('Cancel: Risk Profile AI');
  });

  await test.step('the tool grid offers Cancel Subscription; now ends access today', async () => {
    await page.getByRole('button', { name: 'Cancel Subscription: Risk Profile AI' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel Risk Profile AI' });
    const follows = dialog.getByRole('region', { name: 'What happens next' });
    await expect(follows).toContainText("you pay that day's price to reactivate.");
    await dialog.getByRole('radio', { name: 'Not using it enough' }).check();
    await dialog.getByRole('radio', { name: 'Now' }).check();
    await expect(follows).toContainText('The days left are not refunded.');
    await expect(follows).toContainText("After that you'd subscribe again.");
    await dialog.getByRole('button', { name: 'Confirm cancellation' }).click();
    await expect(toastWith(page, 'Subscription Cancelled')).toContainText('You can reactivate it until');
    await expect(page.getByRole('button', { name: 'Open Risk Profile AI in a new window' })).toBeHidden();
    // The focus is where the pressed button was. The month is paid for, so this button names no amount.
    await expect(page.locator(':focus')).toHaveAccessibleName('Reactivate Risk Profile AI');
  });

  await test.step('on day 6, inside the paid period, it costs nothing', async () => {
    await advance(page, '6d');
    await page.reload();
    await page.getByRole('main').getByRole('button', { name: 'Reactivate Risk Profile AI' }).first().click();
    await expect(toastWith(page, 'Subscription Reactivated')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Open Risk Profile AI in a new window' })).toBeVisible();
  });
});

test('an adviser comes back later: the card on file is charged, once the dialog has named amount and card', async ({
  page,
}) => {
  test.slow();
  await signedInAdviser(page);
  await buy(page, { toolId: 'risk-profile-ai' });
  const chargeTo = (amount: string) => page.getByRole('button', { name: `Charge ${amount} to Visa ending in 4242` });

  await test.step('reactivated after the paid period: a new month', async () => {
    await post(page, '/api/cancel-subscription', { toolId: 'risk-profile-ai' });
    await advance(page, '32d');
    await page.goto('/');
    await unfoldSubscriptions(page);
    await row(page, 'Risk Profile AI').getByRole('button', { name: 'Reactivate Risk Profile AI for $30.00' }).click();
    const asked = page.getByRole('dialog', { name: 'Pay for Risk Profile AI' });
    await expect(asked).toContainText(
      /Due today \$30\.00, for the month to \d+ \w+\. It is charged to Visa .*4242\. From \d+ \w+ your bill is \$30\.00 a month\./,
    );
    await expect(asked).toContainText(
      /charge \$30\.00 to Visa .*4242 today, and then your bill each month, until you cancel/,
    );
    await expectAccessible(page);
    await chargeTo('$30.00').dblclick();
    await expect(toastWith(page, 'Subscription Reactivated')).toBeVisible();
    await expect(row(page, 'Risk Profile AI')).toContainText('Active');
  });

  await test.step('with an offer, after the last day to reactivate', async () => {
    await post(page, '/api/cancel-subscription', { toolId: 'risk-profile-ai', cancelImmediately: true });
    await advance(page, '8d');
    await page.goto('/');
    await unfoldSubscriptions(page);
    await page.getByRole('radio', { name: /Comeback special: 30% off/ }).check();
    await page.getByRole('button', { name: 'Resubscribe for $21.00/month' }).click();
    await expect(page.getByRole('dialog')).toContainText('It costs $21.00 a month for 3 months, then $30.00.');
    // The days until the bill that the month bought before still has.
    const answer = await page.request.get('/api/winback/offers');
    const [{ offers }] = (await answer.json()) as [{ offers: { discountPercentage: number; dueTodayCents: number }[] }];
    const due = offers.find(({ discountPercentage }) => discountPercentage === 30)!.dueTodayCents;
    expect(due).toBeLessThan(2100);
    await expect(page.getByRole('dialog')).toContainText(`Due today ${formatCents(due)}, for `);
    await chargeTo(formatCents(due)).click();
    await expect(toastWith(page, 'Welcome back!')).toBeVisible();
    await expect(row(page, 'Risk Profile AI')).toContainText(/Welcome back: 30% off until .+, then \$30\.00\/month/);
    const paid = await page.request.get('/api/billing/invoices');
    const { invoices } = (await paid.json()) as { invoices: { amount: number }[] };
    expect(invoices[0]).toMatchObject({ amount: due, status: 'paid' });
  });
});

test('a dialog whose price has changed names the new one, and the next press charges that', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(409);
  test.slow();
  await signedInAdviser(page);
  await buy(page, { toolId: 'risk-profile-ai' });
  await post(page, '/api/cancel-subscription', { toolId: 'risk-profile-ai' });
  await advance(page, '32d');
  await page.goto('/');
  await unfoldSubscriptions(page);
  await row(page, 'Risk Profile AI').getByRole('button', { name: 'Reactivate Risk Profile AI for $30.00' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pay for Risk Profile AI' });
  const chargeTo = (amount: string) => dialog.getByRole('button', { name: `Charge ${amount} to Visa ending in 4242` });
  await expect(chargeTo('$30.00')).toBeVisible();
  // In another window.
  await buy(page, { toolId: 'file-note-ai' });
  await chargeTo('$30.00').click();
  await expect(dialog.getByRole('alert')).toContainText('The price has changed in the meantime. Nothing was charged');
  await expect(dialog).toContainText(/Due today \$28\.50/);
  await expect(dialog).toContainText(/charge \$28\.50 to Visa/);
  await chargeTo('$28.50').click();
  await expect(toastWith(page, 'Subscription Reactivated')).toBeVisible();
  await expect(row(page, 'Risk Profile AI')).toContainText('Active');
});

test('an adviser switches auto-renewal and reminders, and unsubscribes by the link', async ({ page }) => {
  test.slow();
  const { email } = await signedInAdviser(page);
  await buy(page, { toolId: 'fact-find-ai' });
  await page.goto('/');
  await unfoldSubscriptions(page);
  const renew = page.getByRole('switch', { name: 'Auto-renew Fact Find AI' });
  await renew.click();
  const question = page.getByRole('dialog', { name: 'Stop renewing Fact Find AI?' });
  await expect(question).toContainText(/Fact Find AI ends on \d+ \w+ \d{4}/);
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Stop renewing' }).click();
  await expect(toastWith(page, 'Auto-renewal disabled')).toBeVisible();
  await expect(row(page, 'Fact Find AI')).toContainText('Ends');
  await renew.check();
  await expect(toastWith(page, 'Auto-renewal enabled')).toBeVisible();
  await expect(row(page, 'Fact Find AI')).toContainText('Renews');

  // Within a week of the renewal, even in February.
  await advance(page, '25d');
  await page.reload();
  await test.step('badge and alert before the renewal', async () => {
    await expect(row(page, 'Fact Find AI')).toContainText(/Renews (in \d days|tomorrow)/);
    await expect(page.getByText(/^\$50\.00 is due on \d+ \w+$/)).toBeVisible();
  });

  await test.step('reminder settings are kept', async () => {
    await page.getByRole('button', { name: 'Reminder settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Renewal reminders' });
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
    const week = dialog.getByRole('checkbox', { name: '7 days before' });
    await week.uncheck();
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
    await page.getByRole('button', { name: 'Reminder settings' }).click();
    await expect(week).toBeChecked();
    await week.uncheck();
    await dialog.getByRole('button', { name: 'Save settings' }).click();
    await expect(toastWith(page, 'Settings updated')).toBeVisible();
    await page.reload();
    await expect(page.getByText('By email and in the app, 3 and 1 day before a renewal')).toBeVisible();
  });

  await test.step('one press unsubscribes, signed out; opening the page does not', async () => {
    const link = linkIn(await mailTo(page, email, /^(In \d days|Tomorrow): \$50\.00/), '/unsubscribe');
    const other = await anotherBrowser(page);
    await other.goto(originOf(page) + link);
    await expect(other).toHaveURL(`${originOf(page)}/unsubscribe`);
    await page.reload();
    await expect(page.getByText('By email and in the app')).toBeVisible();
    await other.getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(other.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible();
    await expectAccessible(other);
    await other.context().close();
    await page.getByRole('button', { name: 'Reminder settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Renewal reminders' });
    await expect(dialog.getByRole('checkbox', { name: 'Email reminders' })).not.toBeChecked();
    await dialog.getByRole('checkbox', { name: '1 day before' }).uncheck();
    await dialog.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByText('In the app, 3 days before a renewal')).toBeVisible();
  });
});

test('each call that fails says so in its own words', async ({ page, allowStatuses }) => {
  allowStatuses(500);
  await signedInAdviser(page);
  await buy(page, { toolId: 'pre-fill-ai' });
  await page.goto('/');
  await unfoldSubscriptions(page);
  const broken = { status: 500, contentType: 'text/html', body: 'proxy' };
  await page.route('**/api/cancel-subscription', (route) => route.fulfill(broken));
  await page.route('**/api/reactivate-subscription', (route) => route.fulfill(broken));
  await page.route('**/auto-renew', (route) => route.fulfill(broken));
  await page.route('**/api/reminder-settings', (route) =>
    route.request().method() === 'POST' ? route.fulfill(broken) : route.continue(),
  );

  await test.step('Auto-renew', async () => {
    await page.getByRole('switch', { name: 'Auto-renew Pre-Fill AI' }).click();
    const question = page.getByRole('dialog');
    await question.getByRole('button', { name: 'Stop renewing' }).click();
    await expect(question.getByRole('alert')).toContainText('Failed to update auto-renewal settings.');
    await question.getByRole('button', { name: 'Keep renewing' }).click();
    await expect(page.getByRole('switch', { name: 'Auto-renew Pre-Fill AI' })).toBeChecked();
  });
  await test.step('Reminder update', async () => {
    await page.getByRole('button', { name: 'Reminder settings' }).click();
    await page.getByRole('checkbox', { name: '3 days before' }).click();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to update reminder settings.' })).toBeVisible();
    await page.keyboard.press('Escape');
  });
  await test.step('Cancel', async () => {
    await page.getByRole('button', { name: 'Cancel: Pre-Fill AI' }).click();
    await page.getByRole('radio', { name: 'Poor support' }).check();
    await page.getByRole('button', { name: 'Confirm cancellation' }).click();
    await expect(
      page.getByRole('alert').filter({ hasText: 'Failed to cancel subscription. Please try again.' }),
    ).toBeVisible();
    await page.keyboard.press('Escape');
  });
  await test.step('Reactivate', async () => {
    await page.unroute('**/api/cancel-subscription');
    await post(page, '/api/cancel-subscription', { toolId: 'pre-fill-ai' });
    await page.reload();
    await row(page, 'Pre-Fill AI').getByRole('button', { name: 'Reactivate Pre-Fill AI' }).click();
    await expect(toastWith(page, 'Failed to reactivate subscription. Please try again.')).toBeVisible();
  });
});

test('a tool that was cancelled in another window says so, and the page shows it', async ({ page, allowStatuses }) => {
  allowStatuses(409);
  await signedInAdviser(page);
  await buy(page, { toolId: 'pre-fill-ai' });
  await page.goto('/');
  await unfoldSubscriptions(page);
  await page.getByRole('button', { name: 'Cancel Subscription: Pre-Fill AI' }).click();
  await page.getByRole('radio', { name: 'Poor support' }).check();
  await post(page, '/api/cancel-subscription', { toolId: 'pre-fill-ai' });
  await page.getByRole('button', { name: 'Confirm cancellation' }).click();
  await expect(toastWith(page, 'Already Cancelled')).toContainText('This subscription is already cancelled.');
  await expect(row(page, 'Pre-Fill AI')).toContainText('Cancelling');
});

test('Escape leaves a dialog open while its call is under way, and closes it once it says what failed', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(500);
  await signedInAdviser(page);
  await buy(page, { toolId: 'pre-fill-ai' });
  await page.goto('/');
  await unfoldSubscriptions(page);
  const broken = { status: 500, contentType: 'text/html', body: 'proxy' };
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/cancel-subscription', async (route) => {
    await held;
    await route.fulfill(broken);
  });
  await page.route('**/api/reminder-settings', (route) =>
    route.request().method() === 'POST' ? route.fulfill(broken) : route.continue(),
  );
  /** Presses Escape in the same moment in which the message is put into the dialog. */
  const escapeWithMessage = () =>
    page.evaluate(() => {
      const pressed = new MutationObserver(() => {
        if (!document.querySelector('[role=dialog] [role=alert]')?.textContent) return;
        pressed.disconnect();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
      });
      pressed.observe(document.body, { subtree: true, childList: true, characterData: true });
    });

  await test.step('reminder settings', async () => {
    await page.getByRole('button', { name: 'Reminder settings' }).click();
    await page.getByRole('checkbox', { name: '3 days before' }).click();
    await escapeWithMessage();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
  await test.step('cancellation', async () => {
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Cancel: Pre-Fill AI' }).click();
    await page.getByRole('radio', { name: 'Poor support' }).check();
    await page.getByRole('button', { name: 'Confirm cancellation' }).click();
    await expect(dialog.getByRole('button', { name: 'Cancelling…' })).toBeVisible();
    await page.keyboard.press('Escape');
    release();
    await expect(dialog.getByRole('alert')).toBeVisible();
    await escapeWithMessage();
    await page.getByRole('button', { name: 'Confirm cancellation' }).click();
    await expect(dialog).toHaveCount(0);
  });
  await test.step('a question', async () => {
    await post(page, '/api/teams', { name: 'Harbour Advice' });
    const question = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/teams/*', async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback();
      await question;
      return route.fulfill(broken);
    });
    await page.goto('/teams?tab=settings');
    await page.getByRole('button', { name: 'Close practice…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Close Harbour Advice?' });
    await dialog.getByRole('button', { name: 'Close practice', exact: true }).click();
    await expect(dialog.getByRole('button', { name: 'Closing the practice…' })).toBeVisible();
    await page.keyboard.press('Escape');
    release();
    await expect(dialog.getByRole('alert')).toBeVisible();
  });
});
