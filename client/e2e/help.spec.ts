import { button, described, field, heading, toast } from './accounts-steps.ts';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, mailTo, newAddress, signedInAdviser, test } from './fixtures.ts';

/** The card of one way to reach us. */
const way = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test('help page: FAQ with its five categories, prices as the server says them', async ({ page }) => {
  await page.goto('/help');
  await expect(heading(page, 'Help & Support')).toBeVisible();
  await expect(page).toHaveTitle('Help · Adviserly');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Getting Started',
    'AI Tools',
    'Compliance & Security',
    'Billing & Plans',
    'Technical Support',
  ]);
  await expect(page.getByRole('tab')).toHaveText(['FAQ', 'Quick Start', 'Support', 'Resources']);

  const price = page.getByText('What does each tool cost?');
  await price.click();
  await expect(page.getByText('$30 per month').first()).toBeVisible();
  await expect(page.getByText('Free with any other subscription')).toBeVisible();
  await expectAccessible(page);
  await price.click();
  await expect(page.getByText('$30 per month').first()).toBeHidden();
});

test('help page: what is typed before the app has arrived stays, and is searched for', async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/help', { waitUntil: 'commit' });
  await page.getByRole('searchbox').pressSequentially('reset password');
  await heading(page, 'Help & Support').evaluate((painted) => Object.assign(globalThis, { painted }));
  release();
  await expect(page).toHaveURL('/help?q=reset+password');
  await expect(page.getByText('2 questions found', { exact: true })).toBeVisible();
  const stays = () => (globalThis as unknown as { painted: Element }).painted === document.querySelector('h1');
  expect(await page.evaluate(stays)).toBe(true);
});

test('help page: search in questions and answers, in the address; no results', async ({ page }) => {
  await page.goto('/help');
  const price = page.getByText('What does each tool cost?');
  const search = page.getByRole('searchbox', { name: 'Search questions and answers' });
  await search.pressSequentially('RESET password');
  await expect(page).toHaveURL('/help?q=RESET+password');
  await expect(page.getByText('2 questions found', { exact: true })).toBeVisible();
  await expect(page.getByText('Why was I signed out?')).toBeVisible();
  await expect(page.getByText('A changed or reset password ends all other sessions.')).toBeVisible();
  await expect(price).toBeHidden();
  await page.reload();
  await expect(search).toHaveValue('RESET password');

  await search.fill('zebra crossing');
  await expect(page.getByText('No results found', { exact: true }).last()).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Clear Search').click();
  await expect(search).toHaveValue('');
  await expect(page).toHaveURL('/help');
  await expect(price).toBeVisible();
});

test('help page: Quick Start, Support, Resources, and back home', async ({ page }) => {
  await page.goto('/help?tab=quick-start');
  await expect(page.getByRole('tab', { name: 'Quick Start' })).toHaveAttribute('aria-selected', 'true');
  const guides = page.getByRole('tabpanel').getByRole('region');
  await expect(guides).toHaveCount(4);
  for (let i = 0; i < 4; i += 1) {
    await expect(guides.nth(i)).toContainText(/About \d+ minutes/);
    await expect(guides.nth(i)).toContainText(/Beginner|Intermediate/);
    expect(await guides.nth(i).locator('ol > li').count()).toBeGreaterThan(3);
  }
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Support' }).click();
  await expect(page).toHaveURL('/help?tab=support');
  for (const [title, words] of [
    ['Live Chat', 'Mon-Fri 8am-6pm AEST'],
    ['Phone', 'Mon-Fri 9am-5pm AEST'],
  ] as const) {
    const card = way(page, title);
    await expect(card).toContainText(words);
    // Nobody chats yet, so only the phone is open or closed.
    await expect(card.getByText(/^(Open|Closed) now$/)).toHaveCount(title === 'Phone' ? 1 : 0);
  }
  for (const [name, href] of [
    ['Send Email', /^mailto:support@/],
    ['Contact Enterprise Team', /^mailto:enterprise@/],
    ['Report Emergency', /^mailto:support@.*EMERGENCY/],
    ['+61 2 5550 1234', /^tel:\+61255501234$/],
  ] as const) {
    await expect(page.getByRole('link', { name })).toHaveAttribute('href', href);
  }
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Resources' }).click();
  await expect(page.getByRole('link', { name: 'Makers’ guide' })).toHaveAttribute('href', '/api/docs');
  for (const title of ['Documentation', 'Video Tutorials', 'Training', 'Community']) {
    await expect(page.getByRole('heading', { level: 2, name: title })).toBeVisible();
  }
  await expectAccessible(page);
  await button(page, 'Open the guides').click();
  await expect(page).toHaveURL('/help?tab=quick-start');
  await page.goBack();
  await expect(page).toHaveURL('/help?tab=resources');
  await button(page, 'Ask for training').click();
  await expect(field(page, 'Topic')).toHaveValue('Training');
  await expect(field(page, 'Message')).toBeFocused();

  await page.getByRole('link', { name: 'Contact us' }).click();
  await expect(page).toHaveURL('/help?tab=support');
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
});

test('support hours: open on a weekday morning in Sydney, closed at night, by the business clock', async ({ page }) => {
  let at = '2026-11-23T22:30:00.000Z'; // Tuesday 9:30 in Sydney
  await page.route('**/api/**', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'business-date': at } });
  });
  await signedInAdviser(page);
  await page.goto('/help?tab=support');
  await expect(way(page, 'Phone').getByText('Open now')).toBeVisible();
  // Nobody waits at the other end of a chat, so none is open.
  await expect(way(page, 'Live Chat').getByText('Open now')).toBeHidden();
  at = '2026-11-23T21:30:00.000Z';
  await page.reload();
  await expect(way(page, 'Phone').getByText('Closed now')).toBeVisible();
});

test('help page: chat and phone lead to the contact form, which is mailed to support', async ({
  page,
  allowStatuses,
}) => {
  allowStatuses(500);
  const email = newAddress('visitor');
  await page.goto('/help?tab=support');
  await button(page, 'Send message').click();
  for (const [label, sentence] of [
    ['Your name', 'Your name is required'],
    ['Email', 'Please enter a valid email address'],
    ['Topic', 'Please choose a topic'],
    ['Message', /A message is required/],
  ] as const) {
    await described(page, label, sentence);
  }
  await button(page, 'Ask for a call').click();
  await expect(field(page, 'Topic')).toHaveValue('Call me back');
  await expect(field(page, 'Message')).toBeFocused();
  await field(page, 'Your name').fill('Vera Visitor');
  await field(page, 'Email').fill(email);
  await field(page, 'Message').fill('Please call me on 0412 345 678.\nAfter lunch.');

  await page.route('**/api/contact', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await button(page, 'Send message').click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Failed to send your message. Please try again.' }),
  ).toBeVisible();
  await expect(field(page, 'Message')).toHaveValue(/After lunch/);
  await expectAccessible(page);
  await page.unroute('**/api/contact');

  await button(page, 'Send message').click();
  await expect(toast(page, 'Message Sent')).toBeVisible();
  await expect(button(page, 'Write another message')).toBeFocused();
  await expectAccessible(page);
  const mail = await mailTo(page, 'support@adviserly.example', /^Contact form: Call me back$/);
  expect(mail.text).toContain(email);
  expect(mail.text).toContain('After lunch.');
  await button(page, 'Message us').click();
  await expect(field(page, 'Topic')).toHaveValue('Live chat request');
  await expect(field(page, 'Message')).toHaveValue('');

  const { email: own } = await signedInAdviser(page);
  await page.goto('/help?tab=support');
  await expect(field(page, 'Your name')).toHaveValue('Alex Nguyen');
  await expect(field(page, 'Email')).toHaveValue(own);
});

test('help page: whoever typed nothing into the contact form leaves without a word about a draft', async ({ page }) => {
  await page.goto('/help?tab=support');
  await expect(field(page, 'Topic')).toBeVisible();
  await page.getByRole('tab', { name: 'FAQ' }).click();
  await expect(page.getByText('What does each tool cost?')).toBeVisible();
  await page.getByRole('tab', { name: 'Support' }).click();
  await expect(field(page, 'Topic')).toBeVisible();
  await expect(toast(page, 'Not saved yet')).toBeHidden();
  await expect(page.getByText('We saved your draft.')).toBeHidden();
});

test('security: each claim leads to what is in fact done, and a weakness finds its address', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'SOC 2 Type II' }).click();
  await expect(page).toHaveURL('/security#controls');
  await expect(page).toHaveTitle('Security · Adviserly');
  const controls = page.getByRole('region', { name: 'Access and records' });
  await expect(controls.getByRole('heading')).toBeInViewport();
  await expect(page.getByRole('main')).not.toContainText('Elsewhere we say');
  await expect(controls).toContainText('The database refuses to change or delete a record.');
  await expectAccessible(page);
  const report = page.getByRole('region', { name: 'Report a vulnerability' });
  await expect(report.getByRole('link', { name: 'support@adviserly.example' })).toHaveAttribute('href', /^mailto:/);
  await page.goto('/privacy');
  await page.getByRole('link', { name: 'security page' }).click();
  await expect(heading(page, 'Security')).toBeVisible();
});

test('all four pages say what the record of AI use holds, who sees it, and for how long', async ({ page }) => {
  for (const path of ['/privacy', '/terms', '/security', '/help']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const question of path === '/help'
      ? ["Is my clients' data stored?", 'Can my practice see what I do in a tool?']
      : [])
      await page.getByRole('heading', { name: question }).click();
    const said = page.getByRole('main');
    for (const words of [
      /the client reference \(your file number for a client, never a name\)/,
      /whether you checked the output, your remarks, and evidence packs/,
      /seven years, longer while (its|the) practice has a legal hold/,
      /the owner, the admins and the reviewers/i,
    ])
      await expect(said).toContainText(words);
    await expect(said).not.toContainText(/They see [^.]*keys/);
  }
});

test('privacy policy: its sections, the claims, whom to write to', async ({ page }) => {
  await page.goto('/privacy');
  await expect(heading(page, 'Privacy Policy')).toBeVisible();
  await expect(page).toHaveTitle('Privacy Policy · Adviserly');
  const titles = [
    'Data We Collect',
    'How We Use Your Data',
    'Data Security & Protection',
    'Decisions Made by Programs',
    'Your Data Rights',
    'Data Sharing & Third Parties',
    'Contact & Policy Updates',
  ];
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(titles);
  const text = (await page.getByRole('main').textContent()) ?? '';
  for (const claim of [
    /processed but not permanently stored/,
    /Australian data centres/,
    /AES-256/,
    /TLS 1\.3/,
    /SOC 2/,
    /do not sell your data/,
    /right to complain to the privacy commissioner/,
    /privacy@adviserly\.example/,
    /at least seven years, because tax and company law require it/i,
    /Stripe \(Australia, United States\) handles payments/,
  ]) {
    expect(text).toMatch(claim);
  }
  await expectAccessible(page);
  await page.getByRole('navigation', { name: 'Sections' }).getByText('Your Data Rights').click();
  await expect(page).toHaveURL('/privacy#rights');
  await expect(page.getByRole('heading', { name: 'Your Data Rights' })).toBeInViewport();
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
});
