import { type Browser, chromium } from '@playwright/test';
import { browserOptions } from '../browser.ts';
import { grantTool, signUp } from '../faults/people.ts';
import { startServer } from '../production-server.ts';
import { heading, onCluster, openPage, quantile, round, row } from './measure.ts';

/** A phone on a slow line: 412 px, 1.6 Mbit/s, 150 ms, a quarter of this machine's speed. */
const line = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
const slowdown = 4;

const pages = [
  ['dashboard', '/', 1800],
  ['billing', '/?tab=billing', 1800],
  ['subscribe', '/subscribe/pre-fill-ai', 1800],
  ['profile', '/profile', 1800],
  ['help, signed out', '/help', 1600],
  ['landing, signed out', '/', 1300],
] as const;

type Seen = { largest: number; shift: number; kb: number; what: string };

/** One visit with nothing in the cache, until the network has been quiet. */
async function visit(browser: Browser, base: string, path: string, cookie?: string): Promise<Seen> {
  const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 };
  const { context, page, javascriptKb } = await openPage(browser, base, cookie, phone);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', line);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.addInitScript(() => {
    const seen = { largest: 0, shift: 0, what: '' };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      const { startTime, element } = list.getEntries().at(-1) as PerformanceEntry & { element?: Element | null };
      seen.largest = startTime;
      seen.what = `${element?.tagName ?? ''} ${element?.textContent ?? ''}`.slice(0, 40);
    }).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) seen.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(base + path);
  // Not the heading of the frame that fills the document until the page is drawn.
  await page.locator('h1:not([data-frame] *)').first().waitFor();
  await page.waitForLoadState('networkidle');
  // What comes later, such as a prefetch, is not counted.
  const kb = await javascriptKb();
  const seen = await page.evaluate(() => (window as unknown as { seen: Omit<Seen, 'kb'> }).seen);
  await context.close();
  return { ...seen, kb };
}

/** `npm run bench -- pages`: the largest paint of each page on a slow phone, the middle of five visits. */
export const pagesBench = (): Promise<void> =>
  onCluster(async (cluster) => {
    const database = await cluster.create('adviserly');
    const server = await startServer(database);
    const adviser = await signUp(server, database);
    for (const tool of ['risk-profile-ai', 'fact-find-ai', 'file-note-ai']) await grantTool(database, adviser, tool);
    const browser = await chromium.launch(browserOptions());
    const lines = heading('page', 'largest paint, ms', 'target', 'shift', 'JavaScript, kB', 'of');
    for (const [name, path, target] of pages) {
      const cookie = name.endsWith('signed out') ? undefined : adviser.cookie;
      const visits: Seen[] = [];
      for (let i = 0; i < 5; i += 1) visits.push(await visit(browser, server.base, path, cookie));
      const of = (key: Exclude<keyof Seen, 'what'>) =>
        quantile(
          visits.map((each) => each[key]),
          0.5,
        );
      lines.push(
        row([name, round(of('largest')), `≤ ${target}`, round(of('shift'), 3), round(of('kb')), visits.at(-1)!.what]),
      );
    }
    await browser.close();
    console.log(`\n${lines.join('\n')}\n`);
  });
