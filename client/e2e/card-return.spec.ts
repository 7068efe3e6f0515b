import type { Page } from '@playwright/test';
import { anotherBrowser, expect, expectAccessible, newAddress, post, signedInAdviser, test } from './fixtures.ts';
import { cards, enterCard, toastWith } from './purchase-steps.ts';

type Confirm = { clientSecret: string; confirmParams: { return_url: string } };
type Maker = (...args: unknown[]) => { confirmSetup: (options: Confirm) => Promise<unknown> };

/** In the page, after Stripe.js: a card that is saved leaves the page for its bank, which sends the browser back. */
const leaveForBank = (outcome: 'succeeded' | 'failed') => {
  const page = globalThis as unknown as { Stripe: Maker; location: Location };
  const make = page.Stripe;
  page.Stripe = Object.assign((...args: unknown[]) => {
    const stripe = make(...args);
    const confirmSetup = async (options: Confirm) => {
      if (outcome === 'succeeded') await stripe.confirmSetup(options);
      const back = new URL(options.confirmParams.return_url);
      back.searchParams.set('setup_intent', options.clientSecret.split('_secret_')[0]!);
      back.searchParams.set('setup_intent_client_secret', options.clientSecret);
      back.searchParams.set('redirect_status', outcome);
      page.location.assign(back.href);
      return new Promise<never>(() => {});
    };
    return { ...stripe, confirmSetup };
  }, make);
};

/** The sandbox's Stripe.js never leaves the page; this one does, when a card is saved. */
const bankTakesOver = (page: Page, outcome: 'succeeded' | 'failed') =>
  page.route(/stripe\.js$/, async (route) => {
    const response = await route.fetch();
    const body = `${await response.text()}\n(${leaveForBank.toString()})('${outcome}');`;
    await route.fulfill({ response, body });
  });

const method = (page: Page) => page.getByRole('region', { name: 'Payment Method', exact: true });

/** Gives a card up to the bank; returns the address that the bank sends the browser back to. */
const giveCard = async (page: Page, opener: 'Add a card' | 'Update Payment', number = cards.pays) => {
  await method(page).getByRole('button', { name: opener }).click();
  await enterCard(page, number);
  const back = page.waitForRequest(/redirect_status=/);
  await page.getByRole('button', { name: 'Save card', exact: true }).click();
  return (await back).url();
};

test('a bank takes the browser away: back here, the card is saved, or why not is said', async ({
  page,
  allowStatuses,
}) => {
  test.slow();
  allowStatuses(404);
  await bankTakesOver(page, 'succeeded');
  await signedInAdviser(page);
  await page.goto('/dashboard?tab=billing');
  const address = await giveCard(page, 'Add a card');
  await expect(toastWith(page, 'Payment Method Updated')).toContainText('Visa •••• 4242 is now your card.');
  await expect(method(page)).toContainText('4242');
  await expect(page).toHaveURL('/dashboard?tab=billing&team=me');
  await expectAccessible(page);
  await giveCard(page, 'Update Payment', '5555555555554444');
  await expect(toastWith(page, 'Mastercard •••• 4444 is now your card.')).toBeVisible();
  await expect(method(page)).toContainText('4444');

  await test.step('somebody else who opens the address gets no card, and is told so', async () => {
    const other = await anotherBrowser(page);
    await signedInAdviser(other, { email: newAddress('typed') });
    await other.goto(address);
    await expect(toastWith(other, 'Card not saved')).toContainText('Failed to update payment method.');
    await expect(method(other)).toContainText('No card on file');
    await expect(other).toHaveURL('/dashboard?tab=billing&team=me');
    await other.context().close();
  });

  await test.step('the bank refuses', async () => {
    const refusing = await page.context().newPage();
    await bankTakesOver(refusing, 'failed');
    await refusing.goto('/dashboard?tab=billing');
    await giveCard(refusing, 'Update Payment');
    await expect(toastWith(refusing, 'Card not saved')).toContainText(
      'Your bank could not confirm that it was you. The card was not saved. Please try again, or use another card.',
    );
    await expect(method(refusing)).toContainText('4444');
    await expect(refusing).toHaveURL('/dashboard?tab=billing&team=me');
  });
});

test('a team’s card comes back from the bank to the team’s page, as the team’s and not the owner’s', async ({
  page,
}) => {
  await bankTakesOver(page, 'succeeded');
  await signedInAdviser(page);
  const { id } = (await post(page, '/api/teams', { name: 'Harbour Advice' })) as { id: string };
  await page.goto(`/teams?team=${id}&tab=billing`);
  await giveCard(page, 'Add a card');
  await expect(toastWith(page, 'Payment Method Updated')).toContainText('Visa •••• 4242 is now your card.');
  await expect(page).toHaveURL(`/teams?tab=billing&team=${id}`);
  await expect(method(page)).toContainText('4242');
  await page.goto('/dashboard?tab=billing&team=me');
  await expect(method(page)).toContainText('No card on file');
});
