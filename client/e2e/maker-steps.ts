import http from 'node:http';
import { expect, type Page } from '@playwright/test';
import { createSampleHandler, listener } from '../../server/dev/sample-tool/handler.ts';
import { listenLocally } from '../../server/testing/ports.ts';
import { supplierAnswers } from '../../server/testing/publishable.ts';
import { anotherBrowser, post, signedInDemo } from './fixtures.ts';

type Settings = { toolId: string; secret: string; signingSecret: string };

/** The sample tool on a port of its own, which gets its three settings later. */
export async function sampleTool(apiUrl: string) {
  let handle: http.RequestListener = (_req, res) => void res.writeHead(503).end();
  const { url, stop } = await listenLocally(http.createServer((req, res) => handle(req, res)));
  return {
    url: url.replace('127.0.0.1', 'localhost'),
    paste: (settings: Settings) => {
      const { toolId: id } = settings;
      const shown = { id, name: 'Fee Finder AI', description: 'It finds fees.', minutesSaved: 25 };
      handle = listener(createSampleHandler({ apiUrl, ...settings }, shown), () => undefined);
    },
    stop,
  };
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });

/** The tool that the click opens, once it has welcomed this person. */
export async function workIn(page: Page, open: () => Promise<void>, name: string): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await open();
  const tool = await opened;
  await expect(heading(tool, `Welcome, ${name}`)).toBeVisible();
  return tool;
}

/** A tool that this maker registers, has checked and proposes, and that an administrator publishes with a share of 70%. */
export async function published(
  page: Page,
  baseURL: string,
  { name, priceCents }: { name: string; priceCents: number },
) {
  const sample = await sampleTool(baseURL);
  const settings = { name, description: 'Counts costs.', scopes: ['name'] };
  const addresses = { domain: `${sample.url}/start`, eventsUrl: `${sample.url}/events` };
  const made = await post(page, '/api/developers/tools', { ...settings, ...addresses });
  const { id: toolId } = made['tool'] as { id: string };
  sample.paste({ toolId, ...(made as { secret: string; signingSecret: string }) });
  const path = `/api/developers/tools/${toolId}`;
  await post(page, `${path}/disclosure`, supplierAnswers);
  await post(page, `${path}/price`, { priceCents });
  await post(page, `${path}/check`, { page: '', finish: `/${toolId}` });
  await page.goto(`/developers?tool=${toolId}`);
  await expect(page.getByText('We found nothing wrong.')).toBeVisible({ timeout: 60_000 });
  await button(page, 'Ask us to publish it').click();
  const admin = await anotherBrowser(page);
  await signedInDemo(admin, 'admin');
  await admin.goto('/admin/today');
  await button(admin, `Publish ${name}`).click();
  await admin.getByLabel('The maker’s share').fill('70');
  await button(admin, 'Publish').click();
  await expect(admin.getByText('The tool is in the catalogue.').first()).toBeVisible();
  return { toolId, admin, sample };
}
