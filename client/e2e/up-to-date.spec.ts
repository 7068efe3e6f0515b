import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { usualChecks } from '../../shared/rules/record/record.ts';
import { button, field, toast } from './accounts-steps.ts';
import { buy } from './purchase-steps.ts';
import { anotherBrowser, expect, newAddress, post, signedInAdviser, signedInDemo, test } from './fixtures.ts';

// A price that is set here would surprise other journeys.
test.use({ apart: 'up-to-date' });
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

/** The owner of a practice; returns its id. */
const owner = async (page: Page) => {
  await signedInAdviser(page, { firstName: 'Grace' });
  return String((await post(page, '/api/teams', { name: 'Harbour Advice' }))['id']);
};

test('a review says what was checked by a list that the practice has changed since', async ({ page }) => {
  const teamId = await owner(page);
  const { id: accountableId } = (await (await page.request.get('/api/user')).json()) as { id: string };
  const about = { name: 'ChatGPT', usedFor: 'Letters', dataAllowed: 'No names', reviewDue: null, accountableId };
  const { tools } = await post(page, `/api/teams/${teamId}/record/tools`, about);
  const { toolId } = (tools as { toolId: string; outside: boolean }[]).find(({ outside }) => outside)!;
  const usedAt = (await page.request.get('/api/tools')).headers()['business-date'];
  const session = { id: randomUUID(), toolId, usedAt, purpose: 'client_letter', clientReference: '', remark: '' };
  await post(page, '/api/record/sessions', { ...session, checked: true, checks: [usualChecks[0]] });

  await page.goto('/teams?tab=record&part=rules');
  await page.getByLabel(/^What advisers can tick/).fill('Spelling');
  await button(page, 'Save').click();
  await expect(toast(page, 'Rules saved')).toBeVisible();

  await page.goto('/record');
  await page.getByRole('button', { name: /^Details: ChatGPT/ }).click();
  await page.getByLabel(/^Remark/).fill('The second page, too');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Details: ChatGPT/ }).click();
  await expect(page.getByText('We saved your draft.')).toBeVisible();
  await expect(page.getByLabel(/^Remark/)).toHaveValue('The second page, too');
  await button(page, 'Add to the record').click();
  await expect(toast(page, 'Added to the record')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'ChatGPT' })).toContainText('The second page, too');
});

test('who is left of a list keeps their role, and a role that was not given is not shown again', async ({ page }) => {
  const teamId = await owner(page);
  const email = newAddress('mia');
  const { inviteUrl } = await post(page, `/api/teams/${teamId}/invite`, { email });
  const mia = await anotherBrowser(page);
  await signedInAdviser(mia, { firstName: 'Mia', email });
  const token = new URL(String(inviteUrl)).searchParams.get('token')!;
  await post(mia, `/api/invitations/${token}/accept`, {});
  await mia.context().close();

  await page.goto('/teams');
  const change = page.getByRole('button', { name: /^Change the role of Mia/ });
  await change.click();
  await field(page, 'Role').last().selectOption('Admin');
  await button(page, 'Keep role').click();
  await change.click();
  await expect(page.getByRole('dialog').getByLabel('Role', { exact: true })).toHaveValue('member');
  await button(page, 'Keep role').click();

  await page.route('**/invitations', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ json: [{ email: 'rae@practice.example', outcome: 'limit_reached', inviteUrl: null }] })
      : route.fallback(),
  );
  await button(page, 'Invite several people').click();
  await field(page, 'Email addresses').fill('Rae,rae@practice.example,reviewer');
  await button(page, 'Send 1 invitation').click();
  await expect(toast(page, 'Invitations Sent')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Preview' }).getByText('Reviewer', { exact: true })).toBeVisible();
});

test('another payer’s pages and years begin anew, what is searched as well, and the focus stays', async ({ page }) => {
  const teamId = await owner(page);
  await page.goto('/dashboard?tab=billing&told=2&team=me');
  await field(page, 'Who pays').selectOption('Harbour Advice');
  await expect(page).toHaveURL(`/dashboard?tab=billing&team=${teamId}`);
  await page.goto('/invoices?team=me&year=2026&page=2');
  await field(page, 'Who pays').selectOption('Harbour Advice');
  await expect(page).toHaveURL(`/invoices?team=${teamId}`);

  const search = page.getByRole('dialog', { name: 'Search and go' }).getByRole('combobox');
  await page.keyboard.press('Control+k');
  await search.fill('password');
  await page.keyboard.press('Control+k');
  await expect(search).toBeHidden();
  await page.keyboard.press('Control+k');
  await expect(search).toHaveValue('');
  await page.keyboard.press('Escape');

  await buy(page, { toolId: 'risk-profile-ai' });
  await page.goto('/invoices?team=me');
  await field(page, 'Financial year').focus();
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/year=/);
  await expect(page.getByRole('table').getByText('Risk Profile AI').first()).toBeVisible();
  await expect(field(page, 'Financial year')).toBeFocused();
  await page.goto('/dashboard?tab=billing&team=me');
  await button(page, 'Add bookkeeper').click();
  await field(page, 'Email address').fill(newAddress('books'));
  await button(page, 'Send confirmation').click();
  await button(page, 'Remove').press('Enter');
  await expect(button(page, 'Add bookkeeper')).toBeFocused();
});

test('a maker takes a change of a tool back, and a price that is proposed is no draft', async ({ page }) => {
  await signedInAdviser(page);
  const made = { name: 'Fee Finder AI', description: 'Finds fees.', scopes: ['name'] };
  const addresses = { domain: 'https://fees.example/start', eventsUrl: '' };
  const { tool } = await post(page, '/api/developers/tools', { ...made, ...addresses });
  const { id } = tool as { id: string };
  await page.goto(`/developers?tool=${id}`);
  for (const name of ['Cost Finder AI', 'Fee Finder AI']) {
    await field(page, 'Name of the tool').fill(name);
    await button(page, 'Save settings').click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(button(page, 'Save settings')).not.toHaveAttribute('aria-disabled', 'true');
  }

  const held: (() => void)[] = [];
  await page.route(`**/api/developers/tools/${id}`, async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.fallback();
  });
  await field(page, 'Price a month, in dollars with GST').fill('30');
  await button(page, 'Propose this price').click();
  await expect(page.getByText(/You propose \$30\.00 a month/)).toBeVisible();
  await page.unroute(`**/api/developers/tools/${id}`);
  for (const release of held) release();
  await expect(field(page, 'Price a month, in dollars with GST')).toHaveValue('30.00');
  await expect(page.getByText('We saved your draft.')).toHaveCount(0);
});

test('a message that was sent is no draft', async ({ page }) => {
  await signedInAdviser(page);
  await page.goto('/help?tab=support');
  await field(page, 'Topic').selectOption('Training');
  await field(page, 'Message').fill('When is the next one?');
  await button(page, 'Send message').click();
  await expect(button(page, 'Write another message')).toBeFocused();
  await page.getByRole('tab', { name: 'FAQ' }).click();
  await page.getByRole('tab', { name: 'Support' }).click();
  await expect(field(page, 'Message')).toHaveValue('');
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
  await expect(page.getByText('We saved your draft.')).toHaveCount(0);
});

test('an administrator whose page has an old price is told, and sets theirs with the next press', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(409);
  const other = await anotherBrowser(page);
  const open = async (admin: Page, name: 'admin' | 'admin2', price: string) => {
    await signedInDemo(admin, name);
    await admin.goto('/admin/tools/fact-find-ai');
    await button(admin, 'Change price…').click();
    await admin.getByLabel('New price a month, in dollars with GST').fill(price);
    await admin.getByLabel('Reason').fill('Costs');
  };
  await open(page, 'admin', '55');
  await open(other, 'admin2', '52');
  await button(other, 'Set price').click();
  await expect(other.getByText('$52.00 a month', { exact: true })).toBeVisible();
  await button(page, 'Set price').click();
  await expect(page.getByRole('dialog')).toContainText('Somebody else has changed this tool in the meantime.');
  await expect(page.getByRole('dialog')).toContainText('It is $52.00 a month today.');
  await button(page, 'Set price').click();
  await expect(page.getByText('$55.00 a month', { exact: true })).toBeVisible();
  await other.context().close();
});
