import type { Page } from '@playwright/test';
import { startE2eServer } from '../../../server/testing/child-server.ts';
import { administratorOf, button, field, toast, visitorOf } from '../accounts-steps.ts';
import {
  demoPassword,
  expect,
  expectAccessible,
  mailTo,
  post,
  signedInAdviser,
  serverStartMs,
  test,
} from '../fixtures.ts';
import { buy } from '../purchase-steps.ts';

let server: Awaited<ReturnType<typeof startE2eServer>>;
test.beforeAll(async () => {
  test.setTimeout(serverStartMs);
  server = await startE2eServer({ FOUR_EYES: 'on' });
});
test.afterAll(() => server.stop());

/** Every action of an administrator asks for proof of who is there, unless they have just given it. */
async function prove(page: Page) {
  const question = page.getByRole('dialog', { name: "Please confirm it's you" });
  await question.getByLabel('Your password', { exact: true }).fill(demoPassword);
  await question.getByRole('button', { name: 'Confirm' }).click();
}

/** Fills in free months of File Note AI on the person's page, up to the reason. */
async function fillInMonths(page: Page, email: string, months: string) {
  await page.goto(`/admin?tab=users&search=${encodeURIComponent(email)}`);
  await page.getByRole('link', { name: 'Mia' }).click();
  await button(page, 'Manage File Note AI').click();
  const dialog = page.getByRole('dialog', { name: 'File Note AI' });
  await dialog.getByLabel('Give months free').check();
  await dialog.getByLabel('How many months').fill(months);
  await expect(
    dialog.getByText(/^File Note AI: \$25\.00 on .+ are not charged\. It costs \$25\.00 from /),
  ).toBeVisible();
  return dialog;
}

const dashboardRow = (page: Page) =>
  page
    .getByRole('region', { name: 'Subscriptions', exact: true })
    .getByRole('listitem')
    .filter({ hasText: 'File Note AI' });

test('an administrator gives two months free, another undoes it, and it is given again: the adviser is told and charged so', async ({
  browser,
  allowStatuses,
}) => {
  allowStatuses(403);
  test.slow();
  const person = await visitorOf(server, browser);
  await person.goto('/privacy');
  const { email } = await signedInAdviser(person, { firstName: 'Mia' });
  await buy(person, { toolId: 'file-note-ai' });

  const [first, second] = [
    await administratorOf(server, browser, 'admin'),
    await administratorOf(server, browser, 'admin2'),
  ];
  const sentence = /Mia .+ 2 months free of File Note AI/;

  await test.step('given, with what it saves and why', async () => {
    const dialog = await fillInMonths(first, email, '2');
    await expect(dialog.getByText(/^In all, \$50\.00 is not charged\./)).toBeVisible();
    await expectAccessible(first);
    await dialog.getByRole('button', { name: 'Give months free' }).click();
    await expect(dialog.getByRole('textbox', { name: 'Reason' })).toHaveAccessibleDescription(/./);
    await expect(dialog).toBeVisible();
    await field(first, 'Reason').fill('It was away for a week in May');
    await first.request.post('/dev/forget-proofs', { maxRedirects: 0 });
    await dialog.getByRole('button', { name: 'Give months free' }).click();
    await prove(first);
    await expect(toast(first, '$50.00 will not be charged. The user is told by email.')).toBeVisible();
  });

  await test.step('a mail, the row and the next charge say so', async () => {
    const mail = await mailTo(person, email, /^2 months are free/);
    expect(mail.text).toContain('gave you 2 months free of File Note AI, from ');
    expect(mail.text).toContain('It was away for a week in May');
    expect(mail.text).toMatch(/Nothing is charged on .+From .+ the bill is \$25\.00 a month/s);
    await person.goto('/dashboard?tab=billing');
    await expect(dashboardRow(person)).toContainText(/free/i);
    await expectAccessible(person);
  });

  await test.step('undone while nothing was free of them: the next invoice asks for its price again', async () => {
    await second.goto('/admin/today');
    await second.getByRole('button', { name: sentence }).filter({ hasText: 'Undo' }).click();
    await field(second, 'Reason').fill('It was given to the wrong person');
    await second.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await prove(second);
    await expect(toast(second, 'It was undone.')).toBeVisible();
    const mail = await mailTo(person, email, /^No months are free after all/);
    expect(mail.text).toContain('Nothing has been charged since.');
    await person.goto('/dashboard?tab=billing');
    await expect(dashboardRow(person)).not.toContainText(/free/i);
    await expect(dashboardRow(person)).toContainText('$25.00/month');
  });

  await test.step('given again', async () => {
    const dialog = await fillInMonths(first, email, '2');
    await field(first, 'Reason').fill('It was the right person');
    await dialog.getByRole('button', { name: 'Give months free' }).click();
    await expect(toast(first, '$50.00 will not be charged. The user is told by email.')).toBeVisible();
    await second.goto('/admin/today');
  });

  await test.step('a day later it can’t be undone any more', async () => {
    await expect(second.getByRole('button', { name: sentence }).filter({ hasText: 'Undo' })).toHaveCount(1);
    await post(person, '/dev/clock', { advance: '25h' });
    await second.goto('/admin/today');
    await expect(second.getByText(sentence).first()).toBeVisible();
    await expect(second.getByRole('button', { name: sentence }).filter({ hasText: 'Undo' })).toHaveCount(0);
  });

  await test.step('the next two invoices ask for nothing, the third for the full price', async () => {
    const totals = async () =>
      (
        (await (await person.request.get('/api/billing/invoices?page=1')).json()) as {
          invoices: { amount: number }[];
        }
      ).invoices.map(({ amount }) => amount);
    for (const expected of [
      // An invoice of $0.00 is not listed.
      [2500],
      [2500],
      [2500, 2500],
    ]) {
      await post(person, '/dev/clock', { advance: 'next-renewal' });
      await post(person, '/dev/clock', { advance: '2h' });
      await expect.poll(totals).toEqual(expected);
    }
    await person.goto('/dashboard?tab=billing');
    await expect(dashboardRow(person)).toContainText('$25.00/month');
  });

  for (const page of [person, first, second]) await page.context().close();
});
