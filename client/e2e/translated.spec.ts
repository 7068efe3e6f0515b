import type { Page } from '@playwright/test';
import { deskRoomNames, paths } from '../src/lib/pages/paths.ts';
import { registered, signOut } from './accounts-steps.ts';
import { expect, signedInAdviser, signedInDemo, test } from './fixtures.ts';
import { doMainJob } from './purchase-steps.ts';

/** Does to each page what the translators of browsers do: every text, also one that comes later, is put into <font>. */
function translate() {
  const kept = 'script, style, textarea, title, option, font, code, pre, [translate="no"]';
  const replace = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text);
    for (const text of texts) {
      if (!text.data.trim() || !text.parentElement || text.parentElement.closest(kept)) continue;
      const font = document.createElement('font');
      font.append(text.data);
      text.replaceWith(font);
    }
  };
  const begin = () => {
    replace(document.body);
    new MutationObserver((changes) => {
      for (const { target } of changes) if (target.isConnected) replace(target.parentNode ?? target);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  };
  // A translator that comes before React has taken over the page makes it draw the page anew.
  const isDrawn = (element: Element) => Object.keys(element).some((key) => key.startsWith('__react'));
  const wait = setInterval(() => {
    const drawn = [...document.querySelectorAll('main, main :is(h1, h2, h3, p, a, button, label)')];
    if (drawn.length === 0 || !drawn.every(isDrawn)) return;
    clearInterval(wait);
    begin();
  }, 50);
}

test.beforeEach(({ page }) => page.addInitScript(translate));

const broken = (page: Page) => page.getByText(/ran into a problem/);
const translated = (page: Page) => expect(page.locator('font').first()).toBeAttached();

/** Opens a page, waits until it is translated, and presses each of its tabs. */
async function read(page: Page, path: string) {
  await page.goto(path);
  await translated(page);
  const tabs = page.getByRole('tab');
  for (let at = 0; at < (await tabs.count()); at += 1) {
    await tabs.nth(at).click();
    await expect(page.getByRole('tabpanel')).toBeVisible();
    await expect(broken(page)).toHaveCount(0);
  }
  await expect(page.locator('main')).toBeVisible();
  await expect(broken(page)).toHaveCount(0);
}

test('in a translated page an adviser buys, opens, cancels, comes back and signs out (react#26048, FormSG#5213)', async ({
  page,
}) => {
  await signedInAdviser(page);
  await doMainJob(page, () => translated(page));
  await expect(broken(page)).toHaveCount(0);
  await signOut(page);
  await expect(broken(page)).toHaveCount(0);
});

const members = [
  paths.home,
  paths.dashboard,
  paths.profile,
  paths.teams,
  paths.record,
  paths.packs(),
  paths.recalls(),
  paths.developers(),
  paths.invoices,
  paths.billingHistory,
  paths.subscribe('pre-fill-ai'),
  paths.disclosure('risk-profile-ai'),
  paths.open('risk-profile-ai'),
  `${paths.changeEmail}?token=none`,
  `${paths.stopFactorReset}?token=none`,
];
const linked = [
  paths.verifyEmail,
  paths.resetPassword,
  paths.changeEmail,
  paths.undoEmailChange,
  paths.stopFactorReset,
  paths.acceptInvitation,
  paths.unsubscribe,
  paths.confirmBookkeeper,
  paths.stopBookkeeper,
].map((path) => `${path}?token=none`);
const everybodys = [
  paths.auth,
  paths.signedInWith('google'),
  paths.secureAccount,
  paths.setupAdmin,
  paths.adminReplit,
  paths.help,
  paths.privacy,
  paths.securityPage,
  paths.terms,
  paths.verifyPack,
  '/no-such-page',
  ...linked,
];

/** The practice of the demo's owner, and the owner, as administrators find them. */
async function practiceOf(page: Page) {
  await signedInDemo(page, 'owner');
  const { id } = (await (await page.request.get('/api/user')).json()) as { id: string };
  const { ownedTeams } = (await (await page.request.get('/api/teams/my')).json()) as { ownedTeams: { id: string }[] };
  return [paths.adminUser(id), paths.adminTeam(ownedTeams[0]!.id)];
}

const people: [string, string[], ((page: Page) => Promise<unknown>)?][] = [
  ['a visitor', [paths.home, paths.developers(), paths.disclosure('risk-profile-ai'), ...everybodys]],
  ['somebody without a profile', [paths.completeProfile, paths.developers()], (page) => registered(page)],
  ['an adviser', members, (page) => signedInDemo(page, 'adviser')],
  ['the owner of a practice', members, (page) => signedInDemo(page, 'owner')],
  [
    'an administrator',
    [paths.admin, ...deskRoomNames.map((room) => paths.desk(room)), paths.adminTool('risk-profile-ai')],
    (page) => signedInDemo(page, 'admin'),
  ],
];

for (const [who, pages, signIn] of people)
  test(`every page and tab can be read, pressed and left in translation: ${who}`, async ({ page, allowStatuses }) => {
    test.slow();
    // What the links of no mail and the providers of nobody answer.
    allowStatuses(400, 403, 404);
    const theirs = who === 'an administrator' ? await practiceOf(page) : [];
    for (const path of [...pages, ...theirs]) {
      await signIn?.(page);
      await read(page, path);
      if (!signIn) continue;
      await signOut(page);
      await expect(broken(page)).toHaveCount(0);
    }
  });

test('no page is left out of these', () => {
  const pathOf = (address: string) => address.replace(/[?#].*/, '');
  const read = [...people.flatMap(([, pages]) => pages), paths.adminUser(''), paths.adminTeam('')].map(pathOf);
  const isRead = (path: unknown) =>
    typeof path === 'string'
      ? read.includes(pathOf(path))
      : read.some((one) => one.startsWith(pathOf((path as (of: string) => string)(''))));
  expect(Object.values(paths).filter((path) => !isRead(path))).toEqual([]);
});
