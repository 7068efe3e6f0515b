import { chromium } from '@playwright/test';
import { browserEnvironment, browserPath } from '../browser.ts';

/** Kilobytes of JavaScript, as transferred, that a first visit to each page loads. */
export async function javascriptPerPage(
  base: string,
  pages: Record<string, { path: string; cookie?: string }>,
): Promise<Record<string, number>> {
  const executablePath = browserPath();
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    env: browserEnvironment(executablePath),
  });
  const sizes: Record<string, number> = {};
  for (const [name, { path, cookie }] of Object.entries(pages)) {
    const context = await browser.newContext();
    if (cookie) {
      const [key, value] = cookie.split('=') as [string, string];
      await context.addCookies([{ name: key, value, url: base, httpOnly: true, sameSite: 'Lax' }]);
    }
    const page = await context.newPage();
    const loaded: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (/\.js(\?|$)/.test(request.url())) loaded.push(request.sizes().then((size) => size.responseBodySize));
    });
    await page.goto(base + path, { waitUntil: 'networkidle' });
    sizes[name] = (await Promise.all(loaded)).reduce((sum, bytes) => sum + bytes, 0) / 1000;
    await context.close();
  }
  await browser.close();
  return sizes;
}
