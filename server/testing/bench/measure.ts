import fs from 'node:fs';
import os from 'node:os';
import { type Browser, type BrowserContextOptions, chromium } from '@playwright/test';
import autocannon from 'autocannon';
import { browserOptions } from '../browser.ts';
import { type Cluster, startCluster } from '../faults/postgres.ts';
import { killServers } from '../production-server.ts';

/** Stripe keys that are never used keep the sandbox out of the measured process, as in production. */
export const withoutSandbox = {
  variables: {
    PAYMENTS: undefined,
    STRIPE_SECRET_KEY: 'sk_test_bench',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_bench',
    STRIPE_WEBHOOK_SECRET: 'whsec_bench',
  },
};

/** Resident memory of a process in megabytes. */
export const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Works on a PostgreSQL that is gone afterwards, with all servers on it. */
export async function onCluster(work: (cluster: Cluster) => Promise<void>): Promise<void> {
  const cluster = await startCluster();
  try {
    await work(cluster);
  } finally {
    await killServers();
    await cluster.remove();
  }
}

export type Load = { perSecond: number; p50: number; p99: number; errors: number };

/** An answer that is not 2xx counts as an error. */
export const loadOf = ({ requests, latency, errors, non2xx, timeouts }: autocannon.Result): Load => ({
  perSecond: requests.average,
  p50: latency.p50,
  p99: latency.p99,
  errors: errors + non2xx + timeouts,
});

/** 50 connections for some seconds against one address. */
export const load = async (url: string, { cookie = '', seconds = 5, connections = 50 } = {}): Promise<Load> =>
  loadOf(await autocannon({ workers: 1, url, connections, duration: seconds, headers: cookie ? { cookie } : {} }));

/** The one of them that this part of the others comes before. */
export const quantileBy = <T>(all: T[], part: number, figure: (one: T) => number): T =>
  all.toSorted((a, b) => figure(a) - figure(b))[Math.min(all.length - 1, Math.floor(all.length * part))]!;

export const quantile = (values: number[], part: number) => quantileBy(values, part, (value) => value);

/** The run with the middle throughput. */
export const middleOf = (runs: Load[]): Load => quantileBy(runs, 0.5, ({ perSecond }) => perSecond);

export const middleOfThree = async (run: () => Promise<Load>): Promise<Load> =>
  middleOf([await run(), await run(), await run()]);

export const row = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
export const heading = (...cells: string[]) => [row(cells), row(cells.map(() => '---'))];
export const round = (value: number, digits = 0) => value.toFixed(digits);

export const machineLoad = () =>
  os
    .loadavg()
    .map((one) => round(one, 1))
    .join(', ');

type Page = { name: string; path: string; cookie?: string; target: string };

/** Opens a page with nothing in its cache, signed in by the cookie; `javascriptKb` is what has been transferred until then. */
export async function openPage(browser: Browser, base: string, cookie?: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  if (cookie) {
    const [name, value] = cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: base, httpOnly: true, sameSite: 'Lax' }]);
  }
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (/\.js(\?|$)/.test(request.url())) sizes.push(request.sizes().then((size) => size.responseBodySize));
  });
  const javascriptKb = async () => (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0) / 1000;
  return { context, page, javascriptKb };
}

/** Kilobytes of JavaScript that a first visit to each page loads. */
export async function javascriptOf(base: string, pages: Page[]): Promise<(Page & { kb: number })[]> {
  const browser = await chromium.launch(browserOptions());
  const measured: (Page & { kb: number })[] = [];
  for (const one of pages) {
    const { context, page, javascriptKb } = await openPage(browser, base, one.cookie);
    await page.goto(base + one.path, { waitUntil: 'networkidle' });
    measured.push({ ...one, kb: await javascriptKb() });
    await context.close();
  }
  await browser.close();
  return measured;
}
