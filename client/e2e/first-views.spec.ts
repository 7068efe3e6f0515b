import { expect, signedInAdviser, test } from './fixtures.ts';

/** Answered after the first view: what an open tab asks again. */
const later = /\/api\/billing\/config/;

for (const path of ['/', '/dashboard?tab=billing', '/profile', '/subscribe/pre-fill-ai', '/open/pre-fill-ai'])
  test(`${path} brings the answers to the calls it begins with`, async ({ page }) => {
    await signedInAdviser(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/api/') && !later.test(pathname)) asked.push(pathname + search);
    });
    // Where the server takes longer than a second for the answers, the page rightly asks itself.
    await expect(async () => {
      asked.length = 0;
      await page.goto(path, { waitUntil: 'networkidle' });
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(asked).toEqual([]);
    }).toPass();
  });
