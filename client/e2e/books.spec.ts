import type { Page } from '@playwright/test';
import { button, field, heading, toast } from './accounts-steps.ts';
import {
  anotherBrowser,
  expect,
  expectAccessible,
  linkIn,
  mailTo,
  newAddress,
  originOf,
  post,
  signedInAdviser,
  test,
} from './fixtures.ts';
import { buy } from './purchase-steps.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

/** An owner with a practice, which pays for one tool. */
async function practice(page: Page): Promise<string> {
  await signedInAdviser(page, { firstName: 'Karen' });
  const { id } = (await post(page, '/api/teams', { name: 'Harbour Advice' })) as { id: string };
  await buy(page, { toolId: 'risk-profile-ai', teamId: id });
  return id;
}
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a bookkeeper confirms, gets the next tax invoice as PDF, and stops', async ({ page }) => {
  test.slow();
  const teamId = await practice(page);
  // An owner whose tools are all the practice's buys for it, unless they choose otherwise.
  await page.goto('/subscribe/pre-fill-ai');
  await expect(page.getByRole('radio', { name: /For my team, Harbour Advice/ })).toBeChecked();

  const email = newAddress('books');
  await page.goto(`/teams?team=${teamId}&tab=billing`);
  await expect(region(page, 'Next bill by person')).toContainText('$30.00');
  await button(page, 'Add bookkeeper').click();
  await field(page, 'Email address').fill(email);
  await button(page, 'Send confirmation').click();
  await expect(toast(page, 'Confirmation Sent')).toBeVisible();
  await expect(region(page, 'Bookkeeper')).toContainText('Not confirmed yet');
  await expectAccessible(page);

  const bookkeeper = await anotherBrowser(page);
  await bookkeeper.goto(linkIn(await mailTo(page, email, /^Get the receipts/), '/bookkeeper/confirm'));
  await expect(bookkeeper).toHaveURL('/bookkeeper/confirm');
  await expectAccessible(bookkeeper);
  await button(bookkeeper, 'Get the copies').click();
  await expect(heading(bookkeeper, 'Thank you')).toBeVisible();
  await page.reload();
  await expect(region(page, 'Bookkeeper')).toContainText('Gets every receipt and tax invoice');

  await buy(page, { toolId: 'file-note-ai', teamId });
  await post(page, '/dev/clock', { advance: '1m' });
  const copy = await mailTo(page, email, /^Tax invoice .+, Harbour Advice$/);
  await bookkeeper.goto(linkIn(copy, '/bookkeeper/stop'));
  await button(bookkeeper, 'Stop these emails').click();
  await expect(heading(bookkeeper, 'No more copies')).toBeVisible();
  await page.reload();
  await expect(button(page, 'Add bookkeeper')).toBeVisible();
});

test('a member asks for a tool; the owner sees its cost and declines; the member reads why', async ({ page }) => {
  test.slow();
  const teamId = await practice(page);
  const jane = await anotherBrowser(page);
  const email = newAddress('jane');
  await signedInAdviser(jane, { firstName: 'Jane', email });
  await post(page, `/api/teams/${teamId}/invite`, { email });
  await jane.goto(linkIn(await mailTo(page, email, /invites you to/), '/accept-invitation'));
  await button(jane, 'Accept invitation').click();
  await expect(heading(jane, 'Welcome to Harbour Advice')).toBeVisible();
  await jane.goto('/dashboard');
  await button(jane, 'Ask Harbour Advice for Pre-Fill AI').click();
  await field(jane, 'What do you need it for?').fill('Forms take me two hours each');
  await expectAccessible(jane);
  await jane.getByRole('dialog').getByRole('button', { name: 'Ask Harbour Advice' }).click();
  await expect(toast(jane, 'Question Sent')).toBeVisible();
  await expect(jane.getByText(/You asked Harbour Advice for it on/)).toBeVisible();

  await mailTo(page, email, /Welcome to Harbour Advice/);
  await page.goto(`/teams?team=${teamId}&tab=record`);
  const asked = region(page, 'Asked for');
  await expect(asked).toContainText('Forms take me two hours each');
  await expect(asked).toContainText(/It would cost \$[\d.]+ a month for 2 members\./);
  await expect(asked.getByRole('link', { name: 'Buy Pre-Fill AI' })).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Decline Pre-Fill AI').click();
  await field(page, 'Reason').fill('Not before the audit');
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await expect(asked).toContainText('The answer: “Not before the audit”');

  // What the practice doesn't allow is not offered for it.
  const stopped = await page.request.put(`/api/teams/${teamId}/record/tools/share-advice-ai`, {
    data: { allowed: false },
    headers: { origin: originOf(page) },
  });
  expect(stopped.status()).toBe(200);
  await page.goto(`/teams?team=${teamId}&tab=tools`);
  const more = region(page, 'More tools').getByRole('listitem').filter({ hasText: 'Share Advice AI' });
  await expect(more).toContainText('Not allowed');
  await expect(more.getByRole('link', { name: /Subscribe/ })).toHaveCount(0);

  await mailTo(page, email, /Harbour Advice declined Pre-Fill AI/);
  await jane.reload();
  await expect(jane.getByText('Harbour Advice declined.')).toBeVisible();
  await expect(jane.getByText('Not before the audit')).toBeVisible();
});
