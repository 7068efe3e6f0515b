import type { Page } from '@playwright/test';
import { button, field, fillProfile, heading, signIn, signUp, toast } from './accounts-steps.ts';
import { unfoldSubscriptions } from './purchase-steps.ts';
import {
  anotherBrowser,
  expect,
  expectAccessible,
  linkIn,
  mailTo,
  newAddress,
  signedInAdviser,
  strongPassword,
  test,
} from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const createTeam = async (page: Page, name = 'Harbour Advice') => {
  await page.goto('/teams');
  await expect(page.getByRole('heading', { name: 'Create Your First Team' })).toBeVisible();
  await field(page, 'Team name').fill(name);
  await button(page, 'Create team').click();
  await expect(toast(page, 'Team Created')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Members' })).toBeVisible();
};

const invite = async (page: Page, email: string) => {
  await field(page, 'Email').fill(email);
  // The toast and mail of an earlier invitation may still be there.
  const sent = page.waitForResponse(/\/invite$/);
  await button(page, 'Send invitation').click();
  await sent;
  await expect(toast(page, 'Invitation Sent')).toBeVisible();
  return linkIn(await mailTo(page, email, /invites you to/), '/accept-invitation');
};

const tool = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

test('an owner invites; a new person signs up from the mail, opens the team tool, is removed, and is refused', async ({
  page,
  allowStatuses,
}) => {
  // Two people, and axe looks at five pages.
  test.slow();
  allowStatuses(403);
  await signedInAdviser(page, { firstName: 'Grace' });
  await createTeam(page);
  await expect(page.getByText('No team members yet. Invite some members to get started!')).toBeVisible();
  await expectAccessible(page);

  // The team's first tool, on trial.
  await page.getByRole('tab', { name: 'Tools' }).click();
  await page.getByRole('link', { name: 'Subscribe to Risk Profile AI for the team' }).click();
  await expect(page.getByRole('radio', { name: /For my team, Harbour Advice/ })).toBeChecked();
  await expectAccessible(page);
  await button(page, 'Start 45-day free trial').click();
  await expect(toast(page, 'Subscription Created')).toBeVisible();
  await expect(page).toHaveURL('/dashboard');
  await expect(tool(page, 'Risk Profile AI')).toContainText('Harbour Advice');

  const email = newAddress('jane');
  await page.goto('/teams');
  const link = await invite(page, email);
  // Another link than the mailed one.
  await expect(page.getByRole('textbox', { name: `Link for ${email}` })).not.toHaveValue(new RegExp(link));
  await expect(page.getByRole('textbox', { name: `Link for ${email}` })).toHaveValue(/accept-invitation/);
  await expect(page.getByRole('region', { name: 'Pending invitations' })).toContainText(email);

  const jane = await anotherBrowser(page);
  await jane.goto(link);
  await expect(heading(jane, 'Join Harbour Advice')).toBeVisible();
  await expect(jane).toHaveURL('/accept-invitation');
  // The link came by mail, so it names the address, and the forms begin with what is known.
  await expect(jane.getByText(email)).toBeVisible();
  await expectAccessible(jane);
  await jane.getByRole('link', { name: 'Create account' }).click();
  await expect(jane.getByText(`You’re joining Harbour Advice. Create your account with ${email}.`)).toBeVisible();
  await expect(field(jane, 'Email')).toHaveValue(email);
  await signUp(jane, email);
  await expect(jane).toHaveURL('/complete-profile?returnTo=%2Faccept-invitation');
  await jane.reload();
  await expect(jane.getByText('You’re joining Harbour Advice.')).toBeVisible();
  await expect(field(jane, 'Dealer group')).not.toHaveValue('');
  await fillProfile(jane);
  await button(jane, 'Complete profile').click();
  await expect(jane).toHaveURL('/accept-invitation');
  await expect(jane.getByText(email, { exact: true })).toBeVisible();
  await button(jane, 'Accept invitation').click();
  await expect(heading(jane, 'Welcome to Harbour Advice')).toBeVisible();
  await expectAccessible(jane);
  await jane.getByRole('link', { name: 'Go to dashboard' }).click();

  await expect(tool(jane, 'Risk Profile AI')).toContainText('Harbour Advice');
  await expect(tool(jane, 'Risk Profile AI').getByRole('button', { name: /Cancel/ })).toHaveCount(0);
  const opened = jane.waitForEvent('popup');
  await tool(jane, 'Risk Profile AI')
    .getByRole('button', { name: /Open Risk Profile AI/ })
    .click();
  const window = await opened;
  await expect(window.getByRole('heading', { level: 1 })).toHaveText('Welcome, Jane');
  await window.close();

  // The list of members says so, and the quantity follows.
  await page.reload();
  await expect(page.getByRole('region', { name: 'Members' })).toContainText('2 members. You can invite 17 more.');
  await expect
    .poll(async () => {
      const list = (await (await page.request.get('/api/user/subscriptions')).json()) as {
        toolId: string;
        quantity: number;
      }[];
      return list.find(({ toolId }) => toolId === 'risk-profile-ai')?.quantity;
    })
    .toBe(2);

  await button(page, 'Remove Jane Whitfield').click();
  await expectAccessible(page);
  await button(page, 'Remove member').click();
  await expect(toast(page, 'Member Removed')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Members' })).toContainText('1 member. You can invite 18 more.');

  await tool(jane, 'Risk Profile AI')
    .getByRole('button', { name: /Open Risk Profile AI/ })
    .click();
  await expect(jane.getByRole('region').getByText('Failed to launch tool. Please try again.')).toBeVisible();
  await jane.goto('/teams');
  await expect(jane.getByRole('heading', { name: 'Create Your First Team' })).toBeVisible();
  await mailTo(jane, email, /You were removed from Harbour Advice/);
  await jane.context().close();
});

test('the price follows a removed member at once, on every page and without a reload', async ({ page }) => {
  await signedInAdviser(page, { firstName: 'Grace' });
  await createTeam(page);
  const jane = await anotherBrowser(page);
  const email = newAddress('jane');
  await signedInAdviser(jane, { firstName: 'Jane', email });
  await jane.goto(await invite(page, email));
  await button(jane, 'Accept invitation').click();
  await expect(heading(jane, 'Welcome to Harbour Advice')).toBeVisible();
  await jane.context().close();

  await page.goto('/teams?tab=tools');
  await page.getByRole('link', { name: 'Subscribe to Risk Profile AI for the team' }).click();
  await button(page, 'Start 45-day free trial').click();
  await expect(page).toHaveURL('/dashboard');
  await unfoldSubscriptions(page);
  const row = page
    .getByRole('region', { name: 'Subscriptions', exact: true })
    .getByRole('listitem')
    .filter({ hasText: 'Risk Profile AI' });
  await expect(row).toContainText('$60.00/month for 2 members');

  await button(page, 'Your menu: Grace Nguyen').click();
  await page.getByRole('menuitem', { name: 'Team', exact: true }).click();
  await page.getByRole('tab', { name: 'Tools' }).click();
  const summary = page.getByRole('region', { name: 'The practice’s tools' });
  await expect(summary).toContainText('$60.00');
  await page.getByRole('tab', { name: 'Members' }).click();
  await button(page, 'Remove Jane Nguyen').click();
  await expect(page.getByRole('dialog')).toContainText('−$30.00 a month, if the tools are kept after their trials');
  await expectAccessible(page);
  await button(page, 'Remove member').click();
  await expect(toast(page, 'Member Removed')).toBeVisible();

  await page.getByRole('tab', { name: 'Tools' }).click();
  await expect(summary).toContainText('$30.00');
  await expect(summary).not.toContainText('$60.00');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await expect(row).toContainText('$30.00/month');
});

test.describe('invitation link', () => {
  test('refuses a wrong account and an own team, and says when it is declined, revoked or unknown', async ({
    page,
    allowStatuses,
  }) => {
    test.slow();
    allowStatuses(404);
    await signedInAdviser(page, { firstName: 'Grace' });
    await createTeam(page);
    const stranger = await anotherBrowser(page);
    const { email, password } = await signedInAdviser(stranger, { firstName: 'Jane', email: newAddress('jane') });

    const foreign = await invite(page, newAddress('other'));
    await stranger.goto(foreign);
    await expect(heading(stranger, 'This invitation is for another account')).toBeVisible();
    await expect(stranger.getByText('o•••@practice.example')).toBeVisible();
    // The invitation arrives while somebody types.
    let arrive = () => undefined as void;
    const held = new Promise<void>((done) => (arrive = done));
    await stranger.route('**/api/invitations/*', async (route) => {
      await held;
      await route.continue();
    });
    await button(stranger, 'Sign out and use another account').click();
    await expect(stranger).toHaveURL('/auth?returnTo=%2Faccept-invitation');
    await field(stranger, 'Email').fill(email);
    await field(stranger, 'Password').fill(password);
    arrive();
    await expect(stranger.getByText('You’re joining Harbour Advice.')).toBeVisible();
    await expect(field(stranger, 'Email')).toHaveValue(email);
    await expect(field(stranger, 'Password')).toHaveValue(password);
    await expect(field(stranger, 'Password')).toBeFocused();
    await button(stranger, 'Sign In').click();
    await expect(heading(stranger, 'This invitation is for another account')).toBeVisible();

    await stranger.goto(await invite(page, email));
    await expect(heading(stranger, 'Join Harbour Advice')).toBeVisible();
    await button(stranger, 'Decline').click();
    await expect(heading(stranger, 'Invitation declined')).toBeVisible();

    const revoked = await invite(page, email);
    await button(page, `Revoke ${email}`).click();
    await button(page, 'Revoke invitation').click();
    await expect(toast(page, 'Invitation Revoked')).toBeVisible();
    await stranger.goto(revoked);
    await expect(heading(stranger, 'This invitation was withdrawn')).toBeVisible();

    await stranger.goto('/accept-invitation?token=unknown');
    await expect(heading(stranger, 'This invitation link is not valid')).toBeVisible();
    await page.goto(foreign);
    await expect(heading(page, 'This is your own team')).toBeVisible();
    await expectAccessible(page);
    await stranger.context().close();
  });

  test('leads back after the sign-in; a second team is joined by leaving the first', async ({ page }) => {
    await signedInAdviser(page, { firstName: 'Grace' });
    await createTeam(page);
    const jane = await anotherBrowser(page);
    const email = newAddress('jane');
    await signedInAdviser(jane, { firstName: 'Jane', email });
    await jane.context().clearCookies();
    await jane.goto(await invite(page, email));
    await jane.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await expect(jane.getByLabel('Email', { exact: true }), 'The invitation fills the address in.').toHaveValue(email);
    await signIn(jane, email, strongPassword);
    await button(jane, 'Accept invitation').dblclick();
    await expect(heading(jane, 'Welcome to Harbour Advice')).toBeVisible();
    await jane.getByRole('link', { name: 'See your team' }).click();
    await expect(jane.getByText('You are a member of Harbour Advice')).toBeVisible();
    await expectAccessible(jane);

    const owner = await anotherBrowser(page);
    await signedInAdviser(owner, { firstName: 'Noah' });
    await createTeam(owner, 'Bay Advice');
    await jane.goto(await invite(owner, email));
    await expect(heading(jane, 'You are already a member of another team')).toBeVisible();
    await button(jane, 'Leave Harbour Advice and join…').click();
    await expect(jane.getByRole('dialog')).toContainText('The owner of Harbour Advice is told.');
    await expectAccessible(jane);
    await button(jane, 'Leave and join').click();
    await expect(heading(jane, 'Welcome to Bay Advice')).toBeVisible();
    await Promise.all([jane.context().close(), owner.context().close()]);
  });
});

test('an owner renames the team, hands it over, and closes it', async ({ page }) => {
  await signedInAdviser(page, { firstName: 'Grace' });
  await createTeam(page);
  const jane = await anotherBrowser(page);
  const email = newAddress('jane');
  await signedInAdviser(jane, { firstName: 'Jane', email });
  await jane.goto(await invite(page, email));
  await button(jane, 'Accept invitation').click();
  await expect(heading(jane, 'Welcome to Harbour Advice')).toBeVisible();

  await page.goto('/teams?tab=settings');
  await field(page, 'Practice name').fill('Bay Advice');
  await button(page, 'Save name').click();
  await expect(toast(page, 'Practice Renamed')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Bay Advice', level: 1 })).toBeVisible();

  await field(page, 'New owner').selectOption({ index: 1 });
  await button(page, 'Change owner…').click();
  await expectAccessible(page);
  await button(page, 'Ask to accept').click();
  await expect(toast(page, 'Hand-over Requested')).toBeVisible();
  await expect(button(page, 'End the hand-over')).toBeVisible();

  await jane.goto('/teams');
  await expect(jane.getByText('Nothing is due for now.')).toBeVisible();
  await expectAccessible(jane);
  await button(jane, 'Become the owner').click();
  await expect(toast(jane, 'Team Taken Over')).toBeVisible();
  await page.reload();
  await expect(page.getByText('You are a member of Bay Advice')).toBeVisible();

  await jane.goto('/teams?tab=settings');
  await button(jane, 'Close practice…').click();
  await expectAccessible(jane);
  await button(jane, 'Close practice').click();
  await expect(toast(jane, 'Practice Closed')).toBeVisible();
  await expect(jane.getByRole('heading', { name: 'Create Your First Team' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Create Your First Team' })).toBeVisible();
  await mailTo(page, email, /You are now the owner of Bay Advice/);
  await jane.context().close();
});

test('an owner pastes eight addresses; six accept, by the mailed link and by the copied one', async ({ page }) => {
  test.slow();
  await signedInAdviser(page, { firstName: 'Grace' });
  await createTeam(page);
  const people = Array.from({ length: 8 }, (_, index) => newAddress(`colleague${index}`));
  const browsers = await Promise.all(people.slice(0, 6).map(() => anotherBrowser(page)));
  for (const [index, browser] of browsers.entries())
    await signedInAdviser(browser, { firstName: `Colleague${index}`, email: people[index]! });

  await button(page, 'Invite several people').click();
  const list = `Name,Email,Role\n${people.map((email) => `Colleague,${email},member`).join('\n')}\n${people[0]}\nnobody`;
  await field(page, 'Email addresses').fill(list);
  const preview = page.getByRole('list', { name: 'Preview' });
  await expect(preview.getByRole('listitem')).toHaveCount(10);
  await expect(preview.getByText('Twice in the list')).toBeVisible();
  await expect(preview.getByText('Not an email address')).toBeVisible();
  await expectAccessible(page);
  const answered = page.waitForResponse(/\/invitations$/);
  await button(page, 'Send 8 invitations').click();
  const results = (await (await answered).json()) as { email: string; inviteUrl: string }[];
  await expect(toast(page, 'Invitations Sent')).toBeVisible();

  for (const [index, browser] of browsers.entries()) {
    const email = people[index]!;
    const mailed = linkIn(await mailTo(page, email, /invites you to/), '/accept-invitation');
    const copied = new URL(results.find((one) => one.email === email)!.inviteUrl);
    await browser.goto(index % 2 === 0 ? mailed : copied.pathname + copied.search);
    await button(browser, 'Accept invitation').click();
    await expect(heading(browser, 'Welcome to Harbour Advice')).toBeVisible();
    await browser.context().close();
  }
  await page.reload();
  await expect(page.getByRole('region', { name: 'Members' })).toContainText('7 members. You can invite 12 more.');
  await expect(page.getByRole('list', { name: 'Pending invitations' }).getByRole('listitem')).toHaveCount(2);
});

test('a reviewer without a seat stops a tool, which the members hear, and reads the invoices; a member leaves', async ({
  page,
}) => {
  test.slow();
  await signedInAdviser(page, { firstName: 'Grace' });
  await createTeam(page);
  const [reviewer, member] = [await anotherBrowser(page), await anotherBrowser(page)];
  const [reviewing, working] = [newAddress('ravi'), newAddress('mei')];
  await signedInAdviser(reviewer, { firstName: 'Ravi', email: reviewing });
  await signedInAdviser(member, { firstName: 'Mei', email: working });
  for (const [browser, email] of [
    [reviewer, reviewing],
    [member, working],
  ] as const) {
    await browser.goto(await invite(page, email));
    await button(browser, 'Accept invitation').click();
    await expect(heading(browser, 'Welcome to Harbour Advice')).toBeVisible();
  }

  await page.reload();
  await button(page, 'Change the role of Ravi Nguyen').click();
  await field(page, 'Role').last().selectOption('reviewer');
  await expectAccessible(page);
  await button(page, 'Change role').click();
  await expect(toast(page, 'Ravi Nguyen is now a reviewer.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Members' })).toContainText('2 members. You can invite 17 more.');
  await mailTo(page, reviewing, /You are now a reviewer of Harbour Advice/);

  await reviewer.goto('/dashboard');
  await button(reviewer, 'Your menu: Ravi Nguyen').click();
  await reviewer.getByRole('menuitem', { name: 'Practice record' }).click();
  await reviewer.getByRole('heading', { name: 'File Note AI', exact: true }).click();
  await button(reviewer, "Don't allow File Note AI").click();
  await reviewer
    .getByRole('dialog')
    .getByLabel(/^Reason/)
    .fill('Wrong dates in two notes');
  await button(reviewer, 'Don’t allow File Note AI').click();
  await expect(toast(reviewer, 'File Note AI is not allowed')).toBeVisible();
  await expectAccessible(reviewer);
  expect((await mailTo(page, working, /has stopped File Note AI/)).text).toContain(
    'Ravi Nguyen’s reason: “Wrong dates in two notes”',
  );
  await button(reviewer, 'Your menu: Ravi Nguyen').click();
  await reviewer.getByRole('menuitem', { name: 'Invoices' }).click();
  await field(reviewer, 'Who pays').selectOption({ label: 'Harbour Advice' });
  await expect(heading(reviewer, 'Invoices of Harbour Advice')).toBeVisible();

  await member.goto('/teams');
  await button(member, 'Leave team…').click();
  await expectAccessible(member);
  await button(member, 'Leave team').click();
  await expect(toast(member, 'Team Left')).toBeVisible();
  await page.goto('/teams?tab=activity');
  const activity = page.getByRole('list', { name: 'Activity' });
  await expect(activity).toContainText('Mei Nguyen left the team.');
  await expect(activity).toContainText('Ravi Nguyen stopped allowing File Note AI.');
  await expectAccessible(page);
  await Promise.all([reviewer.context().close(), member.context().close()]);
});
