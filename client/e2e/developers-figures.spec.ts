import { anotherBrowser, expect, expectAccessible, post, signedInAdviser, test } from './fixtures.ts';
import { published } from './maker-steps.ts';

// What a maker publishes stays in the catalogue.
test.use({ apart: 'makers' });

test('a maker sees how a published tool does, but no figure about fewer than five people', async ({
  page,
  baseURL,
}) => {
  await signedInAdviser(page, { firstName: 'Ida' });
  const { toolId, admin, sample } = await published(page, baseURL!, { name: 'Cost Counter AI', priceCents: 2500 });
  await admin.context().close();

  const figure = (name: string) => page.getByText(name, { exact: true }).locator('xpath=..');
  const subscribe = async () => {
    const adviser = await anotherBrowser(page);
    await signedInAdviser(adviser);
    await post(adviser, '/api/create-subscription', { toolId, trial: true });
    await adviser.context().close();
  };
  for (let before = 0; before < 4; before += 1) await subscribe();
  await page.reload();
  await expect(figure('Began a trial')).toContainText('under five people');
  await expect(figure('On trial')).toContainText('under five people');
  await expect(page.getByText('no version reported')).toHaveCount(0);
  await expectAccessible(page);
  await subscribe();
  await page.reload();
  await expect(figure('Began a trial')).toHaveText('Began a trial5');
  await expect(figure('On trial')).toHaveText('On trial5');
  await expect(figure('Paid after their trial')).toContainText('under five people');
  await expect(figure('Left: too expensive')).toContainText('under five people');
  await sample.stop();
});
