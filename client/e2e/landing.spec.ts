import type { Page } from '@playwright/test';
import { expect, expectAccessible, shiftOf, signedInAdviser, test, watchShift } from './fixtures.ts';

type Tool = { id: string; name: string; basePrice: string; comingSoon: boolean };
type Tier = { toolCount: number; discountPercent: string };

/** Without the tool that the developers' journey may have published and closed on this server. */
const toolsOf = async (page: Page) =>
  ((await (await page.request.get('/api/tools')).json()) as Tool[]).filter(({ id }) => id !== 'fee-finder-ai');
const short = (tool: Tool) => `$${tool.basePrice.replace(/\.00$/, '')}`;
const link = (page: Page, name: string, within = 'main') =>
  page.locator(within).getByRole('link', { name, exact: true });
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const badges = ['SOC 2 Type II', 'ISO 27001', 'Bank-Grade Encryption', 'GDPR Compliant', 'Cloud Hosted'];

test('landing: texts to the letter and where each button leads', async ({ page }) => {
  await page.goto('/');
  const header = page.getByRole('banner');
  await expect(header).toContainText('Efficient Adviser Tools');
  await expect(header.getByRole('group', { name: 'Theme' })).toBeVisible();
  for (const [name, path] of Object.entries({ Help: '/help', Privacy: '/privacy', 'Sign In': '/auth' }))
    await expect(link(page, name, 'header')).toHaveAttribute('href', path);

  await expect(page.getByText('30-day free trial', { exact: true })).toBeVisible();
  await expect(page.getByText('No Credit Card Required', { exact: true })).toBeVisible();
  for (const badge of badges) await expect(page.getByText(badge, { exact: true })).toBeVisible();
  for (const name of ['Start 30-Day Free Trial', 'Start Free Trial', 'Start Team Trial', 'Start Free Trial Today'])
    await expect(link(page, name)).toHaveAttribute('href', '/auth?tab=sign-up');

  await expect(card(page, 'Team')).toContainText('Most Popular');
  await expect(card(page, 'Team')).toContainText('15% off');
  await expect(card(page, 'Team')).toContainText('45 days');
  const plan = card(page, 'Enterprise').getByRole('link', { name: 'Contact Sales', exact: true });
  await expect(plan).toHaveAttribute('href', /^mailto:enterprise@adviserly\.example\?subject=/);
  const enterprise = page.getByRole('region', { name: 'More than 19 advisers?' });
  await expect(enterprise.getByRole('link', { name: 'Contact Sales', exact: true })).toHaveAttribute(
    'href',
    /^mailto:sales@adviserly\.example\?/,
  );
  const demo = await enterprise.getByRole('link', { name: 'Schedule Demo', exact: true }).getAttribute('href');
  const mail = new URL(demo ?? '');
  expect([mail.protocol, mail.pathname]).toEqual(['mailto:', 'sales@adviserly.example']);
  expect(mail.searchParams.get('subject')).toContain('Demo request');
  expect(mail.searchParams.get('body')).toContain('Number of advisers:');
  await expect(page.getByText('Advisers of Shaw and Partners get 50% off')).toBeVisible();

  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('link', { name: 'Security' })).toHaveAttribute('href', '/security');
  await expect(footer).toContainText('Adviserly Pty Ltd · ABN 00 000 000 000');
  await expect(footer.getByRole('link', { name: 'support@adviserly.example' })).toHaveAttribute(
    'href',
    'mailto:support@adviserly.example',
  );

  await link(page, 'Explore Tools').click();
  await expect(page.getByRole('heading', { name: 'One tool for each piece of paperwork' })).toBeInViewport();
  await link(page, 'Start Free Trial Today').click();
  await expect(page).toHaveURL(/\/auth\?tab=sign-up$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Create your account' })).toBeVisible();
});

test('every price on the landing page is what GET /api/tools says', async ({ page }) => {
  const tools = await toolsOf(page);
  await page.goto('/');
  for (const tool of tools) {
    if (tool.comingSoon) await expect(card(page, tool.name)).not.toContainText('$');
    else if (Number(tool.basePrice) === 0)
      await expect(card(page, tool.name)).toContainText('Free with any other subscription');
    else await expect(card(page, tool.name)).toContainText(`${short(tool)} per month`);
  }
  const paid = tools.filter((tool) => !tool.comingSoon && Number(tool.basePrice) > 0);
  const prices = paid.map((tool) => Number(tool.basePrice));
  const range = `$${Math.min(...prices)}–$${Math.max(...prices)}`;
  await expect(card(page, 'Individual')).toContainText(range);
  await expect(page.getByText(`${range} per tool per month, GST included.`)).toBeVisible();

  const tiers = (await (await page.request.get('/api/discounts/tiers')).json()) as Tier[];
  const calculator = page.getByRole('region', { name: 'Work out your price' });
  for (const box of await calculator.getByRole('checkbox').all()) await box.check();
  const best = Math.max(...tiers.filter((tier) => tier.toolCount <= paid.length).map((t) => Number(t.discountPercent)));
  await expect(calculator).toContainText(`${best}% off`);
  for (const box of await calculator.getByRole('checkbox').all()) await box.uncheck();
  await expect(calculator).toContainText('$0.00');
  for (const name of ['risk-profile-ai', 'fact-find-ai']) await calculator.locator(`[name=${name}]`).check();
  await calculator.getByLabel('Advisers').selectOption('5');
  await expect(calculator).toContainText('per month for 5 advisers');
  await expect(calculator).toContainText('15% off');
});

test('landing: Learn More says what, for whom and at what price, with the keyboard too', async ({ page }) => {
  const tools = await toolsOf(page);
  await page.goto('/');
  await expect(card(page, 'Advice Writer AI').getByRole('button', { name: 'Coming Soon', exact: true })).toBeDisabled();
  for (const tool of tools.filter(({ comingSoon }) => !comingSoon)) {
    const button = card(page, tool.name).getByRole('button', { name: 'Learn More', exact: true });
    await expect(button).toHaveAccessibleDescription(tool.name);
    const dialog = page.getByRole('dialog', { name: tool.name });
    await button.focus();
    // Until the page is taken over, a press does nothing.
    await expect(async () => {
      await page.keyboard.press('Enter');
      await expect(dialog).toBeVisible({ timeout: 1000 });
    }).toPass();
    const price = Number(tool.basePrice) > 0 ? `$${tool.basePrice} per month` : 'Free with any other subscription';
    const texts = (await (await page.request.get(`/api/tools/${tool.id}/texts`)).json()) as {
      features: string[];
      audience: string;
    };
    const features = texts.features.length === 0 ? [] : ['What it does'];
    const forWhom = texts.audience === '' ? [] : ['Who it is for'];
    for (const words of [...features, ...forWhom, price]) await expect(dialog).toContainText(words);
    await expect(dialog.getByRole('link', { name: 'Start 30-Day Free Trial' })).toHaveAttribute(
      'href',
      `/auth?tab=sign-up&returnTo=${encodeURIComponent(`/subscribe/${tool.id}`)}`,
    );
    if (tool.id === 'fact-find-ai') await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(button).toBeFocused();
  }
});

test('axe finds nothing on the landing page, in either theme, and nothing is wider than a phone', async ({ page }) => {
  await page.goto('/');
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(360);
});

test('the HTML alone holds the headline and the prices, at every signed-out path', async ({ page }) => {
  const tools = await toolsOf(page);
  for (const path of ['/', '/dashboard', '/no-such-page']) {
    const html = await (await page.request.get(path)).text();
    expect(html).toContain('Less paperwork. More advice.');
    expect(html).toContain('Start 30-Day Free Trial');
    for (const tool of tools.filter(({ comingSoon, basePrice }) => !comingSoon && Number(basePrice) > 0))
      expect(html).toContain(short(tool));
    expect(html).toMatch(/<link rel="canonical" href="[^"]+\/" \/>/);
  }
});

/** As `watchShift`, and remembers the headline that was painted. */
async function watchTakeOver(page: Page) {
  await watchShift(page);
  await page.addInitScript(() =>
    document.addEventListener('DOMContentLoaded', () =>
      Object.assign(globalThis, { first: document.querySelector('h1') }),
    ),
  );
}

/** Waits until the page answers a click, then says whether its headline is the painted one and how much has shifted. */
async function takenOver(page: Page) {
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  const box = page.getByRole('checkbox').first();
  await expect(async () => {
    await box.click();
    await expect(box).not.toBeChecked({ timeout: 500 });
  }).toPass();
  const same = await page.evaluate(
    () => (globalThis as unknown as { first: Element }).first === document.querySelector('h1'),
  );
  return { same, shift: await shiftOf(page) };
}

test('the page is taken over without a change: what was painted stays, and nothing moves', async ({ page }) => {
  await watchTakeOver(page);
  await page.route('**/*.woff2', () => undefined);
  expect(await takenOver(page)).toEqual({ same: true, shift: 0 });
});

test('the typeface moves the page by a tenth at most of what counts as good, whatever stood in for it', async ({
  page,
}) => {
  await watchTakeOver(page);
  const { shift } = await takenOver(page);
  await page.evaluate(() => document.fonts.ready);
  expect(shift).toBeLessThan(0.01);
});

/** Names of the fonts that the first heading is actually drawn with. */
async function fontsOfHeading(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.map(({ familyName }) => familyName).join();
}

test("a phone's first page leaves the line to its picture; the next one is drawn in the typeface", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await watchTakeOver(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  expect(await takenOver(page)).toEqual({ same: true, shift: 0 });
  const first = (pattern: RegExp) => asked.findIndex((url) => pattern.test(url));
  expect(first(/-780-.*webp$/)).toBeLessThan(first(/\/framework-/));
  await expect.poll(() => first(/woff2$/)).toBeGreaterThan(first(/\/framework-/));
  expect(await fontsOfHeading(page)).not.toContain('Inter');
  await page.evaluate(() => document.fonts.ready);

  await link(page, 'Sign In', 'header').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in to Adviserly' })).toBeVisible();
  expect(await fontsOfHeading(page)).toContain('Inter');
  // One that a busy machine reads too late from its own cache is not drawn.
  await expect(async () => {
    await page.reload();
    expect(await fontsOfHeading(page)).toContain('Inter');
  }).toPass();
});

test('somebody who signs in elsewhere while a visitor’s page is loading is there once it is taken over', async ({
  page,
  context,
}) => {
  const other = await context.newPage();
  await page.route('**/take-over.js', async (route) => {
    await signedInAdviser(other);
    await other.goto('/');
    await route.continue();
  });
  await page.goto('/privacy');
  await expect(link(page, 'Sign In', 'header')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('somebody signed in never gets the landing page, not even for a moment', async ({ page }) => {
  await signedInAdviser(page);
  const answer = await page.goto('/');
  expect(await answer?.text()).not.toContain('Less paperwork. More advice.');
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeVisible();
});

test('every tool has a page for visitors, which leads through the sign-up to the tool', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Fact Find AI', exact: true }).click();
  await expect(page).toHaveURL('/tools/fact-find-ai');
  for (const { id, name } of await toolsOf(page)) {
    await page.goto(`/tools/${id}`);
    await expect(page).toHaveTitle(`${name} · Adviserly`);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Supplier due diligence' })).toContainText(
      'What the tool receives about you',
    );
  }
  await page.goto('/tools/fact-find-ai');
  const sample = page.getByRole('img', { name: 'A sample of what Fact Find AI hands over' });
  await expect.poll(() => sample.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole('link', { name: 'Start 30-Day Free Trial' }).first().click();
  await expect(page).toHaveURL('/auth?tab=sign-up&returnTo=%2Fsubscribe%2Ffact-find-ai');
  await page.goto('/tools/no-such-tool');
  await expect(page.getByText("We couldn't find that tool.")).toBeVisible();
});
