import fs from 'node:fs';
import { chromium } from '@playwright/test';
import autocannon from 'autocannon';
import { browserOptions } from '../browser.ts';

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

export type Load = { perSecond: number; p50: number; p99: number; errors: number };

/** 50 connections for some seconds against one address; an answer that is not 2xx counts as an error. */
export async function load(url: string, { cookie = '', seconds = 5, connections = 50 } = {}): Promise<Load> {
  const result = await autocannon({
    workers: 1,
    url,
    connections,
    duration: seconds,
    headers: cookie ? { cookie } : {},
  });
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: result.errors + result.non2xx + result.timeouts,
  };
}

/** The run with the middle throughput. */
export const middleOf = (runs: Load[]): Load =>
  runs.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(runs.length / 2)]!;

export const median = async (run: () => Promise<Load>): Promise<Load> =>
  middleOf([await run(), await run(), await run()]);

export const row = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
export const round = (value: number, digits = 0) => value.toFixed(digits);

type Page = { name: string; path: string; cookie?: string; target: string };

/** Kilobytes of JavaScript, as transferred, that a first visit to each page loads. */
export async function javascriptOf(base: string, pages: Page[]): Promise<(Page & { kb: number })[]> {
  const browser = await chromium.launch(browserOptions());
  const measured: (Page & { kb: number })[] = [];
  for (const one of pages) {
    const context = await browser.newContext();
    if (one.cookie) {
      const [name, value] = one.cookie.split('=') as [string, string];
      await context.addCookies([{ name, value, url: base, httpOnly: true, sameSite: 'Lax' }]);
    }
    const page = await context.newPage();
    const loaded: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (/\.js(\?|$)/.test(request.url())) loaded.push(request.sizes().then((size) => size.responseBodySize));
    });
    await page.goto(base + one.path, { waitUntil: 'networkidle' });
    measured.push({ ...one, kb: (await Promise.all(loaded)).reduce((sum, bytes) => sum + bytes, 0) / 1000 });
    await context.close();
  }
  await browser.close();
  return measured;
}
