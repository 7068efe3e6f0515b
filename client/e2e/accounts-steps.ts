import type { Browser, Page } from '@playwright/test';
import { earlierCode } from '../../server/testing/second-factor.ts';
import { expect, newAddress, signedInDemo, strongPassword } from './fixtures.ts';

/** Steps that the account journeys share, by the labels a person reads. */
export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
/** A toast's title or words; the hidden copy for assistive technology holds both in one text. */
export const toast = (page: Page, words: string) =>
  page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem').getByText(words, { exact: true });
/** Expects a field to be described by a sentence. */
export const described = (page: Page, label: string, sentence: string | RegExp) =>
  expect(field(page, label)).toHaveAccessibleDescription(sentence);

export const signUp = async (page: Page, email: string, over: Record<string, string> = {}) => {
  const values = {
    'First name': 'Jane',
    'Last name': 'Whitfield',
    Email: email,
    Password: strongPassword,
    'Confirm password': strongPassword,
    ...over,
  };
  for (const [label, value] of Object.entries(values)) await field(page, label).fill(value);
  await button(page, 'Create account').click();
};

export const signIn = async (page: Page, email: string, password: string) => {
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(password);
  await button(page, 'Sign In').click();
};

/** By the menu, from whatever page of a member. */
export const signOut = async (page: Page) => {
  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/(auth)?$/);
};

export const fillProfile = async (page: Page) => {
  await field(page, 'Business phone').fill('0412 345 678');
  await field(page, 'Business name').fill('Whitfield Advice');
  await field(page, 'Dealer group').fill('Independent');
  await field(page, 'Business address').fill('Level 4, 120 Collins Street');
  await field(page, 'City').fill('Melbourne');
  await field(page, 'State').selectOption('VIC');
  await field(page, 'Postcode').fill('3000');
  await field(page, 'Retirement Planning').check();
};

/** Signed in to this page, with nothing but an account. */
export const registered = async (page: Page, email = newAddress('new')) => {
  await page.goto('/privacy');
  const answer = await page.request.post('/api/register', {
    data: { email, password: strongPassword, firstName: 'Jane', lastName: 'Whitfield' },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(answer.status()).toBe(201);
  return email;
};

/** In a browser of their own, on a server that the journey has started for itself. */
export const visitorOf = async (server: { url: string }, browser: Browser) =>
  (await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' })).newPage();
export const administratorOf = async (server: { url: string }, browser: Browser, name: 'admin' | 'admin2') => {
  const page = await visitorOf(server, browser);
  await signedInDemo(page, name);
  return page;
};

/** On the security tab: adds an authenticator app. */
export const enrolApp = async (page: Page) => {
  await button(page, 'Add an authenticator app').click();
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' });
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const secret = await dialog
    .getByText(/Type this key/)
    .locator('span')
    .innerText();
  await dialog.getByLabel('Code', { exact: true }).fill(await earlierCode(secret));
  await dialog.getByRole('button', { name: 'Add the app' }).click();
  const shown = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await expect(shown.getByRole('listitem')).toHaveCount(10);
  const recoveryCodes = await shown.getByRole('listitem').allInnerTexts();
  await shown.getByRole('button', { name: 'I have saved them' }).click();
  return { secret, recoveryCodes };
};

/** Makes the browser hold passkeys, and show them without asking anybody. */
export const virtualAuthenticator = async (page: Page) => {
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
};

/** Leaves the page on the security tab. */
export const addPasskey = async (page: Page, name = 'Laptop') => {
  await page.goto('/profile?tab=security');
  await button(page, 'Add a passkey').click();
  await field(page, 'Name').fill(name);
  await button(page, 'Create passkey').click();
  await button(page, 'I have saved them').click();
  await expect(page.getByText(name, { exact: true })).toBeVisible();
};
